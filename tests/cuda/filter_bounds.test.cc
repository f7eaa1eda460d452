// Candidates certified by the tensor cores are correct for all errors of displacement,
// square and root within their bounds. Needs no GPU.
#include "codelets/kernels/cuda/filter/filter_bounds.hh"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr double unit = 0x1p-24;
constexpr double displacement_error = 1e-12;  // in bins

/// The largest float not above v, and the smallest not below it.
float rounded_down(double v) {
  const auto f = static_cast<float>(v);
  return static_cast<double>(f) > v ? std::nextafter(f, 0.0F) : f;
}
float rounded_up(double v) {
  const auto f = static_cast<float>(v);
  return static_cast<double>(f) < v ? std::nextafter(f, 1e30F) : f;
}

/// Errors as fractions [-1, 1] of the allowed ones.
struct Errors {
  double displacement;
  double square;
  bool too_short;  ///< the root has the largest negative error; otherwise positive
};

/// The float that a GPU could compute for a distance of `s` bins.
float fast_distance(const kernels::cuda::FastScale& scale, double s, double radius,
                    const Errors& errors, const kernels::cuda::ErrorBounds& root) {
  constexpr double roundings = 64.0 * 0x1p-53;
  const double longer = scale.coordinate_scale / kernels::cuda::tensor_core_scale;
  const double moved = s + errors.displacement * displacement_error;
  const double square = moved * moved + errors.square * roundings * radius * radius;
  const double exact =
      std::sqrt(static_cast<double>(rounded_down(longer * longer * square)));
  return errors.too_short ? rounded_up(exact / (1.0 + root.more * unit))
                          : rounded_down(exact / (1.0 - root.less * unit));
}

/// Candidate of a fast distance, computed like certificate.cuh, or -1 if ambiguous;
/// products of floats are exact in double.
double certified_candidate(const kernels::cuda::FastScale& scale, float s) {
  const auto fast = static_cast<double>(s);
  const double low = std::floor(fast * static_cast<double>(scale.low));
  const double high = std::floor(fast * static_cast<double>(scale.high));
  return low == high && low >= static_cast<double>(scale.certified_start) ? low : -1.0;
}

/// The bin of a distance of `s` bins by the counting contract.
double bin_of(double s) {
  return std::floor(s + 0x1p-30);
}

/// Tries distances near edges, half of these soon after the start. Returns the number
/// of certified ones, or -1 after a wrong one.
int certified_beside_edges(Random& random, const kernels::cuda::FastScale& scale,
                           std::uint32_t count, double radius,
                           const kernels::cuda::ErrorBounds& root) {
  const auto start = static_cast<std::uint32_t>(scale.certified_start);
  const auto share = [&] {
    return random.chance(0.5) ? (random.chance(0.5) ? 1.0 : -1.0)
                              : random.uniform(-1.0, 1.0);
  };
  int certified = 0;
  for (int k = 0; k < 200'000; ++k) {
    const std::uint64_t edge = random.chance(0.5)
                                   ? 1U + random.below(count)
                                   : 1U + start + random.below(start + 9U);
    const double whole = static_cast<double>(edge);
    const double s = random.chance(0.2)
                         ? whole - random.uniform(-1.0, 3.0) * 0x1p-30
                         : whole * (1.0 + random.uniform(-12.0, 12.0) * unit);
    const double of_displacement = share();
    const double of_square = share();
    const float fast = fast_distance(
        scale, s, radius, {of_displacement, of_square, random.chance(0.5)}, root);
    const double candidate = certified_candidate(scale, fast);
    if (candidate >= 0.0 && candidate != bin_of(s)) {
      UNSCOPED_INFO(count << " bins, " << s << " taken for " << fast);
      return -1;
    }
    certified += candidate >= 0.0 ? 1 : 0;
  }
  return certified;
}

TEST_CASE("candidates certified by tensor cores are correct at the edges") {
  Random random(95);
  for (const int capability : {90, 80}) {
    const kernels::cuda::ApproximationErrors errors =
        kernels::cuda::approximation_errors(capability);
    for (const std::uint32_t count : {100U, 3000U, 10'000U, 51'000U}) {
      const double radius = random.uniform(1.0, 4.0) * count;
      const UniformBins bins{1.0, static_cast<double>(count), count, 0};
      const auto scale =
          kernels::cuda::tensor_scale(bins, radius, displacement_error, errors);
      REQUIRE(scale);
      INFO("capability " << capability);
      CHECK(certified_beside_edges(random, *scale, count, radius, errors.root) >
            50'000);
    }
  }
}

TEST_CASE("few distances are ambiguous with 10 000 bins") {
  constexpr std::uint32_t count = 10'000;
  const UniformBins bins{1.0, static_cast<double>(count), count, 0};
  const auto scale = kernels::cuda::tensor_scale(
      bins, 3.0 * count, displacement_error, kernels::cuda::approximation_errors(90));
  REQUIRE(scale);
  // Root and truncation contribute 3.94 roundoffs.
  CHECK(static_cast<double>(scale->high - scale->low) <= 4.0 * unit);
  CHECK(scale->certified_start < 0.02F * count);
}

/// Candidate of a distance of `s` bins, computed like QuantisedCertificate from a
/// square with an error of `steps_off` steps, or -1 if ambiguous.
double candidate_from_quantised(const kernels::cuda::QuantisedSquares& steps, double s,
                                double steps_off, bool too_short,
                                const kernels::cuda::ErrorBounds& root) {
  const double square = std::nearbyint(s * s * steps.per_square + steps_off);
  constexpr std::int64_t shift = std::int64_t{3} << 51;  // 1.5 * 2^52
  const auto bits = shift + static_cast<std::int64_t>(square) + steps.error;
  const auto without_last_bits = static_cast<std::uint32_t>(bits >> steps.root_shift);
  const double exact =
      std::sqrt(static_cast<double>(static_cast<float>(without_last_bits)));
  const float fast = too_short ? rounded_up(exact / (1.0 + root.more * unit))
                               : rounded_down(exact / (1.0 - root.less * unit));
  const double edge =
      std::nearbyint(static_cast<double>(fast) * static_cast<double>(steps.root_scale));
  const auto k = static_cast<std::uint32_t>(edge);
  const std::uint32_t difference =
      static_cast<std::uint32_t>(bits) - k * k * steps.per_square;
  if (difference <= 2U * steps.error) {
    return -1.0;
  }
  return difference >= 1U << 31U ? edge - 1.0 : edge;
}

TEST_CASE("no root is taken of squares with too few steps") {
  for (const std::uint32_t count : {3U, 100U, 300'000U}) {
    const UniformBins bins{1.0, static_cast<double>(count), count, 0};
    const auto scale = kernels::cuda::edge_scale(
        bins, 3.0 * count, displacement_error, kernels::cuda::approximation_errors(90));
    REQUIRE(scale);
    CHECK(scale->quantised.widest_clusters == 0.0F);
  }
}

TEST_CASE("candidates from quantised squares are correct at edges and out of range") {
  Random random(96);
  for (const std::uint32_t count : {51'560U, 65'535U, 131'071U, 200'000U, 206'111U}) {
    INFO(count << " bins");
    const kernels::cuda::ApproximationErrors errors =
        kernels::cuda::approximation_errors(random.chance(0.5) ? 90 : 80);
    const UniformBins bins{1.0, static_cast<double>(count), count, 0};
    const auto scale =
        kernels::cuda::edge_scale(bins, 3.0 * count, displacement_error, errors);
    REQUIRE(scale);
    const kernels::cuda::QuantisedSquares& steps = scale->quantised;
    const double start = steps.root_start;
    CHECK(start < 0.004 * count);
    CHECK(start >= static_cast<double>(scale->certified_start));
    // Error of the arithmetic in steps, without the shift of edges.
    const double n = count + 1.0;
    const double arithmetic =
        12.0 +
        steps.per_square * (64.0 * 0x1p-53 * 9.0 * count * static_cast<double>(count) +
                            2.0 * n * displacement_error + 32.0 * 0x1p-53 * n * n);
    constexpr double roundings = 0.5;  // of the simulated error
    int certified = 0;
    int wrong = 0;
    constexpr int samples = 300'000;
    for (int sample = 0; sample < samples; ++sample) {
      const std::uint64_t beyond_start =
          random.below(random.chance(0.3) ? 50U : 3U * count);
      const double near = start + static_cast<double>(beyond_start);
      const double edge_off = random.chance(0.3)   ? random.uniform(-1e-6, 1e-6)
                              : random.chance(0.3) ? random.uniform(-3.0, 1.0) * 0x1p-30
                                                   : random.uniform(-0.5, 0.5);
      const double s = std::max(start, near + edge_off);
      const double off = random.chance(0.5) ? random.uniform(-1.0, 1.0)
                                            : (random.chance(0.5) ? 1.0 : -1.0);
      const double candidate = candidate_from_quantised(
          steps, s, off * (arithmetic - roundings), random.chance(0.5), errors.root);
      certified += candidate >= 0.0 ? 1 : 0;
      const auto cut = [&](double bin) { return std::min(bin, double(count)); };
      wrong += candidate >= 0.0 && cut(candidate) != cut(bin_of(s)) ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(certified > samples * 0.6);
  }
}

}  // namespace
}  // namespace starhist::testing
