#include "io/selection/selection_parser.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/selection/selection_hints.hh"
#include "io/selection/selection_keywords.hh"

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

/// "x < 2" and the like, from the current word on.
struct ComparisonText {
  Selection::Quantity quantity = Selection::Quantity::x;
  Selection::Comparison comparison = Selection::Comparison::less;
  std::size_t characters = 0;  ///< up to the number
};

std::optional<ComparisonText> find_comparison(const RuleWords& words) {
  if (!is_word(words.now()) || words.now().quoted) {
    return std::nullopt;
  }
  const std::string_view text = words.rest();
  using enum Selection::Quantity;
  using enum Selection::Comparison;
  static constexpr std::array<std::pair<std::string_view, Selection::Quantity>, 5>
      quantities{{{"x", x}, {"y", y}, {"z", z}, {"mass", mass}, {"charge", charge}}};
  // "<=" before "<"
  static constexpr std::array<std::pair<std::string_view, Selection::Comparison>, 6>
      comparisons{{{"<=", at_most},
                   {">=", at_least},
                   {"==", equal},
                   {"!=", different},
                   {"<", less},
                   {">", more}}};
  const auto after_blanks = [&](std::size_t index) {
    return std::min(text.find_first_not_of(" \t\n", index), text.size());
  };
  for (const auto& [word, quantity] : quantities) {
    const std::size_t next = text.starts_with(word) ? after_blanks(word.size()) : 0;
    for (const auto& [sign, comparison] : comparisons) {
      if (next > 0 && text.substr(next).starts_with(sign)) {
        return ComparisonText{quantity, comparison, after_blanks(next + sign.size())};
      }
    }
  }
  return std::nullopt;
}

std::optional<double> number_of(const std::string& text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(number)
             ? std::optional(number)
             : std::nullopt;
}

bool is_distance_keyword(const RuleWords::Word& word) {
  return word.is_keyword("within") || word.is_keyword("beyond");
}

std::optional<Selection::Same> same_of(const RuleWords::Word& word) {
  return word.is_keyword("residue")    ? std::optional(Selection::Same::residue)
         : word.is_keyword("molecule") ? std::optional(Selection::Same::molecule)
         : word.is_keyword("chain")    ? std::optional(Selection::Same::chain)
                                       : std::nullopt;
}

bool is_bare_keyword(const RuleWords::Word& word) {
  return is_word(word) && !word.quoted && is_selection_keyword(word.text);
}

/// Whether a comparison or a selection by distance or by compound begins here.
bool begins_relation(const RuleWords& words) {
  const RuleWords::Word& now = words.now();
  if (is_distance_keyword(now) || now.is_keyword("same")) {
    RuleWords next = words;
    next.take();
    return now.is_keyword("same") ? same_of(next.now()).has_value()
                                  : number_of(next.now().text).has_value();
  }
  return find_comparison(words).has_value();
}

bool is_keyword(const RuleWords& words) {
  const RuleWords::Word& now = words.now();
  return is_field(now) || now.is_keyword("and") || now.is_keyword("or") ||
         now.is_keyword("not") || now.is_keyword("all") || now.is_keyword("group") ||
         begins_relation(words);
}

/// Calls set_range(); throws InputError for text of another form, and for an empty
/// range.
void require_range(const RuleWords& words, const RuleWords::Word& word,
                   SelectionValue& value) {
  if (!set_range(word.text, value)) {
    words.refuse("'" + word.text + "' is neither a whole number nor a range of them",
                 word.begin, range_hint(word.text));
  }
  if (value.first > value.last) {
    words.refuse("the range '" + word.text + "' is empty", word.begin);
  }
}

/// Whether words of a text field may be ranges of numbers; in others, * is a wildcard.
bool has_ranges(ParticleField field) {
  return field == ParticleField::type || field == ParticleField::species;
}

SelectionValue take_value(RuleWords& words, ParticleField field) {
  const RuleWords::Word word = words.take();
  SelectionValue value;
  value.text = word.text;
  if (is_number(field)) {
    require_range(words, word, value);
  } else if (!word.quoted) {
    value.pattern = word.text.find_first_of("*?[") != std::string::npos;
    value.range = has_ranges(field) && word.text != "*" && set_range(word.text, value);
  }
  return value;
}

Selection take_term(RuleWords& words) {
  const RuleWords::Word field = words.take();
  Selection term;
  term.kind = Selection::Kind::term;
  term.field = *find_field(field.text);
  while (is_word(words.now()) && !is_keyword(words)) {
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
  while (is_word(words.now()) && !is_keyword(words)) {
    group.values.emplace_back().text = words.take().text;
  }
  if (group.values.empty()) {
    words.refuse("no name after 'group'");
  }
  return group;
}

Selection take_comparison(RuleWords& words, const ComparisonText& found) {
  Selection comparison;
  comparison.kind = Selection::Kind::compare;
  comparison.quantity = found.quantity;
  comparison.comparison = found.comparison;
  words.skip(found.characters);
  const std::optional<double> number = number_of(words.now().text);
  if (!number) {
    words.refuse("'" + words.now().text + "' in place of a number");
  }
  comparison.number = *number;
  words.take();
  return comparison;
}

Selection take_selection(RuleWords& words, int depth);
Selection take_factor(RuleWords& words, int depth);

/// Moves past a word that must stand here.
void take_word(RuleWords& words, const char* word, const std::string& after) {
  if (!words.now().is_keyword(word)) {
    words.refuse("no '" + std::string(word) + "' after '" + after + "'");
  }
  words.take();
}

Selection take_distance(RuleWords& words, int depth) {
  Selection near;
  const RuleWords::Word kind = words.take();
  near.kind =
      kind.is_keyword("within") ? Selection::Kind::within : Selection::Kind::beyond;
  near.number = number_of(words.now().text).value_or(0.0);
  if (near.number <= 0.0) {
    words.refuse("'" + words.now().text + "' in place of a distance above 0",
                 words.now().begin, distance_hint(words.now().text));
  }
  take_word(words, "of", kind.text + " " + words.take().text);
  near.parts.push_back(take_factor(words, depth + 1));
  return near;
}

Selection take_same(RuleWords& words, int depth) {
  Selection same;
  same.kind = Selection::Kind::same;
  words.take();
  const std::optional<Selection::Same> by = same_of(words.now());
  if (!by) {
    words.refuse("no residue, molecule or chain after 'same'");
  }
  same.same_by = *by;
  take_word(words, "as", "same " + words.take().text);
  same.parts.push_back(take_factor(words, depth + 1));
  return same;
}

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
  if (is_bare_keyword(now)) {
    Selection keyword;
    keyword.kind = Selection::Kind::keyword;
    keyword.values.emplace_back().text = words.take().text;
    return keyword;
  }
  if (is_distance_keyword(now)) {
    return take_distance(words, depth);
  }
  if (now.is_keyword("same")) {
    return take_same(words, depth);
  }
  if (const auto comparison = find_comparison(words); comparison) {
    return take_comparison(words, *comparison);
  }
  if (!is_field(now)) {
    words.refuse(
        now.kind == RuleWords::Kind::end ? std::string("a selection is missing")
                                         : "'" + now.text + "' in place of a selection",
        now.begin,
        words.has_rule(now.text) ? ": a rule cannot refer to the rule '" + now.text +
                                       "', so repeat its selection in parentheses"
                                 : selection_hint(now.text));
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
  if (is_keyword(words)) {
    words.refuse("no 'and' or 'or' before '" + words.now().text + "'");
  }
  return selection;
}

}  // namespace

bool begins_selection(const RuleWords& words) {
  const RuleWords::Word& now = words.now();
  return now.is_sign('(') || is_bare_keyword(now) ||
         (is_keyword(words) && !now.is_keyword("and") && !now.is_keyword("or"));
}

Selection parse_selection(RuleWords& words) {
  return take_selection(words, 0);
}

}  // namespace starhist::io
