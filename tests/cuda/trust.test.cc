// Places that the certificate of the tensor cores calls certain are right, however
// wrong displacement, square and root are within their bounds. Needs no GPU.
#include "codelets/kernels/cuda/trust.hh"

#include <cmath>

#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr double unit = 0x1p-24;
constexpr double displacement_error = 1e-9;  // in bins
constexpr double most_of_square = 64.0 * 0x1p-53;

/// The largest float that is not above.
float rounded_down(double v) {
  const auto f = static_cast<float>(v);
  return static_cast<double>(f) > v ? std::nextafter(f, 0.0F) : f;
}

/// The float that a GPU could take for a distance of `s` bins, as far off as can be:
/// errors of -1 to 1 times what is allowed, roots that are `less` or more than the
/// true.
float fast_distance(const cuda::FastScale& scale, double s, double radius, double error,
                    bool less, const cuda::ErrorBounds& root) {
  const double longer = scale.unit / cuda::tensor_unit;
  const double moved = s + error * displacement_error;
  const double square =
      longer * longer * (moved * moved + error * most_of_square * radius * radius);
  const double exact = std::sqrt(static_cast<double>(rounded_down(square)));
  const float low = rounded_down(exact / (1.0 - root.less * unit));  // too large
  const double least = exact / (1.0 + root.more * unit);             // too small
  const float high = rounded_down(least);
  return less ? (static_cast<double>(high) < least ? std::nextafter(high, 1e30F) : high)
              : low;
}

/// The place of a fast distance as certificate.cuh finds it, or -1 where in doubt;
/// products of floats are exact in double.
double certain_place(const cuda::FastScale& scale, float s) {
  const auto fast = static_cast<double>(s);
  const double low = std::floor(fast * static_cast<double>(scale.low));
  const double high = std::floor(fast * static_cast<double>(scale.high));
  return low == high && low >= static_cast<double>(scale.certified_start) ? low : -1.0;
}

TEST_CASE("places that tensor cores are certain of are right at the edges") {
  Random random(95);
  int certain = 0;
  for (const int capability : {90, 80}) {
    const cuda::ApproximationErrors errors = cuda::approximation_errors(capability);
    for (const std::uint32_t count : {100U, 3000U, 10'000U, 51'000U}) {
      const double radius = random.uniform(1.0, 4.0) * count;
      const UniformBins bins{1.0, static_cast<double>(count), count, 0};
      const auto scale = cuda::tensor_scale(bins, radius, displacement_error, errors);
      REQUIRE(scale);
      for (int k = 0; k < 200'000; ++k) {
        const auto edge = static_cast<double>(1U + random.below(count));
        const double s = edge * (1.0 + random.uniform(-12.0, 12.0) * unit);
        const float fast = fast_distance(*scale, s, radius, random.uniform(-1.0, 1.0),
                                         random.chance(0.5), errors.root);
        const double place = certain_place(*scale, fast);
        if (place >= 0.0) {
          ++certain;
          if (place != std::floor(s)) {
            INFO("capability " << capability << ", " << count << " bins, " << s
                               << " taken for " << fast);
            CHECK(place == std::floor(s));
          }
        }
      }
    }
  }
  CHECK(certain > 500'000);
}

TEST_CASE("few distances are in doubt with 10 000 bins") {
  constexpr std::uint32_t count = 10'000;
  const UniformBins bins{1.0, static_cast<double>(count), count, 0};
  const auto scale = cuda::tensor_scale(bins, 3.0 * count, displacement_error,
                                        cuda::approximation_errors(90));
  REQUIRE(scale);
  // Roots and truncation take 3.94 roundoffs.
  CHECK(static_cast<double>(scale->high - scale->low) <= 4.0 * unit);
  CHECK(scale->certified_start < 0.02F * count);
}

}  // namespace
}  // namespace starhist::testing
