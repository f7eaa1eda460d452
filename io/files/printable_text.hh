#pragma once

#include <string>
#include <string_view>

namespace starhist::io {

/// Replaces characters that a terminal or a viewer interprets instead of showing them
/// by their codes: control characters by "\x1b" and the like, line separators and marks
/// of the writing direction by "\u202e" and the like. Accepts UTF-8 in pieces of any
/// length; other bytes pass unchanged.
class PrintableText {
 public:
  /// Appends to `out` all characters that are decided so far.
  void add(char byte, std::string& out);
  /// Appends the bytes of an incomplete last character.
  void finish(std::string& out);

 private:
  std::string begun_;  ///< first bytes of a character that may have to be replaced
};

/// Returns the whole text as one line: line breaks and tabs are replaced as well.
std::string printable_line(std::string_view text);

}  // namespace starhist::io
