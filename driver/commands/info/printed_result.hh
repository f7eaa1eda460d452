#pragma once

#include <string>

#include "io/export/result_units.hh"
#include "io/hdf5/inspection/external_files.hh"

namespace starhist::driver {

/// Prints the description of a result of any command, as text or JSON. `all`: list all
/// species and pairs.
void print_result(const std::string& path, io::ExternalFiles external,
                  const io::ShownUnits& units, bool as_json, bool all);

}  // namespace starhist::driver
