#include "driver/report/particle_summary.hh"

#include <algorithm>

#include "codelets/core/base/text.hh"
#include "io/particles/particle_field.hh"
#include "io/particles/particle_units.hh"

namespace starhist {
namespace {

std::string count_of(const std::vector<std::uint32_t>& units, const std::string& kind) {
  const auto most = std::max_element(units.begin(), units.end());
  const std::uint64_t count = most == units.end() ? 0 : std::uint64_t{*most} + 1;
  return std::to_string(count) + " " + kind + (count == 1 ? "" : "s") + ", ";
}

}  // namespace

std::string particle_summary(const ParticleTable& table) {
  const ParticleUnits units(table);
  std::string text;
  const auto add = [&](const std::string& line) {
    text += (text.empty() ? "select by    " : "             ") + line + "\n";
  };
  for (std::size_t k = 0; k <= column_fields; ++k) {
    const ParticleField field = column_field(k);
    // The species have a line of their own in front of these.
    if (field == ParticleField::species || !has_field(table, field)) {
      continue;
    }
    const std::string count =
        field == ParticleField::residue    ? count_of(units.residue, "residue")
        : field == ParticleField::molecule ? count_of(units.molecule, "molecule")
                                           : "";
    add(word_of(field) + ": " + count + values_text(table, field));
  }
  if (!table.mass.empty()) {
    const auto [low, high] = std::minmax_element(table.mass.begin(), table.mass.end());
    add("masses " + number_text(*low) + " .. " + number_text(*high) +
        ", for centres of mass");
  }
  return text;
}

}  // namespace starhist
