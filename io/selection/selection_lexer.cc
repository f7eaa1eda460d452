#include "io/selection/selection_lexer.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr const char* blanks = " \t\n";
constexpr const char* signs = "=;()";
constexpr const char* ends_of_word = " \t\n=;()\"";

}  // namespace

RuleWords::RuleWords(std::string rules) : rules_(std::move(rules)) {
  go_on();
}

RuleWords::Word RuleWords::take() {
  Word word = now_;
  go_on();
  return word;
}

void RuleWords::skip(std::size_t characters) {
  now_.after = now_.begin + characters;
  go_on();
}

void RuleWords::go_on() {
  const std::size_t begin =
      std::min(rules_.find_first_not_of(blanks, now_.after), rules_.size());
  now_ = {Kind::end, "", false, begin, begin};
  if (begin == rules_.size()) {
    return;
  }
  if (std::string(signs).find(rules_[begin]) != std::string::npos) {
    now_ = {Kind::sign, rules_.substr(begin, 1), false, begin, begin + 1};
  } else if (rules_[begin] == '"') {
    const std::size_t end = rules_.find('"', begin + 1);
    if (end == std::string::npos) {
      refuse("a \" without a closing \"");
    }
    now_ = {Kind::word, rules_.substr(begin + 1, end - begin - 1), true, begin,
            end + 1};
  } else {
    const std::size_t end =
        std::min(rules_.find_first_of(ends_of_word, begin), rules_.size());
    now_ = {Kind::word, rules_.substr(begin, end - begin), false, begin, end};
  }
}

std::string RuleWords::between(std::size_t begin, std::size_t after) const {
  const std::string text = rules_.substr(begin, after - begin);
  const std::size_t last = text.find_last_not_of(blanks);
  return text.substr(0, last == std::string::npos ? 0 : last + 1);
}

bool RuleWords::has_rule(const std::string& name) const {
  for (std::size_t begin = 0; begin < rules_.size();) {
    const std::size_t end = std::min(rules_.find(';', begin), rules_.size());
    const std::string rule = rules_.substr(begin, end - begin);
    const std::size_t first = rule.find_first_not_of(blanks);
    const std::size_t sign = rule.find('=');
    if (sign != std::string::npos && first < sign &&
        between(begin + first, begin + sign) == name) {
      return true;
    }
    begin = end + 1;
  }
  return false;
}

void RuleWords::refuse(const std::string& what, std::size_t position,
                       const std::string& remedy) const {
  throw InputError(
      "--species: " + what + " at character " + std::to_string(position + 1) + " of '" +
      rules_ +
      "' (a rule is NAME=SELECTION, as in \"OW=name OW; HW=name HW1 HW2\", "
      "see starhist rdf --help)" +
      remedy);
}

}  // namespace starhist::io
