#include "codelets/core/geometry/lattice.hh"

#include <algorithm>
#include <array>
#include <cmath>

#include "codelets/core/base/error.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using testing::Random;

using Vectors = std::vector<Vec3>;

double volume(const Vectors& v) {
  return dot(v[0], cross(v[1], v[2]));
}

/// Three vectors of lengths between 1 and `aspect`, in general or special position.
Vectors random_lattice(Random& random, double aspect) {
  for (;;) {
    Vectors v;
    for (int i = 0; i < 3; ++i) {
      const Vec3 direction = random.vector(1.0);
      v.push_back((random.log_uniform(1.0, aspect) / length(direction)) * direction);
    }
    if (random.chance(0.3)) {
      v[1] = shifted(v[1], dot(v[1], v[0]) / dot(v[0], v[0]), v[0]);
    }
    if (std::abs(volume(v)) > 1e-3 * length(v[0]) * length(v[1]) * length(v[2])) {
      return v;
    }
  }
}

/// Another basis of the same lattice: adds multiples of the vectors to each other.
Vectors skewed(Random& random, Vectors v, int most) {
  for (int step = 0; step < 3; ++step) {
    const auto i = random.below(3);
    const auto j = (i + 1 + random.below(2)) % 3;
    v[i] =
        v[i] +
        (static_cast<double>(random.below(2 * static_cast<std::uint64_t>(most) + 1)) -
         most) *
            v[j];
  }
  return v;
}

/// Largest cosine of the angles between the members of the superbase.
double sharpest_cosine(const Vectors& v) {
  Vec3 last;
  for (const Vec3 member : v) {
    last = last - member;
  }
  Vectors members = v;
  members.push_back(last);
  double most = -1.0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      most = std::max(most, dot(members[i], members[j]) /
                                (length(members[i]) * length(members[j])));
    }
  }
  return most;
}

/// `v` as integer combinations of `basis`: the largest deviation, relative to the added
/// vectors, and the determinant of the integers.
struct Combination {
  double error = 0.0;
  double determinant = 0.0;
};

Combination combination(const Vectors& v, const Vectors& basis) {
  const Vectors dual = dual_lattice(basis);
  Combination result;
  Vectors n;
  for (const Vec3 member : v) {
    n.push_back({std::rint(dot(member, dual[0])), std::rint(dot(member, dual[1])),
                 std::rint(dot(member, dual[2]))});
    const auto [i, j, k] = n.back();
    const double size = std::abs(i) * length(basis[0]) +
                        std::abs(j) * length(basis[1]) + std::abs(k) * length(basis[2]);
    result.error =
        std::max(result.error,
                 length(i * basis[0] + j * basis[1] + k * basis[2] - member) / size);
  }
  result.determinant = volume(n);
  return result;
}

TEST_CASE("reduction keeps the lattice and makes the superbase obtuse") {
  Random random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const Vectors plain = random_lattice(random, trial % 2 == 0 ? 3.0 : 100.0);
    const Vectors input = skewed(random, plain, trial % 3 == 0 ? 40 : 3);
    const Vectors reduced = reduced_lattice(input);
    REQUIRE(reduced.size() == 3);
    const Combination n = combination(reduced, input);
    CHECK(n.error < 1e-14);
    CHECK(std::abs(n.determinant) == 1.0);
    CHECK(sharpest_cosine(reduced) < 1e-12);
  }
}

TEST_CASE("a reduced lattice is returned unchanged") {
  Random random(4);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vectors reduced = reduced_lattice(random_lattice(random, 10.0));
    CHECK(reduced_lattice(reduced) == reduced);
  }
  const Vectors orthogonal{{1, 0, 0}, {0, 7, 0}, {0, 0, 3}};
  CHECK(reduced_lattice(orthogonal) == orthogonal);
}

/// `v`, 2^exponent times as long.
Vectors scaled(Vectors v, int exponent) {
  for (Vec3& member : v) {
    member = std::ldexp(1.0, exponent) * member;
  }
  return v;
}

/// A lattice of vectors that are orthogonal up to rounding, except possibly for two of
/// them.
Vectors turned_lattice(Random& random) {
  Vectors v = random_lattice(random, 10.0);
  v[2] = cross(v[0], v[1]);
  if (random.chance(0.5)) {
    v[1] = cross(v[2], v[0]);
  }
  for (Vec3& member : v) {
    member = (random.log_uniform(1.0, 10.0) / length(member)) * member;
  }
  return v;
}

TEST_CASE("the unit of length affects neither reductions nor image searches") {
  Random random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vectors v = trial % 2 == 0 ? turned_lattice(random)
                                     : skewed(random, turned_lattice(random), 3);
    const Vectors reduced = reduced_lattice(v);
    const MinimumImage image = make_minimum_image(v);
    for (const int exponent : {-40, -10, 10, 40}) {
      CHECK(reduced_lattice(scaled(v, exponent)) == scaled(reduced, exponent));
      CHECK(make_minimum_image(scaled(v, exponent)).facet_count == image.facet_count);
    }
  }
}

TEST_CASE("vectors are orthogonal up to a cosine of 1e-14") {
  const auto lattice = [](double cosine) { return Vectors{{1, 0, 0}, {cosine, 1, 0}}; };
  for (const double cosine : {0.7e-14, 1e-14}) {
    for (const double sign : {-1.0, 1.0}) {
      const Vectors v = lattice(sign * cosine);
      CHECK(reduced_lattice(v) == v);
      CHECK(make_minimum_image(v).facet_count == 0);
    }
  }
  CHECK(make_minimum_image(lattice(-1.5e-14)).facet_count == 2);
  CHECK_FALSE(reduced_lattice(lattice(1.5e-14)) == lattice(1.5e-14));
  CHECK(sharpest_cosine(reduced_lattice(lattice(1.5e-14))) <= 0.0);
}

TEST_CASE("among equally good bases the choice is stable") {
  // Vectors of equal lengths: all four of a superbase, two in a plane, and those of
  // equal products.
  const Vectors bcc{{1, 1, -1}, {-1, 1, 1}, {1, -1, 1}};
  CHECK(reduced_lattice(bcc) == bcc);
  CHECK(reduced_lattice({{1, 5, 0}, {1, -5, 0}}) == Vectors{{1, -5, 0}, {-2, 0, 0}});
  CHECK(reduced_lattice({{1, 1, 0}, {0, 1, 1}, {1, 0, 1}}) ==
        Vectors{{-1, 0, 1}, {0, -1, -1}, {1, 0, 1}});
}

TEST_CASE("reduction of planes, lines and the empty lattice") {
  Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vectors plain = random_lattice(random, 10.0);
    const double times = static_cast<double>(random.below(41)) - 20.0;
    const Vectors input{plain[0], plain[1] + times * plain[0]};
    const Vectors reduced = reduced_lattice(input);
    REQUIRE(reduced.size() == 2);
    CHECK(sharpest_cosine(reduced) < 1e-12);
    const Vec3 normal = cross(input[0], input[1]);
    CHECK(std::abs(length(cross(reduced[0], reduced[1])) / length(normal) - 1.0) <
          1e-9);
    const Combination n =
        combination({reduced[0], reduced[1], normal}, {input[0], input[1], normal});
    CHECK(n.error < 1e-14);
    CHECK(std::abs(n.determinant) == 1.0);
  }
  CHECK(reduced_lattice({{1, 2, 3}}) == Vectors{{1, 2, 3}});
  CHECK(reduced_lattice({}).empty());
}

TEST_CASE("a lattice too skewed to be reduced is refused") {
  const Vectors input{{1, 0, 0}, {1e5, 1, 0}, {0, 0, 1}};
  const auto refused = [](const Vectors& v) {
    const std::string text =
        testing::error_text<InputError>([&] { reduced_lattice(v); });
    return text.find("too skewed") != std::string::npos;
  };
  CHECK(refused(input));
  // Each step subtracts one edge.
  const auto plane = [](double skew) { return Vectors{{1, 0, 0}, {skew, 1, 0}}; };
  CHECK_FALSE(refused(plane(10'000)));
  CHECK(refused(plane(10'001)));
}

TEST_CASE("dual vectors are orthogonal to all vectors but their own") {
  Random random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const Vectors all = random_lattice(random, 10.0);
    for (std::size_t rank = 0; rank <= 3; ++rank) {
      const Vectors v(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rank));
      const Vectors dual = dual_lattice(v);
      REQUIRE(dual.size() == rank);
      for (std::size_t i = 0; i < rank; ++i) {
        for (std::size_t j = 0; j < rank; ++j) {
          CHECK(std::abs(dot(v[i], dual[j]) - (i == j ? 1.0 : 0.0)) < 1e-9);
        }
      }
      if (rank == 2) {  // in the span of the vectors
        const Vec3 normal = cross(v[0], v[1]);
        CHECK(std::abs(dot(dual[0], normal)) < 1e-9 * length(dual[0]) * length(normal));
        CHECK(std::abs(dot(dual[1], normal)) < 1e-9 * length(dual[1]) * length(normal));
      }
    }
  }
}

TEST_CASE("an image search skips vectors that can never be shorter") {
  const auto facets = [](const Box& box) { return box.minimum_image().facet_count; };
  CHECK(facets(Box()) == 0);
  CHECK(facets(testing::cubic_box(1.0)) == 0);
  CHECK(facets(testing::periodic_box({0.6, 0.8, 0}, {-1.2, 0.9, 0}, {0, 0, 1.1})) == 0);
  // Only the hexagonal plane needs a search: one step along either edge.
  CHECK(facets(testing::hexagonal_box(1.6)) == 2);
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    const Vectors edge{{1, 0, 0}, {-0.5, std::sqrt(0.75), 0}, {0, 0, 1.6}};
    CHECK(make_minimum_image({edge[order[0]], edge[order[1]], edge[order[2]]})
              .facet_count == 2);
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(facets(testing::truncated_octahedron()) == 6);
  CHECK(facets(testing::rhombic_dodecahedron()) == 6);
  CHECK(facets(Box({Vec3{1, 0, 0}, {0.3, 1, 0}, Vec3{}}, {true, true, false})) == 2);
  CHECK(facets(Box({Vec3{1, 2, 3}, Vec3{}, Vec3{}}, {true, false, false})) == 0);
}

TEST_CASE("rounding is exact up to just below half the smallest width") {
  const auto share = [](const Vectors& v, double width) {
    return make_minimum_image(v).exact_rounding_r2 / (0.25 * width * width);
  };
  const auto just_below_one = [](double x) {
    return x > 1.0 - 1.5e-9 && x < 1.0 - 0.5e-9;
  };
  const Vectors hexagonal{{2, 0, 0}, {-1, std::sqrt(3.0), 0}, {0, 0, 3}};
  CHECK(just_below_one(share(hexagonal, std::sqrt(3.0))));
  const Vectors flat{{2, 0, 0}, {-1, std::sqrt(3.0), 0}, {0, 0, 0.5}};
  CHECK(just_below_one(share(flat, 0.5)));
  CHECK(just_below_one(share({{3, 0, 4}}, 5.0)));
  CHECK(std::isinf(make_minimum_image({}).exact_rounding_r2));
}

TEST_CASE("shortest vector and covering radius of known lattices") {
  const Vectors bcc =
      reduced_lattice({{1, 1, -1}, {-1, 1, 1}, {1, -1, 1}});  // cubic edge 2
  CHECK(std::abs(shortest_vector(bcc) - std::sqrt(3.0)) < 1e-14);
  CHECK(std::abs(covering_radius(bcc) - 0.5 * std::sqrt(5.0)) < 1e-14);
  const Vectors fcc = reduced_lattice({{1, 1, 0}, {0, 1, 1}, {1, 0, 1}});
  CHECK(std::abs(shortest_vector(fcc) - std::sqrt(2.0)) < 1e-14);
  CHECK(std::abs(covering_radius(fcc) - 1.0) < 1e-14);
  CHECK(std::abs(covering_radius(scaled(fcc, -2)) - 0.25) < 1e-14);
  CHECK(shortest_vector({{3, 0, 4}}) == 5.0);
  CHECK(std::isinf(shortest_vector({})));
  CHECK(std::isinf(covering_radius({{1, 0, 0}, {0, 1, 0}})));
}

}  // namespace
}  // namespace starhist
