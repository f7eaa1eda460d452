// Error bounds of pairs of clusters on CPUs against their formulas, implemented again
// from docs/explanation/certified-counts.md, "Clusters on CPUs".
#include "codelets/kernels/error_bounds/image_errors.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "codelets/kernels/fixed_point/fixed_lattice.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using kernels::ClusterExtent;
using kernels::NearImages;

constexpr double u = 0x1p-24;

/// Half the unit in the last place of a float of magnitude x.
double half_ulp(double x) {
  return x == 0.0 ? 0.0 : std::ldexp(0.5, std::ilogb(x) - 23);
}

/// True if `bound` is at least `exact`, and at most 2 per mille larger.
bool is_tight(double bound, double exact) {
  return bound >= exact && bound <= 1.002 * exact;
}

double square(double x) {
  return x * x;
}

struct Problem {
  ClusterExtent a;
  ClusterExtent b;
  double lattice_error = 0.0;
  NearImages images;

  explicit Problem(Random& random) {
    const double size = random.log_uniform(0.05, 300.0);
    a = extent(random, size);
    b = extent(random, size);
    lattice_error = random.log_uniform(1e-9, 1e-3);
    images.count = 1 + static_cast<int>(random.below(NearImages::most));
    const double range = random.log_uniform(1.0, 3e6);
    for (int k = 0; k < images.count; ++k) {
      for (double& component : images.shift[k]) {
        component = random.uniform(-range, range);
      }
    }
  }

  /// Not next to a power of two, where an ulp doubles.
  static ClusterExtent extent(Random& random, double size) {
    ClusterExtent extent;
    const auto radius = static_cast<float>(random.uniform(0.5, 1.0) * size);
    extent.radius = radius;
    for (float& along : extent.along) {
      do {
        along = static_cast<float>(random.uniform(0.1, 1.0)) * radius;
      } while (half_ulp(along) != half_ulp(1.0001 * static_cast<double>(along)));
    }
    return extent;
  }
};

/// Values of the formulas.
struct Expected {
  double nearest = 1e300;  ///< of all pairs and images [bins]
  double farthest = 0.0;
  std::array<double, 3> row{};  ///< |row + shift| along each axis

  explicit Expected(const Problem& problem) {
    const double spread =
        static_cast<double>(problem.a.radius) + static_cast<double>(problem.b.radius);
    for (int k = 0; k < problem.images.count; ++k) {
      const double(&s)[3] = problem.images.shift[k];
      const double centres = std::sqrt(square(s[0]) + square(s[1]) + square(s[2]));
      nearest = std::min(nearest, centres - spread);
      farthest = std::max(farthest, centres + spread);
      for (std::size_t i = 0; i < 3; ++i) {
        row[i] =
            std::max(row[i], std::abs(s[i]) + static_cast<double>(problem.a.along[i]));
      }
    }
    nearest = std::max(nearest, 0.0);
  }
};

/// Error of rows: c_0 without e_lat^2. Axes in the order of summation.
double row_error(const std::array<double, 3>& row,
                 const std::array<double, 3>& column) {
  double product = 0.0;
  double rest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    product += half_ulp(row[i]) * column[i];
    rest += half_ulp(row[i]) * row[i];
  }
  const double first = square(row[0] + column[0]) + 2.0 * rest;
  return 2.0 * product + half_ulp(first) + half_ulp(first + square(row[1] + column[1]));
}

/// True if a number that is one per mille larger has the same ulp.
bool is_clear(double x) {
  return half_ulp(x) == half_ulp(1.001 * x);
}

TEST_CASE("image errors: bounds equal the formulas up to a small excess") {
  Random random(11);
  int with_residuals = 0;
  int refused = 0;
  for (int k = 0; k < 20'000; ++k) {
    INFO("problem " << k);
    Problem problem(random);
    NearImages& images = problem.images;
    const Expected expected(problem);
    const double lattice = problem.lattice_error;
    const auto radius = static_cast<double>(problem.b.radius);
    const bool usable = set_errors(problem.a, problem.b, lattice, images);

    const double error_abs = lattice + 2.0 * u * radius;
    CHECK(is_tight(static_cast<double>(images.error_rel), 3.5 * u));
    CHECK(is_tight(static_cast<double>(images.error_abs), error_abs));

    // Squares are added from the smallest component to the largest.
    std::array<int, 3> axes{0, 1, 2};
    std::array<double, 3> reach{};
    for (std::size_t i = 0; i < 3; ++i) {
      reach[i] = expected.row[i] + static_cast<double>(problem.b.along[i]);
    }
    std::sort(axes.begin(), axes.end(), [&](int i, int j) {
      return reach[static_cast<std::size_t>(i)] < reach[static_cast<std::size_t>(j)];
    });
    std::array<double, 3> row{};
    std::array<double, 3> column{};
    double column2 = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(images.axes[i] == axes[i]);
      const auto axis = static_cast<std::size_t>(axes[i]);
      CHECK(images.column[i] == problem.b.along[axis]);
      row[i] = expected.row[axis];
      column[i] = static_cast<double>(problem.b.along[axis]);
      column2 += square(half_ulp(column[i]));
    }

    const double c1 = 2.0 * lattice + 2.0 * std::sqrt(column2);
    CHECK(is_tight(static_cast<double>(images.square_error), square(lattice)));
    CHECK(is_tight(static_cast<double>(images.square_error_linear), c1));
    CHECK(is_tight(static_cast<double>(images.square_error_square), 3.0 * u));
    const double farthest2 = square(expected.farthest + 1.0);
    if (is_clear(farthest2)) {
      CHECK(is_tight(static_cast<double>(images.square_error_unfused),
                     4.0 * half_ulp(farthest2)));
    }

    // If a decision depends on the last per mille, either is correct.
    const double c0 = square(lattice) + row_error(row, column);
    const auto better = [&](double d) { return c0 + d * (c1 + 3.0 * u * d); };
    const auto plain = [&](double d) {
      return d * (2.0 * error_abs + square(error_abs) + 14.0 * u + 7.0 * u * d);
    };
    const double first_edge = std::max(1.0, std::floor(expected.nearest - 1.0));
    const double middle = 0.5 * (first_edge + expected.farthest);
    const double spared = (plain(middle) - better(middle)) / middle;
    const auto ambiguity_at = [&](double d) { return better(d) / (2.0 * d); };
    const double worst =
        std::max(ambiguity_at(first_edge), ambiguity_at(expected.farthest));
    const auto near = [](double x, double limit) {
      return std::abs(x - limit) < 0.02 * limit;
    };
    if (!near(spared, 0.005) && !near(expected.nearest, 2.0) &&
        !near(worst, kernels::largest_ambiguity)) {
      CHECK(images.with_residuals == (expected.nearest >= 2.0 && spared > 0.005 &&
                                      worst < kernels::largest_ambiguity));
    }
    const double ambiguity = 3.5 * u * expected.farthest + error_abs;
    if (!near(ambiguity, kernels::largest_ambiguity)) {
      CHECK(usable ==
            (images.with_residuals || ambiguity < kernels::largest_ambiguity));
    }
    with_residuals += images.with_residuals ? 1 : 0;
    refused += usable ? 0 : 1;
  }
  CHECK(with_residuals > 2000);
  CHECK(with_residuals < 18'000);
  CHECK(refused > 100);
}

TEST_CASE("image errors: the row's contribution") {
  Random random(12);
  for (int k = 0; k < 20'000; ++k) {
    std::array<double, 3> row{};
    std::array<double, 3> column{};
    float row_f[3];
    float column_f[3];
    bool clear = true;
    for (std::size_t i = 0; i < 3; ++i) {
      row_f[i] = static_cast<float>(random.log_uniform(0.01, 30'000.0));
      column_f[i] = static_cast<float>(random.log_uniform(0.01, 300.0));
      row[i] = static_cast<double>(row_f[i]);
      column[i] = static_cast<double>(column_f[i]);
      clear = clear && is_clear(row[i]);
    }
    const double first = square(row[0] + column[0]);
    clear = clear && is_clear(first) && is_clear(first + square(row[1] + column[1]));
    if (clear) {
      INFO("row " << row[0] << ' ' << row[1] << ' ' << row[2]);
      CHECK(is_tight(static_cast<double>(kernels::error_of_row(row_f, column_f)),
                     row_error(row, column)));
    }
  }
}

/// Two clusters whose centres are `near` and `far` bins apart along z, in two images.
struct TwoClusters {
  ClusterExtent a;
  ClusterExtent b;
  double near;
  double far;

  NearImages images() const {
    NearImages images;
    images.count = 2;
    images.shift[0][2] = near;
    images.shift[1][2] = far;
    return images;
  }
  bool with_residuals(double lattice_error) const {
    NearImages result = images();
    set_errors(a, b, lattice_error, result);
    return result.with_residuals;
  }
  bool is_usable(double lattice_error) const {
    NearImages result = images();
    return set_errors(a, b, lattice_error, result);
  }

  // Values of the formulas, with radii 1e-5 larger.
  double spread() const {
    return 1.00001 * (static_cast<double>(a.radius) + static_cast<double>(b.radius));
  }
  double least() const { return near - spread(); }
  double most() const { return far + spread(); }
  double error_abs(double lattice_error) const {
    return lattice_error + 2.0 * u * static_cast<double>(b.radius);
  }
  double plain(double lattice_error, double d) const {
    const double e = error_abs(lattice_error);
    return d * (2.0 * e + e * e + 14.0 * u + 7.0 * u * d);
  }
  double better(double lattice_error, double d) const {
    const float row[] = {a.along[0], a.along[1], static_cast<float>(far) + a.along[2]};
    double column2 = 0.0;
    for (const float along : b.along) {
      column2 += square(half_ulp(static_cast<double>(along)));
    }
    return static_cast<double>(kernels::error_of_row(row, b.along)) +
           square(lattice_error) +
           d * (2.0 * lattice_error + 2.0 * std::sqrt(column2) + 3.0 * u * d);
  }
};

/// Clusters without extent, and others whose axes are in the order of summation.
std::vector<TwoClusters> clusters_at(double near, double far) {
  const ClusterExtent point;
  const ClusterExtent a{0.4F, {0.1F, 0.2F, 0.3F}};
  const ClusterExtent b{0.5F, {0.15F, 0.3F, 0.37F}};
  return {{point, point, near, far}, {a, b, near, far}};
}

/// The point in [low, high] where `choice` changes; it is constant on either side.
template <class Choice>
double switch_point(double low, double high, Choice choice) {
  const bool at_low = choice(low);
  REQUIRE(choice(high) != at_low);
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (choice(middle) == at_low ? low : high) = middle;
  }
  return high;
}

TEST_CASE("image errors: residuals are used where 5 per mille more are certified") {
  for (const double near : {5.75, 12.25, 40.5}) {
    for (const TwoClusters& two : clusters_at(near, near + 3.0)) {
      const double error =
          switch_point(0.0, 0.2, [&](double e) { return two.with_residuals(e); });
      const double middle = 0.5 * (std::floor(two.least() - 1.0) + two.most());
      const double spared =
          (two.plain(error, middle) - two.better(error, middle)) / middle;
      CHECK(std::abs(spared - 0.005) < 1e-10);
    }
  }
}

TEST_CASE("image errors: residuals are used where the nearest edge is certified") {
  for (const double near : {3.5, 4.0, 5.75, 7.5}) {
    for (const TwoClusters& two : clusters_at(near, near + 3.0)) {
      const double error =
          switch_point(0.25, 1.0, [&](double e) { return two.with_residuals(e); });
      const double edge = std::floor(two.least() - 1.0);
      CHECK(std::abs(two.better(error, edge) -
                     2.0 * kernels::largest_ambiguity * edge) < 1e-10);
    }
  }
}

TEST_CASE("image errors: residuals are used where the farthest pair is certified") {
  for (const double far : {5e5, 1e6}) {
    for (const TwoClusters& two : clusters_at(far, far)) {
      const double error =
          switch_point(0.1, 1.0, [&](double e) { return two.with_residuals(e); });
      CHECK(std::abs(two.better(error, two.most()) / (2.0 * two.most()) -
                     kernels::largest_ambiguity) < 1e-10);
    }
  }
}

TEST_CASE("image errors: residuals are used from 2 bins on") {
  const double below_two = std::nextafter(2.0, 0.0);
  CHECK(TwoClusters{{}, {}, 2.0, 2.0}.with_residuals(0.2));
  CHECK_FALSE(TwoClusters{{}, {}, below_two, 2.0}.with_residuals(0.2));
  CHECK_FALSE(TwoClusters{{}, {}, 2.0, below_two}.with_residuals(0.2));
}

TEST_CASE("image errors: without residuals, errors below the largest are usable") {
  for (const double far : {1.5, 20.0, 5e5}) {
    for (const TwoClusters& two : clusters_at(1.5, far)) {
      const double error =
          switch_point(0.0, 1.0, [&](double e) { return two.is_usable(e); });
      CHECK(std::abs(3.5 * u * two.most() + two.error_abs(error) -
                     kernels::largest_ambiguity) < 1e-12);
    }
  }
  const TwoClusters same{{}, {}, 0.0, 0.0};
  CHECK_FALSE(same.is_usable(kernels::largest_ambiguity));
  CHECK(same.is_usable(std::nextafter(kernels::largest_ambiguity, 0.0)));
}

TEST_CASE("image errors: an unfused product is rounded up to one bin farther") {
  NearImages images = TwoClusters{{}, {}, 0.0, 0.0}.images();
  set_errors({}, {}, 0.0, images);
  CHECK(images.square_error_unfused == 4.004F * 0x1p-24F);
}

TEST_CASE("image errors: the first sum of squares has the roundings of all axes") {
  // While row[0] grows, the bound changes only where this sum reaches a power of two.
  struct Case {
    float y, z, column, power;
  };
  for (const Case& one :
       {Case{1000.0F, 0.0F, 0.0F, 1.0F}, Case{0.0F, 1000.0F, 0.0F, 1.0F},
        Case{700.0F, 700.0F, 0.0F, 1.0F}, Case{300.0F, 1000.0F, 0.0F, 1.0F},
        Case{300.0F, 1000.0F, 0.5F, 2.0F}}) {
    INFO("row " << one.y << ' ' << one.z << ", column " << one.column);
    const auto bound = [&](double x) {
      return kernels::error_of_row({static_cast<float>(x), one.y, one.z},
                                   {one.column, 0.0F, 0.0F});
    };
    const float least = bound(0.71);
    const double x =
        switch_point(0.71, 0.99, [&](double at) { return bound(at) != least; });
    double rest = 0.0;
    for (const double component :
         {x, static_cast<double>(one.y), static_cast<double>(one.z)}) {
      rest += half_ulp(component) * component;
    }
    const double first = square(x + static_cast<double>(one.column)) + 2.0 * rest;
    CHECK(std::abs(static_cast<double>(1.0F + 1e-5F) * first -
                   static_cast<double>(one.power)) < 8e-7);
  }
}

TEST_CASE("image errors: half an ulp, and more next to a power of two") {
  CHECK(kernels::rounding_error(1.0F) == 0x1p-24F);
  CHECK(kernels::rounding_error(1.999F) == 0x1p-24F);
  CHECK(kernels::rounding_error(1.99997F) == 0x1p-24F);
  CHECK(kernels::rounding_error(1.99999F) == 0x1p-23F);
  CHECK(kernels::rounding_error(2.0F) == 0x1p-23F);
  CHECK(kernels::rounding_error(3000.0F) == 0x1p-13F);
  CHECK(kernels::rounding_error(0.3F) == 0x1p-26F);
  CHECK(kernels::rounding_error(0.0F) == 0.0F);
}

}  // namespace
}  // namespace starhist::testing
