#pragma once

#include <string>

#include "io/hdf5/inspection/external_files.hh"
#include "io/result/run_record.hh"

namespace starhist::io {

/// Describes an external file: "frames.h5 (external link of /particles)".
std::string external_file_text(const ExternalFile& file);

/// Adds "PREFIXexternal 1", "PREFIXexternal 2", ... to a record.
void add_external_files(const ExternalFileList& files, const std::string& prefix,
                        RunRecord& record);

}  // namespace starhist::io
