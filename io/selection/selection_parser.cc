#include "io/selection/selection_parser.hh"

#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// Largest nesting depth of parentheses and "not", so that input cannot exhaust the
/// stack.
constexpr int deepest = 100;

bool is_word(const RuleWords::Word& word) {
  return word.kind == RuleWords::Kind::word;
}

bool is_field(const RuleWords::Word& word) {
  return is_word(word) && !word.quoted && find_field(word.text).has_value();
}

bool is_keyword(const RuleWords::Word& word) {
  return is_field(word) || word.is_keyword("and") || word.is_keyword("or") ||
         word.is_keyword("not") || word.is_keyword("all") || word.is_keyword("group");
}

/// Calls set_range(); throws InputError for text of another form, and for an empty
/// range.
void require_range(const RuleWords& words, const RuleWords::Word& word,
                   SelectionValue& value) {
  if (!set_range(word.text, value)) {
    words.refuse("'" + word.text + "' is neither a whole number nor a range of them",
                 word.begin);
  }
  if (value.first > value.last) {
    words.refuse("the range '" + word.text + "' is empty", word.begin);
  }
}

SelectionValue take_value(RuleWords& words, ParticleField field) {
  const RuleWords::Word word = words.take();
  SelectionValue value;
  value.text = word.text;
  if (is_number(field)) {
    require_range(words, word, value);
  } else if (!word.quoted) {
    value.pattern = word.text.find_first_of("*?[") != std::string::npos;
    value.range = word.text != "*" && set_range(word.text, value);
  }
  return value;
}

Selection take_term(RuleWords& words) {
  const RuleWords::Word field = words.take();
  Selection term;
  term.kind = Selection::Kind::term;
  term.field = *find_field(field.text);
  while (is_word(words.now()) && !is_keyword(words.now())) {
    term.values.push_back(take_value(words, term.field));
  }
  if (term.values.empty()) {
    words.refuse("no value after '" + field.text + "'");
  }
  return term;
}

Selection take_group(RuleWords& words) {
  words.take();
  Selection group;
  group.kind = Selection::Kind::group;
  while (is_word(words.now()) && !is_keyword(words.now())) {
    group.values.emplace_back().text = words.take().text;
  }
  if (group.values.empty()) {
    words.refuse("no name after 'group'");
  }
  return group;
}

Selection take_selection(RuleWords& words, int depth);

Selection take_factor(RuleWords& words, int depth) {
  if (depth > deepest) {
    words.refuse("more than " + std::to_string(deepest) + " parentheses and 'not'");
  }
  const RuleWords::Word& now = words.now();
  if (now.is_keyword("not")) {
    words.take();
    Selection opposite;
    opposite.kind = Selection::Kind::opposite;
    opposite.parts.push_back(take_factor(words, depth + 1));
    return opposite;
  }
  if (now.is_sign('(')) {
    const std::size_t begin = words.take().begin;
    Selection inner = take_selection(words, depth + 1);
    if (!words.now().is_sign(')')) {
      words.refuse("'(' without a closing ')'", begin);
    }
    words.take();
    return inner;
  }
  if (now.is_keyword("all")) {
    words.take();
    return {};
  }
  if (now.is_keyword("group")) {
    return take_group(words);
  }
  if (!is_field(now)) {
    words.refuse(now.kind == RuleWords::Kind::end
                     ? std::string("no selection")
                     : "'" + now.text + "' in place of a selection");
  }
  return take_term(words);
}

/// Parses one part, or several joined by a keyword.
template <class TakePart>
Selection take_joined(RuleWords& words, const char* keyword, Selection::Kind kind,
                      TakePart take_part) {
  Selection joined;
  joined.kind = kind;
  joined.parts.push_back(take_part());
  while (words.now().is_keyword(keyword)) {
    words.take();
    joined.parts.push_back(take_part());
  }
  if (joined.parts.size() > 1) {
    return joined;
  }
  Selection only = std::move(joined.parts.front());
  return only;
}

Selection take_selection(RuleWords& words, int depth) {
  Selection selection = take_joined(words, "or", Selection::Kind::any, [&] {
    return take_joined(words, "and", Selection::Kind::every,
                       [&] { return take_factor(words, depth); });
  });
  if (is_keyword(words.now())) {
    words.refuse("no 'and' or 'or' before '" + words.now().text + "'");
  }
  return selection;
}

}  // namespace

bool begins_selection(const RuleWords::Word& word) {
  return word.is_sign('(') ||
         (is_keyword(word) && !word.is_keyword("and") && !word.is_keyword("or"));
}

Selection parse_selection(RuleWords& words) {
  return take_selection(words, 0);
}

}  // namespace starhist::io
