#pragma once

#include <string>
#include <string_view>

namespace starhist::io {

/// Replaces characters that a terminal or a viewer obeys instead of showing them:
/// control characters become "\x1b", those that separate lines or turn the direction of
/// writing "\u202e". Takes UTF-8 in pieces of any length; other bytes pass.
class PrintableText {
 public:
  /// Appends to `out` what can be told so far.
  void add(char byte, std::string& out);
  /// Appends the bytes of a character that nothing more follows.
  void finish(std::string& out);

 private:
  std::string begun_;  ///< first bytes of a character that may have to be replaced
};

/// The whole text, also without line breaks and tabs: these are replaced, too.
std::string printable_line(std::string_view text);

}  // namespace starhist::io
