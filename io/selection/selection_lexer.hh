#pragma once

#include <string>

namespace starhist::io {

/// The words and signs of --species, one after the other.
class RuleWords {
 public:
  enum class Kind { word, sign, end };
  struct Word {
    Kind kind = Kind::end;
    std::string text;       ///< of a sign: one of = ; ( )
    bool quoted = false;    ///< stood in "", so it is no keyword
    std::size_t begin = 0;  ///< in the rules
    std::size_t after = 0;  ///< where it has ended

    bool is_sign(char c) const { return kind == Kind::sign && text[0] == c; }
    bool is_keyword(const char* keyword) const {
      return kind == Kind::word && !quoted && text == keyword;
    }
  };

  explicit RuleWords(std::string rules);

  /// The word at hand.
  const Word& now() const { return now_; }
  /// Takes it, and goes to the next. Throws InputError for " without its pair.
  Word take();

  /// What was written from one place to another, without blanks at its ends.
  std::string between(std::size_t begin, std::size_t after) const;

  /// Throws InputError "--species: WHAT at character N of 'RULES' ...".
  [[noreturn]] void refuse(const std::string& what, std::size_t position) const;
  [[noreturn]] void refuse(const std::string& what) const { refuse(what, now_.begin); }

 private:
  void go_on();

  std::string rules_;
  Word now_;
};

}  // namespace starhist::io
