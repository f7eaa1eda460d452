#include "driver/capi/second_axis_rules.hh"

#include <cmath>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/species_pair.hh"
#include "driver/capi/call.hh"

namespace starhist::capi {
namespace {

const std::string separations[3] = {"STARHIST_SEPARATION_X", "STARHIST_SEPARATION_Y",
                                    "STARHIST_SEPARATION_Z"};

[[noreturn]] void refuse(const std::string& problem) {
  throw CallError(STARHIST_WRONG_STATE, problem);
}

}  // namespace

SecondAxis make_second_axis(int quantity, std::uint32_t bins, double limit) {
  const auto refuse_argument = [](const std::string& problem) {
    throw CallError(STARHIST_BAD_ARGUMENT, problem);
  };
  if (quantity < STARHIST_COSINE_X || quantity > STARHIST_SEPARATION_Z) {
    refuse_argument("quantity " + std::to_string(quantity) +
                    " of the second axis is unknown (see starhist_second_axis)");
  }
  if (bins > most_second_bins) {
    refuse_argument(std::to_string(bins) +
                    " bins of the second axis are too many (at "
                    "most " +
                    std::to_string(most_second_bins) + ")");
  }
  if (!std::isfinite(limit) || limit < 0.0) {
    refuse_argument("the limit of the second axis is " + number_text(limit) +
                    " (it must be finite and above 0, or 0 for the default)");
  }
  SecondAxis axis;
  axis.kind = quantity < STARHIST_SEPARATION_X ? SecondAxis::Kind::cosine
                                               : SecondAxis::Kind::component;
  axis.axis = (quantity - STARHIST_COSINE_X) % 3;
  axis.count = bins == 0 ? default_second_bins(axis.kind) : bins;
  axis.limit = limit;
  return axis;
}

int quantity_of(const SecondAxis& axis) {
  return axis.axis + (axis.kind == SecondAxis::Kind::cosine ? STARHIST_COSINE_X
                                                            : STARHIST_SEPARATION_X);
}

void check_plane(const SecondAxis& axis, Plane plane) {
  if (plane == Plane::none) {
    if (axis.limit > 0.0) {
      refuse("in space the second axis " + to_string(axis) +
             " has a fixed range, without a limit (pass 0, or call starhist_set_plane "
             "before)");
    }
    return;
  }
  const std::size_t normal = normal_axis(plane);
  if (axis.kind == SecondAxis::Kind::cosine) {
    refuse("cosines need distances in space, not in the plane " + to_string(plane) +
           " (set " + separations[normal] +
           ", the separation along its normal, or "
           "STARHIST_SPACE)");
  }
  if (axis.axis != static_cast<int>(normal)) {
    refuse("the second axis " + to_string(axis) + " lies in the plane " +
           to_string(plane) + ", whose normal is " + "xyz"[normal] + " (set " +
           separations[normal] + ")");
  }
}

void check_pair_order(const SecondAxis& axis, const std::string& pairs,
                      const std::vector<std::string>& species) {
  if (axis.kind != SecondAxis::Kind::cosine || pairs.empty()) {
    return;
  }
  for (const CentredPair& asked : parse_centred_pairs(pairs, species)) {
    if (asked.reversed) {
      const std::string& first = species[asked.pair.first.index()];
      refuse("cosines of the pair " + centred_name(asked, species) + " start at " +
             first + ", which starhist_set_species names first (name the pair " +
             pair_name(asked.pair, species) + ", or the species in the other order)");
    }
  }
}

SecondAxis with_range(SecondAxis axis, double period) {
  if (!(axis.limit > 0.0)) {
    if (!(period > 0.0)) {
      throw CallError(STARHIST_BAD_BOX,
                      "the box is not periodic along the normal of the plane, so that "
                      "the second axis " +
                          to_string(axis) +
                          " has no default range "
                          "(pass a limit to starhist_set_second_axis)");
    }
    axis.limit = 0.5 * period;
  }
  return axis;
}

}  // namespace starhist::capi
