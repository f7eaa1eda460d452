#include "codelets/kernels/cuda/trust.hh"

#include <cmath>

// README.md derives the bounds.

namespace starhist::cuda {
namespace {

constexpr double unit = 0x1p-24;         // roundoff of float
constexpr double double_unit = 0x1p-53;  // roundoff of double

/// Nothing unless most pairs can be trusted and every bin has a place.
std::optional<Trust> make_trust(double relative, double absolute,
                                const UniformBins& bins) {
  constexpr std::uint32_t most_bins = (1U << 22U) - 2U;
  constexpr double most_doubt = 0.2;
  constexpr double roundings_of_judge = 4.0 * unit;
  relative *= 1.001;
  absolute = 1.001 * absolute + roundings_of_judge;
  if (bins.count > most_bins || !(relative * bins.count + absolute < most_doubt)) {
    return std::nullopt;
  }
  return Trust{
      std::nextafter(static_cast<float>(relative), 1.0F),
      std::nextafter(static_cast<float>(0.5 - absolute - 0.5 * relative), 0.0F)};
}

}  // namespace

std::optional<FastScale> tensor_scale(const UniformBins& bins, const Bounds& bounds) {
  const double radius = 0.5 * bounds.diameter() * bins.inverse_width;
  // An error d of the squared distance is one of d / (2 s) of the distance s, so of
  // d / (2 s^2) relative to it.
  const double of_square = 64.0 * double_unit * radius * radius;
  const double of_scaling = 16.0 * double_unit * radius + 1e-12;
  constexpr double first_edge = 0.9;  // below 1, whatever the error
  constexpr double small = 2.0 * unit;
  FastScale scale;
  scale.doubt_start = of_square / (2.0 * first_edge * first_edge) > small;
  const double from = scale.doubt_start ? 0.9 * certified_start : first_edge;
  const double error =
      1.001 * (3.0 * unit + of_square / (2.0 * from * from) + of_scaling / from);
  constexpr double most_of_square = 0.01;
  constexpr double most_bins = (1U << 22U) - 2U;
  constexpr double most_doubt = 0.2;
  if (!(of_square < most_of_square) || bins.count > most_bins ||
      !(error * bins.count < most_doubt)) {
    return std::nullopt;
  }
  scale.low = std::nextafter(static_cast<float>(1.0 - error), 0.0F);
  scale.high = std::nextafter(static_cast<float>(1.0 + error), 2.0F);
  return scale;
}

std::optional<FastScale> lattice_scale(const FixedLattice& lattice,
                                       const UniformBins& bins) {
  if (!lattice.usable) {
    return std::nullopt;
  }
  FastScale out;
  // The root, or for Metric::searched its inverse times the square.
  const double root = lattice.metric == Metric::searched ? 3.3 : 2.0;
  double relative = static_cast<double>(lattice.fast.error_rel) + root * unit;
  double absolute = lattice.fast.error_abs;
  if (lattice.metric == Metric::isotropic || lattice.metric == Metric::diagonal) {
    // Rows are 2^-32 times the edges, in bins.
    const double x = 0x1p32 * static_cast<double>(lattice.fast.row[0]);
    const double y = 0x1p32 * static_cast<double>(lattice.fast.row[2]);
    const double z = 0x1p32 * static_cast<double>(lattice.fast.row[5]);
    absolute += 0x1p-24 * std::sqrt(x * x + y * y + z * z);
    relative = (lattice.metric == Metric::isotropic ? 4.6 : 5.6) * unit;
  }
  if (lattice.metric == Metric::isotropic) {
    out.scale = 256.0F * lattice.fast.row[0];
  }
  const auto trust = make_trust(relative, absolute, bins);
  if (!trust) {
    return std::nullopt;
  }
  out.trust = *trust;
  return out;
}

}  // namespace starhist::cuda
