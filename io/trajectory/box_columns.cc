#include "io/trajectory/box_columns.hh"

#include <algorithm>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

using Kind = BoxColumns::Kind;

/// A set of column names, and the index in BoxColumns::parts of each value.
struct Form {
  Kind kind;
  std::vector<std::string> names;
  std::vector<std::size_t> places;
  bool zero_is_open = false;
};

/// Returns the known forms, longer ones first: gmx energy may list box-x in addition to
/// box-xx.
const std::vector<Form>& forms() {
  static const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6, 7, 8};
  static const std::vector<std::size_t> lower{0, 4, 8, 3, 6, 7};  // xx yy zz yx zx zy
  static const std::vector<Form> known{
      {Kind::vectors,  // CP2K
       {"ax", "ay", "az", "bx", "by", "bz", "cx", "cy", "cz"},
       all},
      {Kind::vectors,  // NAMD
       {"a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "c_x", "c_y", "c_z"},
       all,
       true},
      {Kind::vectors,  // gmx energy
       {"box-xx", "box-yy", "box-zz", "box-yx", "box-zx", "box-zy"},
       lower},
      {Kind::vectors, {"xx", "yy", "zz", "yx", "zx", "zy"}, lower},  // gmx traj -ob
      // LAMMPS thermo keywords: xy is the x component of b.
      {Kind::vectors, {"lx", "ly", "lz", "xy", "xz", "yz"}, lower},
      {Kind::lengths_and_angles,
       {"a", "b", "c", "alpha", "beta", "gamma"},
       {0, 1, 2, 3, 4, 5}},
      {Kind::lengths, {"box-x", "box-y", "box-z"}, {0, 1, 2}},
      {Kind::lengths, {"lx", "ly", "lz"}, {0, 1, 2}},
      {Kind::lengths, {"a", "b", "c"}, {0, 1, 2}},
  };
  return known;
}

std::optional<std::size_t> column_of(const std::string& name,
                                     const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - names.begin()));
}

std::optional<std::size_t> column_of_any(const std::vector<std::string>& wanted,
                                         const std::vector<std::string>& names) {
  for (const std::string& name : wanted) {
    if (const auto column = column_of(name, names)) {
      return column;
    }
  }
  return std::nullopt;
}

/// Throws InputError if a name belongs to a box but not to the chosen form: parts of
/// the box would be lost.
void check_all_used(const std::vector<std::string>& names, const Form* chosen) {
  for (const Form& form : forms()) {
    std::vector<std::string> present;
    std::vector<std::string> missing;
    for (const std::string& name : form.names) {
      (column_of(name, names) ? present : missing).push_back(name);
    }
    const auto is_used = [&](const std::string& name) {
      return chosen != nullptr && column_of(name, chosen->names).has_value();
    };
    if (missing.empty() || present.size() < 3 ||
        std::all_of(present.begin(), present.end(), is_used)) {
      continue;
    }
    throw InputError("has the columns " + join(present, ", ") + " of a box, but not " +
                     join(missing, ", "));
  }
}

/// Relative tolerance of a volume: volumes and edges are printed with ten digits.
constexpr double volume_tolerance = 1e-5;

}  // namespace

std::optional<BoxColumns> named_box_columns(const std::vector<std::string>& names) {
  const auto chosen =
      std::find_if(forms().begin(), forms().end(), [&](const Form& form) {
        return std::all_of(form.names.begin(), form.names.end(),
                           [&](const std::string& name) {
                             return column_of(name, names).has_value();
                           });
      });
  check_all_used(names, chosen == forms().end() ? nullptr : &*chosen);
  if (chosen == forms().end()) {
    return std::nullopt;
  }
  BoxColumns columns;
  columns.kind = chosen->kind;
  columns.zero_is_open = chosen->zero_is_open;
  for (std::size_t k = 0; k < chosen->names.size(); ++k) {
    columns.parts[chosen->places[k]] = column_of(chosen->names[k], names);
  }
  columns.step = column_of("step", names);
  columns.time = column_of_any({"time", "t"}, names);
  columns.volume = column_of_any({"volume", "vol"}, names);
  columns.count = names.size();
  return columns;
}

std::optional<BoxColumns> counted_box_columns(std::size_t count) {
  BoxColumns columns;
  columns.count = count;
  const auto set_parts = [&](std::size_t first, std::size_t number) {
    for (std::size_t k = 0; k < number; ++k) {
      columns.parts[k] = first + k;
    }
  };
  if (count == 4 || count == 10) {
    columns.kind = count == 4 ? Kind::lengths : Kind::vectors;
    columns.time = 0;
    set_parts(1, count - 1);
  } else if (count == 12) {  // the volume identifies CP2K's columns
    columns.kind = Kind::vectors;
    columns.step = 0;
    columns.time = 1;
    set_parts(2, 9);
    columns.volume = 11;
  } else {
    return std::nullopt;
  }
  return columns;
}

Box BoxColumns::box(const std::vector<double>& numbers) const {
  std::array<double, 9> v{};
  for (std::size_t k = 0; k < parts.size(); ++k) {
    v[k] = parts[k] ? numbers[*parts[k]] : 0.0;
  }
  Box box;
  if (kind == Kind::vectors) {
    std::array<bool, 3> periodic{true, true, true};
    for (std::size_t k = 0; zero_is_open && k < 3; ++k) {
      periodic[k] = v[3 * k] != 0.0 || v[3 * k + 1] != 0.0 || v[3 * k + 2] != 0.0;
    }
    box =
        Box({Vec3{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}, periodic);
  } else if (kind == Kind::lengths) {
    box = Box::from_lengths_and_angles({v[0], v[1], v[2]}, {90.0, 90.0, 90.0});
  } else {
    box = Box::from_lengths_and_angles({v[0], v[1], v[2]}, {v[3], v[4], v[5]});
  }
  if (volume && std::abs(box.volume() - numbers[*volume]) >
                    volume_tolerance * std::abs(box.volume())) {
    throw InputError("has the volume " + number_text(numbers[*volume]) +
                     ", but its box has " + number_text(box.volume()));
  }
  return box;
}

}  // namespace starhist::io
