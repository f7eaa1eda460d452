#pragma once

#include <string>

#include "io/result/result_reader.hh"
#include "io/result/run_record.hh"

namespace starhist::driver {

/// A line of `starhist info` for an entry of a result's record: "option --bins: 280",
/// "option --force" for an option without a value, local time for the time of a file.
/// "" for another entry without a value.
std::string record_line(const std::string& name, const std::string& value);

/// The lines of the inputs, options and warnings of a record.
std::string input_lines(const io::RunRecord& record);

/// JSON document about a result: path, the command that wrote it, whether the run has
/// finished, species, length unit (null: unknown), numbers of frames and blocks, and
/// the provenance, in which an option without a value is true.
std::string result_json(const io::ResultFile& result, const std::string& command);

}  // namespace starhist::driver
