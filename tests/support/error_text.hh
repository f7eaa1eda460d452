#pragma once

#include <initializer_list>
#include <string>

namespace starhist::testing {

/// Message of the Error that `action` throws; "" if it does not throw. Any other
/// exception propagates and fails the test.
template <class Error, class Action>
std::string error_text(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// "" if `text` contains all `words`; otherwise the missing one and the text, printed
/// by CHECK(missing(text, {"r_max"}) == "").
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
