#include "driver/commands/result_input.hh"

#include <iostream>

#include "codelets/core/base/error.hh"
#include "io/export/export_columns.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {

io::ResultFile read_result_input(const std::string& path, io::ExternalFiles external) {
  const std::string other = io::describe_unless_hdf5(path, external);
  if (!other.empty()) {
    throw InputError(path + ": is not a starhist result (an HDF5 file), but " + other +
                     ": pass the output of starhist rdf");
  }
  return io::read_result(path, external);
}

void report_missing_parts(const io::ResultFile& result) {
  if (const auto missing = io::value_of(result.record, io::missing_parts_entry)) {
    std::cerr << "starhist: " << result.path
              << " was merged without these parts: " << *missing
              << " (count them, and merge all parts again)\n";
  }
}

}  // namespace starhist::driver
