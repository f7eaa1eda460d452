#include "io/formats/lammps/lammps_box.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

enum class Kind { orthogonal, tilted, general };

using Rows = std::array<std::array<double, 4>, 3>;

bool is_flag(std::string_view word) {
  constexpr std::string_view letters = "pfsm";
  return word.size() == 2 && letters.find(word[0]) != std::string_view::npos &&
         letters.find(word[1]) != std::string_view::npos &&
         (word[0] == 'p') == (word[1] == 'p');
}

[[noreturn]] void refuse_heading(std::string_view heading) {
  std::string known;
  for (const std::string_view word : fields_of(heading)) {
    known += (known.empty() ? "" : " ") + std::string(word);
  }
  throw InputError(
      "the heading 'BOX BOUNDS " + known.substr(0, 60) +
      "' is not one of LAMMPS' (BOX BOUNDS, optionally xy xz yz or abc origin, then pp "
      "pp pp or other pairs of p, f, s, m, in this order): correct it if you know the "
      "meaning of the numbers, or give the box with --box");
}

Kind take_heading(std::string_view heading, std::array<bool, 3>& periodic) {
  std::vector<std::string_view> words = fields_of(heading);
  const auto take = [&words](std::initializer_list<std::string_view> names) {
    const bool found = words.size() >= names.size() &&
                       std::equal(names.begin(), names.end(), words.begin());
    if (found) {
      words.erase(words.begin(),
                  words.begin() + static_cast<std::ptrdiff_t>(names.size()));
    }
    return found;
  };
  const Kind kind = take({"xy", "xz", "yz"})  ? Kind::tilted
                    : take({"abc", "origin"}) ? Kind::general
                                              : Kind::orthogonal;
  periodic = {true, true, true};
  if (words.empty() && kind != Kind::general) {
    return kind;
  }
  if (words.size() != 3 || !std::all_of(words.begin(), words.end(), is_flag)) {
    refuse_heading(heading);
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    periodic[axis] = words[axis] == "pp";
  }
  return kind;
}

Rows numbers_of(const std::vector<std::string>& rows, std::size_t count) {
  Rows numbers{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto fields = fields_of(rows[axis]);
    if (fields.size() != count) {
      throw InputError("the box has " + std::to_string(fields.size()) +
                       " numbers per line ('" + rows[axis].substr(0, 60) +
                       "'), but its heading requires " + std::to_string(count) +
                       ": correct the file, or give the box with --box");
    }
    for (std::size_t k = 0; k < count; ++k) {
      numbers[axis][k] = real_field(fields[k], "box");
    }
  }
  return numbers;
}

void check_bounds(double low, double high) {
  if (high < low) {
    throw InputError("the box ends before it begins (from " + std::to_string(low) +
                     " to " + std::to_string(high) +
                     "): correct the file, or pass the box with --box");
  }
}

}  // namespace

LammpsBox lammps_box(std::string_view heading, const std::vector<std::string>& rows) {
  LammpsBox box;
  const Kind kind = take_heading(heading, box.periodic);
  if (kind == Kind::general) {
    const Rows row = numbers_of(rows, 4);
    for (std::size_t k = 0; k < 3; ++k) {
      box.edges[k] = {row[k][0], row[k][1], row[k][2]};
    }
    box.origin = {row[0][3], row[1][3], row[2][3]};
    return box;
  }
  const Rows row = numbers_of(rows, kind == Kind::tilted ? 3 : 2);
  // The bounds belong to the box around the tilted cell (LAMMPS manual, Howto
  // triclinic).
  const double xy = row[0][2];
  const double xz = row[1][2];
  const double yz = row[2][2];
  const double x_low = row[0][0] - std::min({0.0, xy, xz, xy + xz});
  const double x_high = row[0][1] - std::max({0.0, xy, xz, xy + xz});
  const double y_low = row[1][0] - std::min(0.0, yz);
  const double y_high = row[1][1] - std::max(0.0, yz);
  check_bounds(x_low, x_high);
  check_bounds(y_low, y_high);
  check_bounds(row[2][0], row[2][1]);
  box.origin = {x_low, y_low, row[2][0]};
  box.edges = {Vec3{x_high - x_low, 0.0, 0.0},
               {xy, y_high - y_low, 0.0},
               {xz, yz, row[2][1] - row[2][0]}};
  return box;
}

}  // namespace starhist::io
