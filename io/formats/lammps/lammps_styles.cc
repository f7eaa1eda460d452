#include "io/formats/lammps/lammps_styles.hh"

#include <algorithm>
#include <array>
#include <vector>

#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

const std::vector<AtomStyle>& atom_styles() {
  static const std::vector<AtomStyle> styles{
      {"angle", 2, 1, 3, 6},
      {"atomic", 1, {}, 2, 5},
      {"body", 1, {}, 4, 7},
      {"bond", 2, 1, 3, 6},
      {"bpm/sphere", 2, 1, 5, 8},
      {"charge", 1, {}, 3, 6, 2},
      {"dielectric", 2, 1, 4, 15, 3},
      {"dipole", 1, {}, 3, 9, 2},
      {"dpd", 1, {}, 3, 6},
      {"edpd", 1, {}, 4, 7},
      {"electron", 1, {}, 5, 8, 2},
      {"ellipsoid", 1, {}, 4, 7},
      {"full", 2, 1, 4, 7, 3},
      {"hybrid", 1, {}, 2},
      {"line", 2, 1, 5, 8},
      {"mdpd", 1, {}, 3, 6},
      {"mesont", 2, 1, 9, 12},
      {"molecular", 2, 1, 3, 6},
      {"peri", 1, {}, 4, 7},
      {"rheo", 1, {}, 4, 7},
      {"rheo/thermal", 1, {}, 5, 8},
      {"smd", 1, 2, 10, 13},
      {"sph", 1, {}, 5, 8},
      {"sphere", 1, {}, 4, 7},
      {"spin", 1, {}, 2, 9},
      {"tdpd", 1, {}, 2},
      {"template", 4, 1, 5, 8},
      {"tri", 2, 1, 5, 8},
      {"wavepacket", 1, {}, 8, 11, 2},
  };
  return styles;
}

}  // namespace

std::optional<AtomStyle> find_atom_style(std::string_view name) {
  if (constexpr std::string_view kokkos = "/kk"; name.ends_with(kokkos)) {
    name.remove_suffix(kokkos.size());
  }
  for (const AtomStyle& style : atom_styles()) {
    if (style.name == name) {
      return style;
    }
  }
  return std::nullopt;
}

std::string atom_style_names() {
  std::vector<std::string> names;
  for (const AtomStyle& style : atom_styles()) {
    names.push_back(style.name);
  }
  return join(names, ", ");
}

std::optional<AtomStyle> guess_atom_style(const AtomLines& lines) {
  // A line has id, optional molecule, type, columns of the style, x y z, and optional
  // images.
  constexpr std::size_t images = 3;
  constexpr std::size_t fewest = 5;
  constexpr std::size_t most = 7;
  std::size_t columns = lines.columns;
  if (columns > most && lines.images_at_end) {
    columns -= images;
  }
  if (columns < fewest || columns > most) {
    return std::nullopt;
  }
  constexpr std::array<std::array<const char*, 2>, 3> names{
      {{"atomic", "atomic"}, {"charge", "molecular"}, {"sphere", "full"}}};
  return find_atom_style(names[columns - fewest][lines.types_in_third ? 1 : 0]);
}

}  // namespace starhist::io
