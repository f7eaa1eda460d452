#include "io/selection/selection.hh"

#include <fnmatch.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"

namespace starhist::io {
namespace {

bool matches(const SelectionValue& value, const std::string& word) {
  return value.pattern ? fnmatch(value.text.c_str(), word.c_str(), FNM_NOESCAPE) == 0
                       : word == value.text;
}

[[noreturn]] void refuse_value(const Selection& term, const SelectionValue& value,
                               const ParticleTable& table) {
  const std::string meant =
      is_number(term.field) ? ""
                            : did_you_mean(value.text, text_column(table, term.field));
  throw InputError("no particle has " + word_of(term.field) + " '" + value.text +
                   "' (there are " + values_text(table, term.field) + ")" + meant);
}

/// Sets `meant` to 1 for the particles for which test(particle) is true. Returns
/// whether there is one.
template <class Test>
bool mark(std::vector<char>& meant, Test test) {
  bool found = false;
  for (std::size_t k = 0; k < meant.size(); ++k) {
    if (test(k)) {
      meant[k] = 1;
      found = true;
    }
  }
  return found;
}

bool mark_words(const SelectionValue& value, const std::vector<std::string>& words,
                std::vector<char>& meant) {
  // Consecutive particles often have the same name, which is then compared once.
  std::size_t last = words.size();
  bool last_matches = false;
  return mark(meant, [&](std::size_t k) {
    if (last == words.size() || words[k] != words[last]) {
      last_matches = matches(value, words[k]);
    }
    last = k;
    return last_matches;
  });
}

bool mark_value(const Selection& term, const SelectionValue& value,
                const ParticleTable& table, std::vector<char>& meant) {
  if (term.field == ParticleField::index) {
    const auto count = static_cast<std::int64_t>(table.count);
    if (value.first < 1 || value.last > count) {
      return false;
    }
    return mark(meant, [&](std::size_t k) {
      const auto index = static_cast<std::int64_t>(k) + 1;
      return value.first <= index && index <= value.last;
    });
  }
  if (is_number(term.field)) {
    const auto& numbers = number_column(table, term.field);
    return mark(meant, [&](std::size_t k) {
      return value.first <= numbers[k] && numbers[k] <= value.last;
    });
  }
  return mark_words(value, text_column(table, term.field), meant);
}

std::vector<char> select_term(const Selection& term, const ParticleTable& table) {
  if (!has_field(table, term.field)) {
    throw InputError("the file does not tell the " + word_of(term.field) +
                     " of its particles (but " + fields_text(table) + ")");
  }
  std::vector<char> meant(table.count);
  for (const SelectionValue& value : term.values) {
    if (!mark_value(term, value, table, meant)) {
      refuse_value(term, value, table);
    }
  }
  return meant;
}

}  // namespace

std::vector<char> select(const Selection& selection, const ParticleTable& table) {
  switch (selection.kind) {
    case Selection::Kind::all:
      return std::vector<char>(table.count, 1);
    case Selection::Kind::term:
      return select_term(selection, table);
    default:
      break;
  }
  std::vector<char> meant = select(selection.parts.front(), table);
  for (std::size_t k = 1; k < selection.parts.size(); ++k) {
    const std::vector<char> other = select(selection.parts[k], table);
    for (std::size_t i = 0; i < meant.size(); ++i) {
      meant[i] = selection.kind == Selection::Kind::every ? meant[i] & other[i]
                                                          : meant[i] | other[i];
    }
  }
  if (selection.kind == Selection::Kind::opposite) {
    for (char& each : meant) {
      each = each == 0 ? 1 : 0;
    }
  }
  return meant;
}

}  // namespace starhist::io
