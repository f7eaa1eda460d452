#include "io/selection/selection.hh"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fnmatch.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "io/particles/particle_compounds.hh"
#include "io/selection/selection_hints.hh"
#include "io/selection/selection_keywords.hh"

namespace starhist::io {
namespace {

bool matches(const SelectionValue& value, const std::string& word) {
  return value.pattern ? fnmatch(value.text.c_str(), word.c_str(), FNM_NOESCAPE) == 0
                       : word == value.text;
}

[[noreturn]] void refuse_value(const Selection& term, const SelectionValue& value,
                               const ParticleTable& table) {
  std::string meant = is_number(term.field)
                          ? ""
                          : did_you_mean(value.text, text_column(table, term.field));
  const bool is_term = term.field == ParticleField::species;
  if (meant.empty() && (is_term || value.text.find(',') != std::string::npos)) {
    meant = selection_hint(value.text);
  }
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

std::int64_t integer_of(const std::string& digits) {
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
                [&](std::size_t k) { return is_in(integer_of(words[k]), value); });
  }
  return mark_words(value, words, meant);
}

std::vector<char> select_term(const Selection& term, const ParticleTable& table) {
  if (!has_field(table, term.field)) {
    throw InputError("the particles of the file have no " + word_of(term.field) +
                     " (only " + fields_text(table) +
                     "): give a --structure FILE that has it");
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

bool is_one_of(const std::string& word, const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Throws InputError if the keyword also names a species of the file, which it used to
/// select.
void check_unambiguous(const std::string& keyword, const ParticleTable& table) {
  const bool by_residue = table.species == table.residue_name;
  if (!by_residue && is_one_of(keyword, table.species)) {
    throw InputError("'" + keyword +
                     "' is a keyword and a species of the file (write species " +
                     keyword + " for the species, or resname and the residue names)");
  }
}

std::vector<char> select_keyword(const std::string& keyword,
                                 const ParticleTable& table) {
  check_unambiguous(keyword, table);
  if (table.residue_name.empty()) {
    throw InputError(
        "'" + keyword +
        "' selects by residue name, and the file lacks them (give them with "
        "--structure FILE, or select by " +
        fields_text(table) + ")");
  }
  const std::vector<std::string>& names = names_of_keyword(keyword);
  if (!names.empty() && table.name.empty()) {
    throw InputError("'" + keyword + "' selects by atom name (" + join(names, ", ") +
                     "), and the file lacks them (give them with --structure FILE)");
  }
  const auto& listed_residues = residues_of_keyword(keyword);
  const std::unordered_set<std::string_view> residues(listed_residues.begin(),
                                                      listed_residues.end());
  std::vector<char> meant(table.count);
  const bool any = mark(
      meant, [&](std::size_t k) { return residues.contains(table.residue_name[k]); });
  if (!any) {
    throw InputError("no residue is '" + keyword + "' (there are " +
                     values_text(table, ParticleField::residue_name) +
                     "; to select others, use resname)");
  }
  for (std::size_t k = 0; k < meant.size() && !names.empty(); ++k) {
    meant[k] = meant[k] != 0 && is_one_of(table.name[k], names) ? 1 : 0;
  }
  return meant;
}

std::vector<char> select_compared(const Selection& term, const ParticleTable& table) {
  const bool by_mass = term.quantity == Selection::Quantity::mass;
  const std::vector<double>& column = by_mass ? table.mass : table.charge;
  if (column.empty()) {
    throw InputError(
        std::string("the file has no ") + (by_mass ? "masses" : "charges") +
        " (give a file that has them with --structure FILE, or select by " +
        fields_text(table) + ")");
  }
  std::vector<char> meant(table.count);
  // Files in single precision have the float next to 1.008.
  const auto single = static_cast<float>(term.number);
  mark(meant, [&](std::size_t k) {
    const bool equal = static_cast<float>(column[k]) == single;
    return compares(equal ? term.number : column[k], term.comparison, term.number);
  });
  return meant;
}

/// Selects all particles of the compounds that contain a selected one.
std::vector<char> select_same(const Selection& selection, const ParticleTable& table) {
  const std::vector<char> part = select(selection.parts.front(), table);
  const std::vector<std::uint32_t> number = numbers_of(selection.same_by, table);
  std::vector<char> wanted(table.count);
  for (std::size_t k = 0; k < part.size(); ++k) {
    wanted[number[k]] |= part[k];
  }
  std::vector<char> meant(table.count);
  mark(meant, [&](std::size_t k) { return wanted[number[k]] != 0; });
  return meant;
}

/// Number of each particle's chain, from 0.
std::vector<std::uint32_t> chain_numbers(const ParticleTable& table) {
  std::unordered_map<std::string_view, std::uint32_t> known;
  std::vector<std::uint32_t> numbers;
  for (const std::string& chain : table.chain) {
    numbers.push_back(
        known.emplace(chain, static_cast<std::uint32_t>(known.size())).first->second);
  }
  return numbers;
}

}  // namespace

bool changes(const Selection& selection) {
  using Quantity = Selection::Quantity;
  switch (selection.kind) {
    case Selection::Kind::within:
    case Selection::Kind::beyond:
      return true;
    case Selection::Kind::compare:
      return selection.quantity != Quantity::mass &&
             selection.quantity != Quantity::charge;
    default:
      return std::any_of(selection.parts.begin(), selection.parts.end(), changes);
  }
}

bool compares(double value, Selection::Comparison comparison, double number) {
  switch (comparison) {
    case Selection::Comparison::less:
      return value < number;
    case Selection::Comparison::at_most:
      return value <= number;
    case Selection::Comparison::more:
      return value > number;
    case Selection::Comparison::at_least:
      return value >= number;
    case Selection::Comparison::equal:
      return value == number;
    case Selection::Comparison::different:
      return value != number;
  }
  throw InternalError("unknown comparison");
}

std::vector<std::uint32_t> numbers_of(Selection::Same same_by,
                                      const ParticleTable& table) {
  const ParticleCompounds compounds(table);
  const bool by_residue = same_by == Selection::Same::residue;
  std::vector<std::uint32_t> numbers = same_by == Selection::Same::chain
                                           ? chain_numbers(table)
                                       : by_residue ? compounds.residue
                                                    : compounds.molecule;
  if (numbers.empty()) {
    throw InputError(std::string("the particles of the file have no ") +
                     (same_by == Selection::Same::chain ? "chains"
                      : by_residue                      ? "residues"
                                                        : "molecules") +
                     " (only " + fields_text(table) +
                     "): give a --structure FILE that has them");
  }
  return numbers;
}

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
    case Selection::Kind::keyword:
      return select_keyword(selection.values.front().text, table);
    case Selection::Kind::compare:
      return select_compared(selection, table);
    case Selection::Kind::same:
      return select_same(selection, table);
    case Selection::Kind::within:
    case Selection::Kind::beyond:
      throw InternalError("a selection by distance was evaluated without positions");
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
