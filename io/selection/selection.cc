#include "io/selection/selection.hh"

#include <algorithm>
#include <charconv>
#include <limits>

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
/// whether any is.
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
  // Consecutive particles often have the same name, so compare it only once.
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

std::int64_t number_of(const std::string& digits) {
  std::int64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

bool all_numbers(const std::vector<std::string>& words) {
  constexpr std::size_t most_digits = 18;
  return std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return !word.empty() && word.size() <= most_digits &&
           word.find_first_not_of("0123456789") == std::string::npos;
  });
}

bool is_in(std::int64_t number, const SelectionValue& range) {
  return range.first <= number && number <= range.last;
}

bool mark_value(const Selection& term, const SelectionValue& value,
                const ParticleTable& table, std::vector<char>& meant) {
  if (term.field == ParticleField::index) {
    using Limits = std::numeric_limits<std::int64_t>;
    const auto count = static_cast<std::int64_t>(table.count);
    if ((value.first < 1 && value.first != Limits::min()) ||
        (value.last > count && value.last != Limits::max())) {
      return false;
    }
    return mark(meant, [&](std::size_t k) {
      return is_in(static_cast<std::int64_t>(k) + 1, value);
    });
  }
  if (is_number(term.field)) {
    const auto& numbers = number_column(table, term.field);
    return mark(meant, [&](std::size_t k) { return is_in(numbers[k], value); });
  }
  const auto& words = text_column(table, term.field);
  if (value.range && all_numbers(words)) {
    return mark(meant,
                [&](std::size_t k) { return is_in(number_of(words[k]), value); });
  }
  return mark_words(value, words, meant);
}

std::vector<char> select_term(const Selection& term, const ParticleTable& table) {
  if (!has_field(table, term.field)) {
    throw InputError("the file does not specify the " + word_of(term.field) +
                     " of its particles (only " + fields_text(table) + ")");
  }
  std::vector<char> meant(table.count);
  for (const SelectionValue& value : term.values) {
    if (!mark_value(term, value, table, meant)) {
      refuse_value(term, value, table);
    }
  }
  return meant;
}

std::vector<char> select_list(const ParticleList& list, std::size_t count) {
  std::vector<char> meant(count);
  for (const std::uint64_t number : list.numbers) {
    if (number > count) {
      throw InputError(list.source + " has atom " + std::to_string(number) +
                       ", but there are " + std::to_string(count) +
                       " (give the index file that was made for these atoms)");
    }
    meant[number - 1] = 1;
  }
  return meant;
}

}  // namespace

bool set_range(const std::string& text, SelectionValue& value) {
  using Limits = std::numeric_limits<std::int64_t>;
  const char* const end = text.data() + text.size();
  const char* next = text.data();
  const auto take = [&](std::int64_t& number) {
    const auto parsed = std::from_chars(next, end, number);
    next = parsed.ptr;
    return parsed.ec == std::errc();
  };
  value.first = Limits::min();
  if (!text.starts_with('*') && !take(value.first)) {
    return false;
  }
  value.last = value.first;
  if (next != end && *next == '*') {
    ++next;
    value.last = Limits::max();
    return next == end || (take(value.last) && next == end);
  }
  if (next != end && *next == '-') {
    ++next;
    return take(value.last) && next == end;
  }
  return next == end;
}

std::vector<char> select(const Selection& selection, const ParticleTable& table) {
  switch (selection.kind) {
    case Selection::Kind::all:
      return std::vector<char>(table.count, 1);
    case Selection::Kind::term:
      return select_term(selection, table);
    case Selection::Kind::listed:
      return select_list(*selection.list, table.count);
    case Selection::Kind::group:
      throw InputError("no index file is given for the group '" +
                       selection.values.front().text + "' (give it with --index FILE)");
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
