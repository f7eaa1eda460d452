// A macro, not #pragma once: this file is also the precompiled header, and with ccache
// GCC does not always remember that it has read it.
#ifndef STARHIST_TESTS_SUPPORT_CATCH_HH
#define STARHIST_TESTS_SUPPORT_CATCH_HH

// Debian 12 has Catch2 v2, newer systems v3, which moves Approx out of the global
// namespace and renames v2's matcher of strings.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <string>

#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text) {
  return Catch::Matchers::Contains(text);
}
#endif

#endif  // STARHIST_TESTS_SUPPORT_CATCH_HH
