#include "codelets/core/counting/layout_text.hh"

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/species_pair.hh"

namespace starhist {

std::vector<std::string> pair_names(const HistogramLayout& layout) {
  std::vector<std::string> names;
  for (const SpeciesPair& pair : layout.pairs) {
    names.push_back(pair_name(pair, layout.species));
  }
  return names;
}

std::string bins_text(const UniformBins& bins) {
  if (!bins.uniform()) {
    std::string edges;
    for (std::uint32_t k = 0; k <= bins.count; ++k) {
      edges += (k == 0 ? "" : ", ") + number_text(bins.edge(k));
    }
    return std::to_string(bins.count) + " bins between the edges " + edges;
  }
  return std::to_string(bins.count) + " bins " +
         (bins.below > 0 ? "from " + number_text(bins.r_min()) + " " : "") + "up to " +
         number_text(bins.r_max);
}

std::string second_axis_text(const std::optional<SecondAxis>& axis) {
  return axis ? to_string(*axis) + " in " + std::to_string(axis->count) + " bins" +
                    (axis->along_normal() ? " up to " + number_text(axis->limit) : "")
              : "no second axis";
}

std::string plane_text(Plane plane) {
  return plane == Plane::none ? "distances in space"
                              : "distances in the plane " + to_string(plane);
}

}  // namespace starhist
