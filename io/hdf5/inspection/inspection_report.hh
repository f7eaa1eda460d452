#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/hdf5/inspection/external_files.hh"

namespace starhist::io {

/// Exit status of starhist-inspect if HDF5 exceeded the memory limit.
constexpr int inspection_lacks_memory = 3;
/// Exit status of starhist-inspect if HDF5 cannot list links or attributes.
constexpr int inspection_cannot_list = 4;
/// Exit status of starhist-inspect if data are too short, and the message for it.
constexpr int inspection_short_data = 5;
constexpr const char* data_do_not_fit =
    "its chunks or compact data are smaller than their shape requires";

/// Encodes the output of starhist-inspect: NUL-terminated strings, four for each
/// external file and a last one that marks the report as complete.
std::string inspection_report(const ExternalFileList& files);

/// Decodes a report; empty if it is incomplete.
std::optional<ExternalFileList> parse_inspection_report(std::string_view text);

}  // namespace starhist::io
