#pragma once

#include <string>

namespace starhist::io {

/// Splits the rules of --species into words and signs, one after the other.
class RuleWords {
 public:
  enum class Kind { word, sign, end };
  struct Word {
    Kind kind = Kind::end;
    std::string text;       ///< the word without quotes, or a sign: one of = ; ( )
    bool quoted = false;    ///< written in "", so it is no keyword
    std::size_t begin = 0;  ///< position of its first character in the rules
    std::size_t after = 0;  ///< position behind its last character

    bool is_sign(char c) const { return kind == Kind::sign && text[0] == c; }
    bool is_keyword(const char* keyword) const {
      return kind == Kind::word && !quoted && text == keyword;
    }
  };

  /// Begins with the first word. Throws as take().
  explicit RuleWords(std::string rules);

  /// The current word.
  const Word& now() const { return now_; }
  /// Returns the current word and moves to the next one. Throws InputError for a
  /// quotation mark without its pair.
  Word take();

  /// The text from position `begin` to `after`, without blanks at its end.
  std::string between(std::size_t begin, std::size_t after) const;

  /// Throws InputError "--species: WHAT at character N of 'RULES' ...", by default with
  /// the position of the current word.
  [[noreturn]] void refuse(const std::string& what, std::size_t position) const;
  [[noreturn]] void refuse(const std::string& what) const { refuse(what, now_.begin); }

 private:
  /// Moves to the next word.
  void go_on();

  std::string rules_;
  Word now_;
};

}  // namespace starhist::io
