#pragma once

#include <string>

#include "tests/support/catch.hh"

namespace starhist::testing {

/// `text` with the first `from` in it replaced by `to`; it must contain `from`.
inline std::string replaced(std::string text, const std::string& from,
                            const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace starhist::testing
