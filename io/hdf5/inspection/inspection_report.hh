#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// Exit status of starhist-inspect when HDF5 wanted more memory than allowed.
constexpr int inspection_lacks_memory = 3;
/// Exit status of starhist-inspect where HDF5 cannot list links or attributes.
constexpr int inspection_cannot_list = 4;
/// Exit status of starhist-inspect where data are too short, and what that is.
constexpr int inspection_short_data = 5;
constexpr const char* data_do_not_fit =
    "its chunks or compact data are smaller than their shape says";

/// What starhist-inspect writes: strings that NUL ends, four for each external file
/// and a last one that says that the report is whole.
std::string inspection_report(const ExternalFileList& files);

/// Reads a report; empty if it is not whole.
std::optional<ExternalFileList> parse_inspection_report(std::string_view text);

}  // namespace starhist::io
