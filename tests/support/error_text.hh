#pragma once

#include <initializer_list>
#include <string>

namespace starhist::testing {

/// Message of the Error that `action` throws; "" when it throws nothing. Any other
/// exception passes through and fails the test.
template <class Error, class Action>
std::string error_text(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// "" if `text` holds all `words`; otherwise which one is missing where, so that
/// CHECK(missing(text, {"r_max"}) == "") says it.
inline std::string missing(const std::string& text,
                           std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (text.find(word) == std::string::npos) {
      return std::string("'") + word + "' is not in '" + text + "'";
    }
  }
  return "";
}

}  // namespace starhist::testing
