// Counts by distance and second axis in the C library: counts of a plain loop, and
// refusals.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tests/capi/c_library.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

using Positions = std::vector<std::vector<double>>;  // by species
using Counts = std::vector<std::uint64_t>;  // by bin and bin of the second axis

constexpr double r_max = 0.45;
constexpr std::size_t bins = 9;

const std::vector<std::pair<std::size_t, std::size_t>> pairs_of_two{
    {0, 0}, {0, 1}, {1, 1}};

/// Shortest displacement from `a` to `b` along axes: of all images, unless `open`.
Vec3 shortest(const Box& box, const double* a, const double* b, bool open) {
  const int most = open ? 0 : 2;
  Vec3 best{1e9, 0, 0};
  for (int i = -most; i <= most; ++i) {
    for (int j = -most; j <= most; ++j) {
      for (int k = -most; k <= most; ++k) {
        const Vec3 d = Vec3{b[0] - a[0], b[1] - a[1], b[2] - a[2]} +
                       static_cast<double>(i) * box.edges()[0] +
                       static_cast<double>(j) * box.edges()[1] +
                       static_cast<double>(k) * box.edges()[2];
        best = dot(d, d) < dot(best, best) ? d : best;
      }
    }
  }
  return best;
}

double component(Vec3 d, int axis) {
  return axis == 0 ? d.x : axis == 1 ? d.y : d.z;
}

/// Counts of two species by a plain loop. `normal`: axis along which d does not count
/// to the distance, or -1; `limit`: largest separation.
Counts counted(const Box& box, const std::vector<double>& first,
               const std::vector<double>& second, int quantity, std::size_t columns,
               double limit, int normal = -1, bool open = false) {
  const bool like = &first == &second;
  const bool cosine = quantity < STARHIST_SEPARATION_X;
  const int axis = (quantity - STARHIST_COSINE_X) % 3;
  Counts counts(bins * columns);
  for (std::size_t i = 0; i < first.size(); i += 3) {
    for (std::size_t j = 0; j < second.size(); j += 3) {
      if (like && (cosine ? i == j : j <= i)) {
        continue;
      }
      Vec3 d = shortest(box, &first[i], &second[j], open);
      const double along = component(d, axis);
      if (normal >= 0) {
        (normal == 0 ? d.x : normal == 1 ? d.y : d.z) = 0.0;
      }
      const double r = std::sqrt(dot(d, d));
      if (r >= r_max || (!cosine && std::abs(along) >= limit)) {
        continue;
      }
      const double share = cosine ? (along / r + 1.0) / 2.0 : std::abs(along) / limit;
      const auto row = static_cast<std::size_t>(r / r_max * bins);
      const auto column =
          static_cast<std::size_t>(share * static_cast<double>(columns));
      ++counts[row * columns + column];
    }
  }
  return counts;
}

Counts counts_of(const TestHistogram& histogram, std::uint64_t block, std::size_t pair,
                 std::size_t columns) {
  Counts counts(bins * columns);
  must(starhist_get_second_counts(histogram.get(), block, pair, counts.size(),
                                  counts.data()));
  return counts;
}

Counts sum_of(Counts a, const Counts& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    a[k] += b[k];
  }
  return a;
}

/// Sums over the second axis are the counts by distance, `orders` times.
void check_sums(const TestHistogram& histogram, std::uint64_t block, std::size_t pair,
                std::size_t columns, std::uint64_t orders) {
  const Counts counts = counts_of(histogram, block, pair, columns);
  Counts sums(bins);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    sums[k / columns] += counts[k];
  }
  for (std::uint64_t& sum : sums) {
    CHECK(sum % orders == 0);
    sum /= orders;
  }
  CHECK(sums == histogram.counts(block, pair).bins);
}

/// Positions of 150 and 100 particles.
Positions random_species(Random& random, const Box& box) {
  return {random_positions(random, box, 150), random_positions(random, box, 100)};
}

void add(const TestHistogram& histogram, const Positions& positions, const Box& box) {
  std::vector<double> all = positions[0];
  all.insert(all.end(), positions[1].begin(), positions[1].end());
  const bool open = box.periodic_axis_count() == 0;
  must(starhist_add_frame(histogram.get(), all.size() / 3, all.data(), 0, 0,
                          open ? nullptr : matrix_of(box).data()));
}

void set_two_species(const TestHistogram& histogram) {
  const std::uint64_t numbers[2] = {150, 100};
  histogram.set_species({"O", "H"});
  must(starhist_set_species_counts(histogram.get(), 2, numbers));
}

std::string set_axis(const TestHistogram& histogram, int quantity,
                     std::uint32_t columns = 0, double limit = 0.0) {
  return outcome(starhist_set_second_axis(histogram.get(), quantity, columns, limit));
}

TEST_CASE("a plain loop has the same counts by each second axis, block by block") {
  const TestContext context;
  Random random(21);
  constexpr std::size_t columns = 7;
  const Box box = periodic_box({1.0, 0, 0}, {0.1, 1.3, 0}, {-0.2, 0.15, 0.95});
  for (int quantity = STARHIST_COSINE_X; quantity <= STARHIST_SEPARATION_Z;
       ++quantity) {
    INFO("quantity " << quantity);
    const TestHistogram histogram(context, r_max, bins, STARHIST_BOX_MATRIX);
    set_two_species(histogram);
    must(starhist_set_frames_per_block(histogram.get(), 2));
    CHECK(set_axis(histogram, quantity, columns) == "STARHIST_OK");
    std::vector<Counts> block(3, Counts(bins * columns));
    std::vector<Counts> all = block;
    for (std::uint64_t frame = 0; frame < 5; ++frame) {
      const Positions positions = random_species(random, box);
      add(histogram, positions, box);
      for (std::size_t p = 0; p < 3; ++p) {
        const auto& [a, b] = pairs_of_two[p];
        const Counts expected =
            counted(box, positions[a], positions[b], quantity, columns, r_max);
        block[p] = frame % 2 == 0 ? expected : sum_of(block[p], expected);
        all[p] = sum_of(all[p], expected);
        if (frame == 1) {
          continue;  // read the second block only after it is partly filled
        }
        CHECK(counts_of(histogram, frame / 2, p, columns) == block[p]);
        CHECK(counts_of(histogram, all_blocks, p, columns) == all[p]);
        const bool twice = a == b && quantity < STARHIST_SEPARATION_X;
        check_sums(histogram, frame / 2, p, columns, twice ? 2 : 1);
      }
    }
    double edges[columns + 1];
    must(starhist_get_second_edges(histogram.get(), columns + 1, edges));
    CHECK(edges[0] == (quantity < STARHIST_SEPARATION_X ? -1.0 : 0.0));
    CHECK(edges[columns] == (quantity < STARHIST_SEPARATION_X ? 1.0 : r_max));
  }
}

TEST_CASE("a plain loop has the same counts by separation along a plane's normal") {
  const TestContext context;
  Random random(22);
  constexpr std::size_t columns = 5;
  const std::array<double, 3> lengths{1.0, 1.3, 0.9};
  const Box box =
      periodic_box({lengths[0], 0, 0}, {0, lengths[1], 0}, {0, 0, lengths[2]});
  for (int normal = 0; normal < 3; ++normal) {
    for (const double limit : {0.0, 0.25}) {
      INFO("normal " << normal << ", limit " << limit);
      const int quantity = STARHIST_SEPARATION_X + normal;
      const double half = 0.5 * lengths.at(static_cast<std::size_t>(normal));
      const double last = limit > 0.0 ? limit : half;
      const TestHistogram histogram(context, r_max, bins, STARHIST_BOX_MATRIX);
      set_two_species(histogram);
      must(starhist_set_plane(histogram.get(), STARHIST_PLANE_YZ - normal));
      CHECK(set_axis(histogram, quantity, columns, limit) == "STARHIST_OK");
      const Positions positions = random_species(random, box);
      add(histogram, positions, box);
      for (std::size_t p = 0; p < 3; ++p) {
        const auto& [a, b] = pairs_of_two[p];
        CHECK(counts_of(histogram, 0, p, columns) == counted(box, positions[a],
                                                             positions[b], quantity,
                                                             columns, last, normal));
        if (limit == 0.0) {
          check_sums(histogram, 0, p, columns, 1);
        }
        double norm = 0.0;
        double half_period = 0.0;
        must(starhist_get_pairs_over_space(histogram.get(), all_blocks, p, &norm,
                                           &half_period));
        CHECK(norm == Approx(static_cast<double>(histogram.counts(0, p).pairs) /
                             (lengths[0] * lengths[1] * lengths[2]))
                          .epsilon(1e-14));
        CHECK(half_period == half);
      }
      double set_limit = 0.0;
      must(starhist_get_second_axis(histogram.get(), nullptr, nullptr, &set_limit));
      CHECK(set_limit == last);

      const TestHistogram open(context, r_max, bins, STARHIST_BOX_NONE);
      set_two_species(open);
      must(starhist_set_plane(open.get(), STARHIST_PLANE_YZ - normal));
      CHECK(set_axis(open, quantity, columns, 0.3) == "STARHIST_OK");
      add(open, positions, Box());
      CHECK(counts_of(open, 0, 1, columns) == counted(box, positions[0], positions[1],
                                                      quantity, columns, 0.3, normal,
                                                      true));
      double norm = -1.0;
      must(starhist_get_pairs_over_space(open.get(), 0, 0, &norm, nullptr));
      CHECK(norm == 0.0);
    }
  }
}

TEST_CASE("the first frame after a reset sets the default range again") {
  const TestContext context;
  const TestHistogram histogram(context, 0.4, 4, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  must(starhist_set_plane(h, STARHIST_PLANE_XY));
  CHECK(set_axis(histogram, STARHIST_SEPARATION_Z, 2) == "STARHIST_OK");
  double edges[3];
  const auto limit = [&] {
    double value = -1.0;
    must(starhist_get_second_axis(h, nullptr, nullptr, &value));
    return value;
  };
  const std::vector<double> two{0.1, 0.1, 0.1, 0.1, 0.1, 0.2};
  for (const double height : {1.0, 3.0}) {
    CHECK(limit() == 0.0);
    CHECK(missing(outcome(starhist_get_second_edges(h, 3, edges)),
                  {"STARHIST_NO_FRAMES", "starhist_set_second_axis"}) == "");
    // A refused frame sets no range.
    CHECK(outcome(histogram.add({0.1, 0.1, std::nan("")}, {1.0, 1.0, 7.0}))
              .starts_with("STARHIST_BAD_POSITION"));
    CHECK(limit() == 0.0);
    must(histogram.add(two, {1.0, 1.0, height}));
    must(histogram.add(two, {1.0, 1.0, 2.0}));
    CHECK(limit() == 0.5 * height);
    must(starhist_get_second_edges(h, 3, edges));
    CHECK(edges[2] == 0.5 * height);
    std::uint64_t counts[8];
    must(starhist_get_second_counts(h, 0, 0, 8, counts));
    CHECK(counts[0] == 2);
    must(starhist_reset(h));
  }
  must(starhist_set_second_axis(h, STARHIST_NO_SECOND_AXIS, 0, 0.0));
  must(starhist_set_plane(h, STARHIST_SPACE));
  must(histogram.add(two));
  CHECK(histogram.counts(0, 0).bins[1] == 1);
}

TEST_CASE("boxes and positions without defined separations are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.4, 4, STARHIST_BOX_MATRIX);
  starhist_histogram* h = histogram.get();
  const auto added = [&](double z, const std::array<double, 9>& box) {
    const double position[3] = {0.1, 0.1, z};
    return outcome(starhist_add_frame(h, 1, position, 0, 0, box.data()));
  };
  must(starhist_set_plane(h, STARHIST_PLANE_XY));
  CHECK(set_axis(histogram, STARHIST_SEPARATION_Z) == "STARHIST_OK");
  CHECK(missing(added(0.1, {2, 0, 0.5, 0, 2, 0, 0, 0, 3}),
                {"STARHIST_BAD_BOX", "leans out of the plane xy by 0.5",
                 "starhist_set_second_axis"}) == "");
  CHECK(added(0.1, {2, 0, 3, 0, 2, -6, 0, 0, 3}) == "STARHIST_OK");
  CHECK(missing(added(2e9, {2, 0, 0, 0, 2, 0, 0, 0, 0.25}),
                {"STARHIST_BAD_POSITION", "2e+09", "along the normal"}) == "");
  CHECK(added(2e9, {2, 0, 0, 0, 2, 0, 0, 0, 3}) == "STARHIST_OK");
  must(starhist_reset(h));
  must(starhist_set_periodic(h, 1, 1, 0));
  const std::array<double, 9> open{2, 0, 0.5, 0, 2, 0, 0, 0, 0};
  CHECK(missing(added(0.1, open),
                {"STARHIST_BAD_BOX", "no default range", "pass a limit"}) == "");
  CHECK(set_axis(histogram, STARHIST_SEPARATION_Z, 5, 0.125) == "STARHIST_OK");
  CHECK(added(0.1, open) == "STARHIST_OK");
  CHECK(missing(added(1e9, open), {"STARHIST_BAD_POSITION", "limit"}) == "");
}

TEST_CASE("unknown second axes are refused, and second axes that come too late") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  for (const int quantity : {-1, 7}) {
    CHECK(missing(set_axis(histogram, quantity),
                  {"STARHIST_BAD_ARGUMENT",
                   ("quantity " + std::to_string(quantity)).c_str(),
                   "starhist_second_axis"}) == "");
  }
  CHECK(missing(set_axis(histogram, STARHIST_COSINE_X, 1001),
                {"STARHIST_BAD_ARGUMENT", "1001 bins", "1000"}) == "");
  for (const double limit : {-1.0, std::nan(""), HUGE_VAL}) {
    CHECK(missing(set_axis(histogram, STARHIST_SEPARATION_X, 5, limit),
                  {"STARHIST_BAD_ARGUMENT", "limit"}) == "");
  }
  for (const int quantity : {STARHIST_COSINE_Z, STARHIST_SEPARATION_Z}) {
    CHECK(missing(set_axis(histogram, quantity, 5, 1.0),
                  {"STARHIST_WRONG_STATE", "fixed range", "starhist_set_plane"}) == "");
  }
  int quantity = -1;
  std::uint32_t found = 99;
  must(starhist_get_second_axis(h, &quantity, &found, nullptr));
  CHECK((quantity == STARHIST_NO_SECOND_AXIS && found == 0));
  for (const auto& [set, expected] :
       {std::pair<int, std::uint32_t>{STARHIST_COSINE_Y, 21},
        {STARHIST_SEPARATION_X, 50}}) {
    CHECK(set_axis(histogram, set) == "STARHIST_OK");
    must(starhist_get_second_axis(h, &quantity, &found, nullptr));
    CHECK((quantity == set && found == expected));
  }
  must(histogram.add({0.1, 0.1, 0.1}));
  CHECK(missing(set_axis(histogram, STARHIST_COSINE_X),
                {"STARHIST_WRONG_STATE", "before the first frame"}) == "");
  CHECK(set_axis(histogram, STARHIST_NO_SECOND_AXIS).starts_with("STARHIST_WRONG"));
}

TEST_CASE("a second axis that does not suit the plane is refused with a remedy") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  must(starhist_set_plane(histogram.get(), STARHIST_PLANE_XZ));
  CHECK(missing(set_axis(histogram, STARHIST_COSINE_Y),
                {"STARHIST_WRONG_STATE", "cosines need distances in space",
                 "STARHIST_SEPARATION_Y"}) == "");
  CHECK(missing(set_axis(histogram, STARHIST_SEPARATION_Z),
                {"STARHIST_WRONG_STATE", "dz lies in the plane xz",
                 "STARHIST_SEPARATION_Y"}) == "");
  CHECK(set_axis(histogram, STARHIST_SEPARATION_Y) == "STARHIST_OK");
  CHECK(missing(outcome(starhist_set_plane(histogram.get(), STARHIST_PLANE_XY)),
                {"STARHIST_WRONG_STATE", "before starhist_set_second_axis"}) == "");
  CHECK(outcome(starhist_set_plane(histogram.get(), STARHIST_PLANE_XZ)) ==
        "STARHIST_OK");
}

TEST_CASE("cosines of a pair start at the species that is named first") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  histogram.set_species({"O", "H"});
  const auto set_pairs = [&](const char* pairs) {
    return outcome(starhist_set_pairs(histogram.get(), pairs));
  };
  CHECK(set_pairs("O-O,H-O") == "STARHIST_OK");
  CHECK(missing(set_axis(histogram, STARHIST_COSINE_Z),
                {"STARHIST_WRONG_STATE", "H-O", "start at O", "name the pair O-H"}) ==
        "");
  CHECK(set_axis(histogram, STARHIST_SEPARATION_Z) == "STARHIST_OK");
  CHECK(set_pairs("O-H") == "STARHIST_OK");
  CHECK(set_axis(histogram, STARHIST_COSINE_Z) == "STARHIST_OK");
  CHECK(missing(set_pairs("H-O"), {"STARHIST_WRONG_STATE", "H-O", "O-H"}) == "");
  std::size_t pair = 9;
  must(starhist_find_pair(histogram.get(), "H-O", &pair));  // the earlier pair remains
  CHECK(pair == 0);
  histogram.set_species({"H", "O"});
  CHECK(set_pairs("H-O") == "STARHIST_OK");
}

TEST_CASE("a second axis and lags, shells or teams exclude each other") {
  const std::uint64_t lag = 1;
  const std::size_t species = 0;
  const double cutoff = 0.3;
  {
    const TestContext context;
    const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
    starhist_histogram* h = histogram.get();
    CHECK(set_axis(histogram, STARHIST_COSINE_X) == "STARHIST_OK");
    for (const std::string& refused :
         {outcome(starhist_set_lags(h, 1, &lag, 1, 0)),
          outcome(starhist_set_shells(h, 1, &species, &species, &cutoff))}) {
      CHECK(missing(refused, {"STARHIST_WRONG_STATE", "starhist_set_second_axis",
                              "another histogram"}) == "");
    }
    CHECK(set_axis(histogram, STARHIST_NO_SECOND_AXIS) == "STARHIST_OK");
    must(starhist_set_lags(h, 1, &lag, 1, 0));
    CHECK(missing(set_axis(histogram, STARHIST_COSINE_X),
                  {"STARHIST_WRONG_STATE", "between frames", "use another"}) == "");
    must(starhist_set_lags(h, 0, nullptr, 1, 0));
    must(starhist_set_shells(h, 1, &species, &species, &cutoff));
    CHECK(missing(set_axis(histogram, STARHIST_COSINE_X),
                  {"STARHIST_WRONG_STATE", "counts neighbours", "use another"}) == "");
  }
  const TestContext teams(STARHIST_TEAMS);
  const TestHistogram histogram(teams, 0.5, 10, STARHIST_BOX_LENGTHS);
  CHECK(missing(set_axis(histogram, STARHIST_COSINE_X),
                {"STARHIST_WRONG_STATE", "without STARHIST_TEAMS"}) == "");
}

TEST_CASE("results of a second axis need one, and arrays of the right size") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  std::uint64_t counts[30];
  double edges[4];
  double sum = 0.0;
  const auto all = [&] {
    return std::array{outcome(starhist_get_second_edges(h, 4, edges)),
                      outcome(starhist_get_second_counts(h, 0, 0, 30, counts)),
                      outcome(starhist_get_pairs_over_space(h, 0, 0, &sum, nullptr))};
  };
  for (const std::string& refused : all()) {
    CHECK(missing(refused, {"STARHIST_WRONG_STATE", "starhist_set_second_axis"}) == "");
  }
  CHECK(set_axis(histogram, STARHIST_COSINE_X, 3) == "STARHIST_OK");
  CHECK(all()[1].starts_with("STARHIST_NO_FRAMES"));
  must(histogram.add({0.1, 0.1, 0.1}));
  CHECK(all()[1] == "STARHIST_OK");
  CHECK(missing(all()[2], {"STARHIST_WRONG_STATE", "starhist_get_pairs_over_volume"}) ==
        "");
  CHECK(missing(outcome(starhist_get_second_counts(h, 0, 0, 29, counts)),
                {"STARHIST_BAD_SIZE", "30"}) == "");
  CHECK(outcome(starhist_get_second_counts(h, 1, 0, 30, counts))
            .starts_with("STARHIST_NO_FRAMES"));
  CHECK(outcome(starhist_get_second_counts(h, 0, 1, 30, counts))
            .starts_with("STARHIST_UNKNOWN_PAIR"));
  CHECK(
      outcome(starhist_get_second_edges(h, 3, edges)).starts_with("STARHIST_BAD_SIZE"));
  for (const std::string& refused :
       {outcome(starhist_get_second_counts(h, 0, 0, 30, nullptr)),
        outcome(starhist_get_second_edges(h, 4, nullptr)),
        outcome(starhist_set_second_axis(nullptr, STARHIST_COSINE_X, 0, 0.0))}) {
    CHECK(refused.starts_with("STARHIST_NULL_POINTER"));
  }
}

TEST_CASE("counts by second axis that exceed the memory break the histogram") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 1000, STARHIST_BOX_LENGTHS);
  must(starhist_set_memory(histogram.get(), 40'000'000));
  CHECK(set_axis(histogram, STARHIST_COSINE_X, 1000) == "STARHIST_OK");
  CHECK(missing(outcome(histogram.add({0.1, 0.1, 0.1})),
                {"STARHIST_OUT_OF_MEMORY", "1 000 of the second axis",
                 "starhist_set_memory"}) == "");
  must(starhist_reset(histogram.get()));
  CHECK(set_axis(histogram, STARHIST_COSINE_X, 10) == "STARHIST_OK");
  must(histogram.add({0.1, 0.1, 0.1}));
}

}  // namespace
}  // namespace starhist::testing
