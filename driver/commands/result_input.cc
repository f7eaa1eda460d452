#include "driver/commands/result_input.hh"

#include <iostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"
#include "io/log/record_log.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {

io::ResultFile read_result_input(const std::string& path, io::ExternalFiles external) {
  const std::string other =
      io::is_record_log(path) ? "" : io::describe_unless_hdf5(path, external);
  if (!other.empty()) {
    throw InputError(path + ": is not a starhist result (an HDF5 file), but " + other +
                     ": pass the output of starhist rdf");
  }
  return io::read_result(path, external);
}

void report_incomplete(const io::ResultFile& result) {
  if (result.state == io::ResultState::partial) {
    std::cerr << "starhist: " << result.path << " is from an unfinished run: its "
              << counted(result.blocks.size(), "block") << " are used\n";
  }
  if (const auto missing = io::value_of(result.record, io::missing_parts_entry)) {
    std::cerr << "starhist: " << result.path
              << " was merged without these parts: " << *missing
              << " (count them, and merge all parts again)\n";
  }
}

}  // namespace starhist::driver
