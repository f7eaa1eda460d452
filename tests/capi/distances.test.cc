// Bins between edges of the caller, and distances in a plane, in the C library: counts
// of a plain loop, and refusals.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/capi/c_library.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"

namespace starhist::testing {
namespace {

constexpr std::array<double, 3> lengths{1.0, 1.3, 0.9};
const std::vector<double> log_edges{0.02, 0.05, 0.11, 0.25, 0.6};

std::string set_edges(const TestHistogram& histogram,
                      const std::vector<double>& edges) {
  return outcome(starhist_set_edges(histogram.get(), edges.size(), edges.data()));
}

/// Random positions in a box of these lengths.
std::vector<double> positions_in_box(Random& random) {
  return random_positions(
      random, periodic_box({lengths[0], 0, 0}, {0, lengths[1], 0}, {0, 0, lengths[2]}),
      300);
}

/// Counts of all pairs by a plain loop along the axes given by a plane's letters, in a
/// box of these lengths or without images.
TestHistogram::Counts counted(const std::vector<double>& positions,
                              const std::vector<double>& edges,
                              const std::string& axes = "xyz", bool images = true) {
  TestHistogram::Counts counts{std::vector<std::uint64_t>(edges.size() - 1)};
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    for (std::size_t j = 0; j < i; j += 3) {
      double r2 = 0.0;
      for (const char letter : axes) {
        const auto axis = static_cast<std::size_t>(letter - 'x');
        const double d = positions[i + axis] - positions[j + axis];
        const double nearest =
            images ? d - lengths[axis] * std::round(d / lengths[axis]) : d;
        r2 += nearest * nearest;
      }
      const auto above = std::upper_bound(edges.begin(), edges.end(), std::sqrt(r2));
      counts.out_of_range += above == edges.end() ? 1 : 0;
      if (above != edges.begin() && above != edges.end()) {
        ++counts.bins[static_cast<std::size_t>(above - edges.begin()) - 1];
      }
      ++counts.pairs;
    }
  }
  return counts;
}

TEST_CASE("a plain loop has the same counts between edges, which may be set again") {
  const TestContext context;
  Random random(7);
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  int given = 2;
  must(starhist_has_edges(histogram.get(), &given));
  CHECK(given == 0);
  for (const std::vector<double>& edges :
       {log_edges, {0.0, 0.5}, {0.3, 0.4, 0.41, 0.7}}) {
    const auto positions = positions_in_box(random);
    must(starhist_reset(histogram.get()));
    CHECK(set_edges(histogram, edges) == "STARHIST_OK");
    must(histogram.add(positions, lengths));
    CHECK((histogram.counts(all_blocks, 0) == counted(positions, edges)));
    std::vector<double> read(edges.size());
    must(starhist_get_edges(histogram.get(), read.size(), read.data()));
    CHECK(read == edges);
    double r_max = 0.0;
    must(starhist_get_settings(histogram.get(), &r_max, nullptr, nullptr, nullptr));
    CHECK(r_max == edges.back());
    must(starhist_has_edges(histogram.get(), &given));
    CHECK(given == 1);
  }
  must(starhist_reset(histogram.get()));
  CHECK(set_edges(histogram, {}) == "STARHIST_OK");  // bins of equal width again
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(histogram.counts(all_blocks, 0).bins[4] == 1);
}

TEST_CASE("a plain loop has the same counts in each plane, with images or without") {
  const TestContext context;
  Random random(11);
  std::vector<double> edges;
  for (int k = 0; k <= 20; ++k) {
    edges.push_back(0.025 * k);
  }
  for (const auto& [plane, axes] :
       {std::pair<int, const char*>{STARHIST_PLANE_XY, "xy"},
        {STARHIST_PLANE_XZ, "xz"},
        {STARHIST_PLANE_YZ, "yz"},
        {STARHIST_SPACE, "xyz"}}) {
    INFO(axes);
    const auto positions = positions_in_box(random);
    const TestHistogram histogram(context, 0.5, 20, STARHIST_BOX_LENGTHS);
    must(starhist_set_plane(histogram.get(), plane));
    must(histogram.add(positions, lengths));
    CHECK((histogram.counts(0, 0) == counted(positions, edges, axes)));
    int found = -1;
    must(starhist_get_plane(histogram.get(), &found));
    CHECK(found == plane);
    const TestHistogram open(context, 0.5, 20, STARHIST_BOX_NONE);
    must(starhist_set_plane(open.get(), plane));
    must(starhist_add_frame(open.get(), positions.size() / 3, positions.data(), 0, 0,
                            nullptr));
    CHECK((open.counts(0, 0) == counted(positions, edges, axes, false)));
    double g[20];
    CHECK(missing(outcome(starhist_get_g(open.get(), 0, 0, 20, g, nullptr)),
                  {"STARHIST_NO_VOLUME", "periodic"}) == "");
  }
}

TEST_CASE("particles in a plane in which distances were not counted cause a warning") {
  const TestContext context;
  Random random(12);
  auto positions = positions_in_box(random);
  for (std::size_t k = 2; k < positions.size(); k += 3) {
    positions[k] = 0.5;
  }
  for (const auto& [plane, words] :
       {std::pair<int, const char*>{STARHIST_PLANE_XY, ""},
        {STARHIST_PLANE_XZ, "lie in the plane xy, which the plane xz sees as a line"},
        {STARHIST_SPACE, "lie in the plane xy, where g(r) of space"}}) {
    INFO(plane);
    const TestHistogram histogram(context, 0.4, 20, STARHIST_BOX_LENGTHS);
    must(starhist_set_plane(histogram.get(), plane));
    must(histogram.add(positions, lengths));
    const char* text = nullptr;
    must(starhist_get_error_warning(histogram.get(), &text));
    CHECK(missing(text, {words}) == "");
    CHECK(std::string(text).empty() == std::string(words).empty());
  }
}

TEST_CASE("edges and a plane may be combined, and both may be unset") {
  const TestContext context;
  Random random(12);
  const auto positions = positions_in_box(random);
  const TestHistogram histogram(context, 0.5, 1, STARHIST_BOX_LENGTHS);
  CHECK(set_edges(histogram, log_edges) == "STARHIST_OK");
  must(starhist_set_plane(histogram.get(), STARHIST_PLANE_XZ));
  must(histogram.add(positions, lengths));
  CHECK((histogram.counts(0, 0) == counted(positions, log_edges, "xz")));
  must(starhist_reset(histogram.get()));
  must(starhist_set_plane(histogram.get(), STARHIST_SPACE));
  CHECK(set_edges(histogram, {}) == "STARHIST_OK");
  must(histogram.add(positions, lengths));
  CHECK((histogram.counts(0, 0) == counted(positions, {0.0, 0.5})));
}

TEST_CASE("boxes in which distances in the plane are undefined are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_MATRIX);
  const auto set_periodic = [&](int a, int b, int c) {
    must(starhist_set_periodic(histogram.get(), a, b, c));
  };
  const double position[3] = {0.1, 0.2, 0.3};
  const auto added = [&](std::array<double, 9> box) {
    return outcome(starhist_add_frame(histogram.get(), 1, position, 0, 0, box.data()));
  };
  const std::array<double, 9> leaning{2, 0, 0, 0, 2, 0, 0.5, 0.25, 3};
  must(starhist_set_plane(histogram.get(), STARHIST_PLANE_XY));
  CHECK(missing(added(leaning), {"STARHIST_BAD_BOX", "edge 2 of the box leans",
                                 "(0.5, 0.25, 0)", "starhist_set_periodic"}) == "");
  CHECK(added({2, 0, 0, 0, 2, 0, 2, -2, 3}) == "STARHIST_OK");  // a - b
  must(starhist_reset(histogram.get()));
  set_periodic(1, 1, 0);
  CHECK(added(leaning) == "STARHIST_OK");
  must(starhist_reset(histogram.get()));
  set_periodic(1, 0, 1);
  CHECK(missing(added(leaning), {"STARHIST_BAD_BOX", "not periodic along both axes",
                                 "plane xy", "starhist_set_periodic"}) == "");
  // r_max beyond every distance in the plane, not in space.
  const TestHistogram narrow(context, 3.0, 10, STARHIST_BOX_LENGTHS);
  must(starhist_set_plane(narrow.get(), STARHIST_PLANE_XY));
  CHECK(missing(outcome(narrow.add({0.1, 0.2, 0.3}, {1.0, 1.0, 9.0})),
                {"STARHIST_BAD_BOX", "r_max = 3"}) == "");
}

TEST_CASE("unknown planes are refused, and planes that come too late") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  for (const int plane : {-1, 4, 1 << 30}) {
    CHECK(missing(outcome(starhist_set_plane(h, plane)),
                  {"STARHIST_BAD_ARGUMENT", ("plane " + std::to_string(plane)).c_str(),
                   "starhist_plane"}) == "");
  }
  CHECK(outcome(starhist_get_plane(h, nullptr)).starts_with("STARHIST_NULL_POINTER"));
  CHECK(outcome(starhist_set_plane(nullptr, STARHIST_PLANE_XY))
            .starts_with("STARHIST_NULL_POINTER"));
  must(histogram.add({0.1, 0.1, 0.1}));
  CHECK(missing(outcome(starhist_set_plane(h, STARHIST_PLANE_XY)),
                {"STARHIST_WRONG_STATE", "before the first frame"}) == "");
}

TEST_CASE("a distance on an edge is in the bin that starts there") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  CHECK(set_edges(histogram, {0.1, 0.2, 0.4}) == "STARHIST_OK");
  // Distances 0.1, 0.2 and 0.3, whose differences are rounded.
  must(histogram.add({0.1, 0.7, 0.1, 0.1, 0.7, 0.2, 0.1, 0.7, 0.4}));
  CHECK((histogram.counts(0, 0) == TestHistogram::Counts{{1, 2}, 0, 3}));
}

TEST_CASE("unusable edges are refused, and edges that come too late") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const auto& [edges, reason] :
       {std::pair<std::vector<double>, const char*>{{0.1}, "one edge makes no bin"},
        {{0.1, 0.3, 0.2}, "edge 0.2 follows 0.3"},
        {{0.1, 0.1}, "edge 0.1 follows 0.1"},
        {{-0.1, 0.1}, "edge -0.1 is not a distance"},
        {{0.1, std::nan("")}, "is not a distance"},
        {{0.1, infinite}, "is not a distance"},
        {{0.1, 0.1 + 1e-12}, "too close"},
        {std::vector<double>(1002), "1002 edges are too many (at most 1001"}}) {
    CHECK(missing(set_edges(histogram, edges), {"STARHIST_BAD_ARGUMENT", reason}) ==
          "");
  }
  const double only = 1.0;  // the others must not be read
  CHECK(missing(outcome(starhist_set_edges(h, std::size_t{1} << 60, &only)),
                {"STARHIST_BAD_ARGUMENT", "edges are too many"}) == "");
  CHECK(
      outcome(starhist_set_edges(h, 2, nullptr)).starts_with("STARHIST_NULL_POINTER"));
  CHECK(outcome(starhist_has_edges(h, nullptr)).starts_with("STARHIST_NULL_POINTER"));
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(histogram.counts(0, 0).bins[4] == 1);  // in the bins of equal width
  CHECK(missing(set_edges(histogram, log_edges),
                {"STARHIST_WRONG_STATE", "before the first frame"}) == "");
}

TEST_CASE("edges or a plane and lags, or shells, exclude each other") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  const std::uint64_t lag = 1;
  const std::size_t species = 0;
  const double cutoff = 0.3;
  const auto set_lags = [&](std::size_t lags) {
    return outcome(starhist_set_lags(h, lags, &lag, 1, 0));
  };
  const auto set_shells = [&](std::size_t shells) {
    return outcome(starhist_set_shells(h, shells, &species, &species, &cutoff));
  };
  CHECK(set_edges(histogram, log_edges) == "STARHIST_OK");
  CHECK(missing(set_lags(1), {"STARHIST_WRONG_STATE", "starhist_set_edges",
                              "another histogram"}) == "");
  CHECK(missing(set_shells(1), {"STARHIST_WRONG_STATE", "starhist_set_edges",
                                "another histogram"}) == "");
  CHECK(set_edges(histogram, {}) == "STARHIST_OK");
  const auto set_plane = [&](int plane) {
    return outcome(starhist_set_plane(h, plane));
  };
  CHECK(set_plane(STARHIST_PLANE_YZ) == "STARHIST_OK");
  CHECK(missing(set_lags(1), {"STARHIST_WRONG_STATE", "starhist_set_plane",
                              "another histogram"}) == "");
  CHECK(missing(set_shells(1), {"STARHIST_WRONG_STATE", "starhist_set_plane",
                                "another histogram"}) == "");
  CHECK(set_plane(STARHIST_SPACE) == "STARHIST_OK");
  CHECK(set_lags(1) == "STARHIST_OK");
  CHECK(missing(set_plane(STARHIST_PLANE_YZ),
                {"STARHIST_WRONG_STATE", "between frames", "use another"}) == "");
  CHECK(missing(set_edges(histogram, log_edges),
                {"STARHIST_WRONG_STATE", "between frames", "use another"}) == "");
  CHECK(set_lags(0) == "STARHIST_OK");
  CHECK(set_shells(1) == "STARHIST_OK");
  CHECK(missing(set_edges(histogram, log_edges),
                {"STARHIST_WRONG_STATE", "counts neighbours", "use another"}) == "");
  CHECK(missing(set_plane(STARHIST_PLANE_YZ),
                {"STARHIST_WRONG_STATE", "counts neighbours", "use another"}) == "");
  CHECK(set_shells(0) == "STARHIST_OK");
  CHECK(set_edges(histogram, log_edges) == "STARHIST_OK");
}

}  // namespace
}  // namespace starhist::testing
