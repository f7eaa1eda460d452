#include "io/formats/xyz/xyz_ipi.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

std::string unit_of(std::string_view word) {
  std::string unit = word == "atomic_unit" ? "bohr" : unit_spelling(std::string(word));
  if (!angstroms_per(unit)) {
    throw InputError("'" + std::string(word.substr(0, 40)) +
                     "' is not a known unit of length (known: atomic_unit, " +
                     length_unit_names() +
                     "): correct the line, or let i-PI write angstrom");
  }
  return unit;
}

}  // namespace

Box IpiComment::box() const {
  const LengthConversion convert("CELL", cell_unit, unit);
  return Box::from_lengths_and_angles(
      {convert(cell[0]), convert(cell[1]), convert(cell[2])},
      {cell[3], cell[4], cell[5]});
}

std::optional<IpiComment> parse_ipi_comment(std::string_view line) {
  constexpr std::string_view mark = "CELL(abcABC):";
  const std::size_t begin = line.find(mark);
  if (begin == std::string_view::npos || line.find("cell{") == std::string_view::npos) {
    return std::nullopt;
  }
  IpiComment comment;
  std::size_t count = 0;
  for (const std::string_view field : fields_of(line.substr(begin + mark.size()))) {
    const std::size_t brace = field.find('{');
    if (count < comment.cell.size()) {
      comment.cell[count++] = real_field(field, "CELL");
    } else if (brace != std::string_view::npos && field.ends_with('}')) {
      const std::string_view name = field.substr(0, brace);
      const std::string_view unit = field.substr(brace + 1, field.size() - brace - 2);
      if (name != "cell" && name != "positions" && !name.starts_with("x_centroid")) {
        throw InputError("the file has '" + std::string(field.substr(0, 40)) +
                         "', not positions: give i-PI's file of positions");
      }
      (name == "cell" ? comment.cell_unit : comment.unit) = unit_of(unit);
    }
  }
  return comment.unit.empty() ? std::nullopt : std::optional(comment);
}

}  // namespace starhist::io
