#include "io/formats/xyz/xyz_box.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

constexpr const char* line_remedy = ": give the box with --box, or correct the line";

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

/// Splits a name into words, in lower case: "box", "size" for "boxSize_2".
std::vector<std::string> parts_of(std::string_view name) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (!is_letter(name[k])) {
      continue;
    }
    const bool begins = k == 0 || !is_letter(name[k - 1]) ||
                        (is_upper(name[k]) && !is_upper(name[k - 1]));
    if (begins) {
      parts.emplace_back();
    }
    parts.back() += name[k];
  }
  for (std::string& part : parts) {
    part = lower_case(part);
  }
  return parts;
}

bool is_periodicity(const std::string& part) {
  return part.starts_with("pbc") || part.starts_with("periodic") ||
         part.starts_with("boundar");
}

bool is_cell(const std::string& part) {
  const bool other =
      part.starts_with("cellu") || part.starts_with("cello") || part == "supercell";
  return !other &&
         (part.starts_with("lattice") || part.starts_with("cell") || part == "cryst" ||
          part.starts_with("box") || part.ends_with("cell") || part.ends_with("box"));
}

template <class Is>
bool any_part(std::string_view name, Is is) {
  const auto parts = parts_of(name);
  return std::any_of(parts.begin(), parts.end(), is);
}

bool is_number(std::string_view word) {
  double value = 0.0;
  word.remove_prefix(word.starts_with('+') ? 1 : 0);
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == word.data() + word.size();
}

std::size_t numbers_in(const std::string& value) {
  const auto words = words_of(value);
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(),
                    [](const std::string& word) { return is_number(word); }));
}

[[noreturn]] void refuse_entry(const XyzEntry& entry) {
  throw InputError("'" + entry.key.substr(0, 40) + " = " + entry.value.substr(0, 60) +
                   "' is a statement about the box that is not read (Lattice and pbc "
                   "are)" +
                   line_remedy);
}

const XyzEntry* only_entry(const XyzComment& comment, const std::string& key) {
  const XyzEntry* found = nullptr;
  for (const XyzEntry& entry : comment.entries) {
    if (entry.lower_key == key) {
      if (found != nullptr) {
        throw InputError("'" + entry.key + "' stands twice" + line_remedy);
      }
      found = &entry;
    }
  }
  return found;
}

double lattice_number(const std::string& word) {
  std::string number = word;  // with Fortran's exponents
  std::replace_if(
      number.begin(), number.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  return real_field(number, "Lattice");
}

std::array<Vec3, 3> edges_of(const XyzEntry& lattice) {
  const auto words = words_of(lattice.value);
  const bool matrix = lattice.rows == 3 && words.size() == 9;
  if (lattice.rows != 0 ? !matrix : words.size() != 9 && words.size() != 3) {
    throw InputError("Lattice has " + std::to_string(words.size()) +
                     " numbers, not nine" + line_remedy);
  }
  std::vector<double> v;
  for (const std::string& word : words) {
    v.push_back(lattice_number(word));
  }
  if (v.size() == 3) {
    return {Vec3{v[0], 0, 0}, {0, v[1], 0}, {0, 0, v[2]}};
  }
  if (matrix) {
    return {Vec3{v[0], v[3], v[6]}, {v[1], v[4], v[7]}, {v[2], v[5], v[8]}};
  }
  return {Vec3{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}};
}

bool boolean_of(const std::string& text) {
  const std::string word = lower_case(text);
  const bool yes = word == "t" || word == "true" || word == "1";
  if (!yes && word != "f" && word != "false" && word != "0") {
    throw InputError("'" + text.substr(0, 40) + "' in pbc is neither T nor F" +
                     line_remedy);
  }
  return yes;
}

std::array<bool, 3> periodic_of(const XyzEntry& pbc) {
  const auto words = words_of(pbc.value);
  if (pbc.rows != 0 || (words.size() != 3 && words.size() != 1)) {
    throw InputError("pbc=\"" + pbc.value.substr(0, 40) +
                     "\" does not have three words" + line_remedy);
  }
  std::array<bool, 3> periodic{};
  for (std::size_t k = 0; k < 3; ++k) {
    periodic[k] = boolean_of(words[words.size() == 1 ? 0 : k]);
  }
  return periodic;
}

/// Throws InputError if entries other than Lattice and pbc describe a box.
void check_other_entries(const XyzComment& comment, bool has_lattice) {
  std::string single;  // keys like a, b, c with one number
  for (const XyzEntry& entry : comment.entries) {
    if (entry.lower_key == "lattice" || entry.lower_key == "pbc" ||
        entry.lower_key == "properties") {
      continue;
    }
    const std::size_t numbers = numbers_in(entry.value);
    if (any_part(entry.key, is_periodicity) ||
        (any_part(entry.key, is_cell) && numbers >= (has_lattice ? 3U : 1U))) {
      refuse_entry(entry);
    }
    single += numbers == 1 ? " " + entry.lower_key + " " : "";
  }
  for (const auto& names :
       {std::array{" a ", " b ", " c "}, {" lx ", " ly ", " lz "}}) {
    const bool all = std::all_of(names.begin(), names.end(), [&](const char* name) {
      return single.find(name) != std::string::npos;
    });
    if (all && !has_lattice) {
      throw InputError("'" + std::string(names[0] + 1) +
                       "= ' and two more look like the edges of a box, which are not "
                       "read (Lattice is)" +
                       line_remedy);
    }
  }
}

/// Whether a word is usually a key, so that its '=' is missing.
bool is_key_of_box(std::string_view word) {
  return word == "Lattice" || word == "pbc" || word == "Properties";
}

/// Returns the number of numbers, T and F that follow a word of a remark, after "(...)"
/// and ':'. `colon`: set if there is a colon.
std::size_t numbers_after(std::string_view rest, bool& colon) {
  if (!rest.empty() && (rest.front() == '(' || rest.front() == '{')) {
    const std::size_t end = rest.find(rest.front() == '(' ? ')' : '}');
    rest.remove_prefix(end == std::string_view::npos ? 0 : end + 1);
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  colon = rest.starts_with(':') || rest.starts_with('=');
  std::string text(rest.substr(colon ? 1 : 0, 400));
  std::replace_if(
      text.begin(), text.end(),
      [](char c) {
        return std::string_view("()[]{};\\\"'").find(c) != std::string_view::npos;
      },
      ' ');
  std::size_t numbers = 0;
  for (const std::string& word : words_of(text)) {
    const std::string lower = lower_case(word);
    if (is_number(word) || lower == "t" || lower == "f") {
      ++numbers;
    } else if (lower != "x" && lower != "=") {
      break;
    }
  }
  return numbers;
}

/// Whether a line consists of 3, 6 or 9 numbers that could be a box: three edges, as of
/// PLUMED, six lengths and angles, or three vectors.
bool is_bare_box(std::string_view line) {
  std::vector<double> v;
  for (const std::string& word : words_of(std::string(line))) {
    if (!is_number(word)) {
      return false;
    }
    v.push_back(std::strtod(word.c_str(), nullptr));
  }
  const auto positive = [&](std::size_t x, std::size_t y, std::size_t z) {
    return v[x] > 0.0 && v[y] > 0.0 && v[z] > 0.0;
  };
  const auto are_angles = [&] {
    return positive(3, 4, 5) && std::max({v[3], v[4], v[5]}) < 180.0;
  };
  return (v.size() == 3 && positive(0, 1, 2)) ||
         (v.size() == 6 && positive(0, 1, 2) && are_angles()) ||
         (v.size() == 9 && positive(0, 4, 8));
}

/// Throws InputError for a remark that is a box, or in which a word about boxes is
/// followed by numbers.
void check_remark(std::string_view line) {
  if (is_bare_box(line)) {
    throw InputError("the numbers '" + std::string(line.substr(0, 60)) +
                     "' in the second line look like a box, which is read only as "
                     "Lattice" +
                     line_remedy);
  }
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (!is_letter(line[k]) || (k > 0 && is_letter(line[k - 1]))) {
      continue;
    }
    std::size_t end = k;
    while (end < line.size() && (is_letter(line[end]) || line[end] == '_')) {
      ++end;
    }
    const std::string_view word = line.substr(k, end - k);
    if (!any_part(word, is_cell) && !any_part(word, is_periodicity)) {
      continue;
    }
    bool colon = false;
    const std::size_t numbers = numbers_after(line.substr(end), colon);
    if (numbers >= (colon ? 1U : 3U)) {
      throw InputError("'" + std::string(line.substr(k, 60)) +
                       "' is a statement about the box that is not read (Lattice and "
                       "pbc are)" +
                       line_remedy);
    }
  }
}

}  // namespace

void refuse_lattice_vector(std::string_view word) {
  const bool numbered = !word.empty() && std::string_view("123").find(word.back()) !=
                                             std::string_view::npos;
  const std::string_view name = word.substr(0, word.size() - (numbered ? 1 : 0));
  if (word == "Tv" || (numbered && (name == "VEC" || name == "Vector"))) {
    throw InputError("'" + std::string(word) +
                     "' is a lattice vector, which is not read here: take these lines "
                     "out (and correct the number of atoms), and give the box with "
                     "--box");
  }
}

bool is_meant_as_extended(std::string_view line) {
  constexpr std::string_view before_value = "= \t\"'{[";
  const std::string lower = lower_case(line);
  for (const std::string_view key : {"lattice", "pbc", "properties"}) {
    for (std::size_t at = lower.find(key); at != std::string::npos;
         at = lower.find(key, at + 1)) {
      const std::size_t end = at + key.size();
      if ((at == 0 || !is_letter(lower[at - 1])) && end < lower.size() &&
          before_value.find(lower[end]) != std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
}

Box xyz_box(std::string_view line, const XyzComment& comment) {
  if (!comment.problem.empty()) {
    check_remark(line);
    return {};
  }
  const XyzEntry* lattice = only_entry(comment, "lattice");
  const XyzEntry* pbc = only_entry(comment, "pbc");
  check_other_entries(comment, lattice != nullptr);
  const bool extended = is_extended(comment);
  for (const std::string& word : comment.words) {
    const bool about_box = any_part(word, is_cell) || any_part(word, is_periodicity);
    if (extended ? about_box : is_key_of_box(word) && !comment.entries.empty()) {
      throw InputError("'" + word.substr(0, 40) + "' has no '=' and no value" +
                       line_remedy);
    }
  }
  if (!extended) {
    check_remark(line);
    return {};
  }
  const std::array<bool, 3> periodic =
      pbc != nullptr ? periodic_of(*pbc) : std::array<bool, 3>{true, true, true};
  if (lattice != nullptr) {
    return Box(edges_of(*lattice), periodic);
  }
  if (pbc != nullptr && periodic != std::array<bool, 3>{}) {
    throw InputError("pbc=\"" + pbc->value.substr(0, 40) + "\" without a Lattice" +
                     line_remedy);
  }
  return {};
}

}  // namespace starhist::io
