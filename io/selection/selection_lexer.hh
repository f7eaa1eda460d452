#pragma once

#include <string>
#include <string_view>

namespace starhist::io {

/// Splits the rules of --species into words and signs.
class RuleWords {
 public:
  enum class Kind { word, sign, end };
  struct Word {
    Kind kind = Kind::end;
    std::string text;       ///< the word without quotes, or one of the signs = ; ( )
    bool quoted = false;    ///< written in quotes, so it is not a keyword
    std::size_t begin = 0;  ///< index of its first character in the rules
    std::size_t after = 0;  ///< index after its last character

    bool is_sign(char c) const { return kind == Kind::sign && text[0] == c; }
    bool is_keyword(const char* keyword) const {
      return kind == Kind::word && !quoted && text == keyword;
    }
  };

  /// Reads the first word. Throws like take().
  explicit RuleWords(std::string rules);

  /// Returns the current word.
  const Word& now() const { return now_; }
  /// Returns the current word and moves to the next one. Throws InputError for an
  /// unpaired quotation mark.
  Word take();

  /// The rules from the current word on, with quotation marks.
  std::string_view rest() const { return std::string_view(rules_).substr(now_.begin); }
  /// Skips this many characters of rest(), and reads the next word.
  void skip(std::size_t characters);

  /// Returns the text from index `begin` to `after`, without trailing blanks.
  std::string between(std::size_t begin, std::size_t after) const;

  /// Whether a rule has this name, written without quotation marks.
  bool has_rule(const std::string& name) const;

  /// Throws InputError "--species: PROBLEM at character N of 'RULES' (...)REMEDY", by
  /// default with the position of the current word.
  [[noreturn]] void refuse(const std::string& what, std::size_t position,
                           const std::string& remedy = "") const;
  [[noreturn]] void refuse(const std::string& what) const { refuse(what, now_.begin); }

 private:
  /// Moves to the next word.
  void go_on();

  std::string rules_;
  Word now_;
};

}  // namespace starhist::io
