#pragma once

#include <cstdlib>
#include <string>

namespace starhist::testing {

/// The variable's value, otherwise the built-in path. Tests that were moved away from
/// their build folder (scripts/setup/batch.sh) find their files through the
/// environment.
inline std::string place(const char* variable, const char* built) {
  const char* moved = std::getenv(variable);
  return moved != nullptr ? moved : built;
}

/// A file of tests/data; "" is the folder itself.
inline std::string data_file(const std::string& name) {
  return place("STARHIST_TEST_DATA", STARHIST_TEST_DATA) + "/" + name;
}

}  // namespace starhist::testing
