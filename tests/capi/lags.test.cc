// Counts between frames by the C library: equal to a plain loop and to `starhist
// vanhove`, also in saved files.
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <starhist_file.h>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/lag_result.hh"
#include "tests/capi/c_library.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist::testing {
namespace {

void set_lags(const TestHistogram& histogram, const std::vector<std::uint64_t>& lags,
              std::uint64_t every_origin = 1, int unwrapped = 0) {
  must(starhist_set_lags(histogram.get(), lags.size(), lags.data(), every_origin,
                         unwrapped));
}

struct Displacements {
  std::vector<std::uint64_t> bins;
  std::uint64_t out_of_range = 0;
  std::uint64_t particles = 0;
  double squares = 0.0;
  std::uint64_t frames = 0;
  double time = 0.0;
};

Displacements displacements(const TestHistogram& histogram, std::uint64_t block,
                            std::uint64_t lag, std::size_t species, std::size_t bins) {
  Displacements found{std::vector<std::uint64_t>(bins)};
  must(starhist_get_displacements(histogram.get(), block, lag, species, bins,
                                  found.bins.data(), &found.out_of_range,
                                  &found.particles, &found.squares, &found.frames,
                                  &found.time));
  return found;
}

/// Particles that take random steps in a cube, wrapped into it; `frames` of them.
std::vector<std::vector<double>> random_walks(Random& random, std::size_t particles,
                                              std::size_t frames, double edge) {
  std::vector<std::vector<double>> walks{
      random_positions(random, cubic_box(edge), particles)};
  while (walks.size() < frames) {
    walks.push_back(walks.back());
    for (double& x : walks.back()) {
      x += 0.2 * edge * (random.uniform() - 0.5);
      x -= edge * std::floor(x / edge);
    }
  }
  return walks;
}

Vec3 particle(const std::vector<double>& positions, std::size_t i) {
  return {positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

std::uint32_t bin_of_length(const UniformBins& bins, double r2) {
  return bin_at(bins, bin_position(bins, std::sqrt(r2)));
}

/// The walks with each step through the nearest image.
std::vector<std::vector<double>> followed(const std::vector<std::vector<double>>& walks,
                                          double edge) {
  std::vector<std::vector<double>> continuous{walks.front()};
  for (std::size_t t = 1; t < walks.size(); ++t) {
    continuous.push_back(continuous.back());
    for (std::size_t k = 0; k < walks[t].size(); ++k) {
      const double step = walks[t][k] - walks[t - 1][k];
      continuous[t][k] += step - edge * std::round(step / edge);
    }
  }
  return continuous;
}

/// A trajectory in a cube, and the lags to count.
struct Walk {
  double edge = 0.0;
  std::vector<std::vector<double>> positions;  ///< by frame
  std::vector<std::int32_t> labels;
  std::uint64_t lag = 0;
  std::uint64_t every_origin = 1;

  /// Calls act(origin, later) for the frames of each pair.
  template <class Act>
  void for_each_pair(Act act) const {
    for (std::size_t origin = 0; origin + lag < positions.size();
         origin += every_origin) {
      act(origin, origin + lag);
    }
  }
};

TestHistogram::Counts plain_pairs(const Walk& walk, const UniformBins& bins,
                                  std::int32_t first, std::int32_t second) {
  TestHistogram::Counts expected{std::vector<std::uint64_t>(bins.count)};
  const Box box = cubic_box(walk.edge);
  const bool once = walk.lag == 0 && first == second;
  walk.for_each_pair([&](std::size_t origin, std::size_t later) {
    for (std::size_t i = 0; i < walk.labels.size(); ++i) {
      for (std::size_t j = 0; j < walk.labels.size(); ++j) {
        if (walk.labels[i] == first && walk.labels[j] == second && i != j &&
            (!once || i < j)) {
          const std::uint32_t bin =
              pair_bin(box.minimum_image(), bins, particle(walk.positions[origin], i),
                       particle(walk.positions[later], j));
          ++(bin < bins.count ? expected.bins[bin] : expected.out_of_range);
          ++expected.pairs;
        }
      }
    }
  });
  return expected;
}

/// `paths`: continuous positions by frame.
Displacements plain_displacements(const Walk& walk,
                                  const std::vector<std::vector<double>>& paths,
                                  const UniformBins& bins, std::int32_t species) {
  Displacements expected{std::vector<std::uint64_t>(bins.count)};
  walk.for_each_pair([&](std::size_t origin, std::size_t later) {
    ++expected.frames;
    for (std::size_t i = 0; i < walk.labels.size(); ++i) {
      if (walk.labels[i] == species) {
        const Vec3 d = particle(paths[later], i) - particle(paths[origin], i);
        const std::uint32_t bin = bin_of_length(bins, dot(d, d));
        ++(bin < bins.count ? expected.bins[bin] : expected.out_of_range);
        ++expected.particles;
        expected.squares += dot(d, d);
      }
    }
  });
  return expected;
}

void check_plain_loop(const TestContext& context, Walk walk, bool unwrapped) {
  INFO("unwrapped " << unwrapped << ", every origin " << walk.every_origin);
  const std::vector<std::uint64_t> lags{0, 1, 3, 20};
  const UniformBins bins = make_bins(0.6, 40);
  const std::vector<std::pair<std::int32_t, std::int32_t>> pairs{
      {0, 0}, {0, 1}, {1, 1}};
  const TestHistogram histogram(context, bins.r_max, bins.count, STARHIST_BOX_MATRIX);
  set_lags(histogram, lags, walk.every_origin, unwrapped ? 1 : 0);
  histogram.set_species({"A", "B"});
  must(starhist_set_labels(histogram.get(), walk.labels.size(), walk.labels.data()));
  for (const std::vector<double>& positions : walk.positions) {
    must(starhist_add_frame(histogram.get(), walk.labels.size(), positions.data(), 0, 0,
                            matrix_of(cubic_box(walk.edge)).data()));
  }
  const auto paths = unwrapped ? walk.positions : followed(walk.positions, walk.edge);
  std::size_t pair = 0;
  for (const std::uint64_t lag : lags) {
    walk.lag = lag;
    for (const auto& [first, second] : pairs) {
      CHECK(histogram.counts(all_blocks, pair) ==
            plain_pairs(walk, bins, first, second));
      std::uint64_t found = 99;
      must(starhist_get_pair_lag(histogram.get(), pair++, &found));
      CHECK(found == lag);
    }
    for (const std::int32_t species : {0, 1}) {
      const Displacements expected = plain_displacements(walk, paths, bins, species);
      const Displacements ours = displacements(
          histogram, all_blocks, lag, static_cast<std::size_t>(species), bins.count);
      CHECK(ours.bins == expected.bins);
      CHECK(ours.out_of_range == expected.out_of_range);
      CHECK(ours.particles == expected.particles);
      CHECK(ours.squares == Approx(expected.squares));
      CHECK(ours.frames == expected.frames);
    }
  }
}

TEST_CASE("a plain loop over pairs of frames has the same counts") {
  const TestContext context;
  Random random(3);
  Walk walk{1.3, random_walks(random, 60, 14, 1.3), {}};
  for (std::size_t i = 0; i < 60; ++i) {
    walk.labels.push_back(static_cast<std::int32_t>(random.below(3)) - 1);
  }
  for (const std::uint64_t every_origin : {1U, 4U}) {
    walk.every_origin = every_origin;
    check_plain_loop(context, walk, false);
    check_plain_loop(context, walk, true);
  }
}

/// Passes all frames of a trajectory with its times; results after every third.
void add_frames(const TestHistogram& histogram, io::TrajectoryReader& reader) {
  Frame frame;
  for (std::uint64_t k = 0; k < reader.info().frame_count; ++k) {
    reader.read(FrameIndex(k), frame);
    std::vector<double> positions;
    std::vector<std::uint64_t> numbers;
    for (const std::vector<double>& of_species : frame.positions) {
      positions.insert(positions.end(), of_species.begin(), of_species.end());
      numbers.push_back(of_species.size() / 3);
    }
    if (k == 0) {
      must(
          starhist_set_species_counts(histogram.get(), numbers.size(), numbers.data()));
    }
    must(starhist_set_time(histogram.get(), frame.step, frame.time));
    must(starhist_add_frame(histogram.get(), positions.size() / 3, positions.data(), 0,
                            0, matrix_of(frame.box).data()));
    if (k % 3 == 0) {
      CHECK(histogram.block_count() == k / 7 + 1);
    }
  }
}

/// "" if both results have the same counts and sums.
std::string lag_difference(const io::LagResult& a, const io::LagResult& b) {
  if (a.layout.lags != b.layout.lags || a.layout.pairs.pairs != b.layout.pairs.pairs ||
      a.channels.blocks.size() != b.channels.blocks.size()) {
    return "layout or number of blocks";
  }
  for (std::size_t k = 0; k < a.channels.blocks.size(); ++k) {
    const BlockCounts& x = a.channels.blocks[k];
    const BlockCounts& y = b.channels.blocks[k];
    if (x.counts != y.counts || x.out_of_range != y.out_of_range ||
        x.pairs != y.pairs || x.excluded != y.excluded ||
        x.particle_number != y.particle_number || x.frames != y.frames ||
        x.pairs_over_volume != y.pairs_over_volume || x.last_time != y.last_time) {
      return "pairs of block " + std::to_string(k);
    }
    for (std::size_t d = 0; d < a.displacements[k].size(); ++d) {
      const DisplacementCounts& u = a.displacements[k][d];
      const DisplacementCounts& v = b.displacements[k][d];
      if (u.counts != v.counts || u.out_of_range != v.out_of_range ||
          u.particles != v.particles || u.squares != v.squares ||
          u.frames != v.frames || u.time != v.time) {
        return "displacements of block " + std::to_string(k);
      }
    }
  }
  return "";
}

void check_against_vanhove(const std::string& name, std::uint64_t every_origin,
                           bool unwrapped) {
  INFO(name << ", every origin " << every_origin);
  const TemporaryDirectory folder;
  std::vector<std::string> command =
      split("vanhove --lags 0,1,5,11 --r-max 1.3 --bins 150 --block 7 --every-origin " +
                std::to_string(every_origin),
            ' ');
  command.insert(command.end(), {data_file(name), "-o", folder.file("program.h5")});
  if (unwrapped) {
    command.emplace_back("--unwrapped");
  }
  REQUIRE(run_program(command).exit_code == 0);

  const TestContext context;
  const auto reader = io::open_trajectory({data_file(name)}, {});
  const TestHistogram histogram(context, 1.3, 150, STARHIST_BOX_MATRIX);
  histogram.set_species(reader->info().species);
  must(starhist_set_frames_per_block(histogram.get(), 7));
  set_lags(histogram, {0, 1, 5, 11}, every_origin, unwrapped ? 1 : 0);
  must(starhist_set_units(histogram.get(), "nm", "ps"));
  add_frames(histogram, *reader);
  const std::string saved = folder.file("library.h5");
  must(starhist_save(histogram.get(), saved.c_str(), 0));
  const io::LagResult ours = io::read_lag_result(saved);
  CHECK(lag_difference(ours, io::read_lag_result(folder.file("program.h5"))) == "");
  CHECK(io::value_of(ours.channels.record, "option --unwrapped").has_value() ==
        unwrapped);
  const ProgramRun curves = run_program({"export", saved, "--quantity", "msd"});
  CHECK(curves.exit_code == 0);
  const ProgramRun of_program =
      run_program({"export", folder.file("program.h5"), "--quantity", "msd"});
  CHECK(curves.out.substr(curves.out.find("\nlag")) ==
        of_program.out.substr(of_program.out.find("\nlag")));
}

TEST_CASE("a saved file has the numbers of starhist vanhove") {
  check_against_vanhove("water.h5", 1, false);
  check_against_vanhove("water.h5", 3, true);
  check_against_vanhove("nacl-triclinic-npt.h5", 2, false);
}

TEST_CASE("merge names the order of species that a result of the library needs") {
  const TemporaryDirectory folder;
  const std::string program = folder.file("program.h5");
  REQUIRE(run_program({"vanhove", data_file("water.h5"), "-o", program, "--lags", "0,1",
                       "--r-max", "1.3", "--bins", "10"})
              .exit_code == 0);
  const TestContext context;
  const auto reader = io::open_trajectory({data_file("water.h5")}, {});
  const TestHistogram histogram(context, 1.3, 10, STARHIST_BOX_MATRIX);
  histogram.set_species({"O", "H"});
  must(starhist_set_frames_per_block(histogram.get(), 7));
  set_lags(histogram, {0, 1}, 1, 0);
  must(starhist_set_units(histogram.get(), "nm", "ps"));
  add_frames(histogram, *reader);
  const std::string saved = folder.file("library.h5");
  must(starhist_save(histogram.get(), saved.c_str(), 0));
  const ProgramRun run =
      run_program({"merge", program, saved, "-o", folder.file("both.h5")});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"different species", "has H, O", "has O, H",
                          "in the order H, O in starhist_set_species()"}) == "");
}

TEST_CASE("lags that are not rising, or come too late, are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const auto set = [&](const std::vector<std::uint64_t>& lags, std::uint64_t origins,
                       int unwrapped) {
    return outcome(starhist_set_lags(histogram.get(), lags.size(), lags.data(), origins,
                                     unwrapped));
  };
  CHECK(missing(set({1, 5, 5}, 1, 0),
                {"STARHIST_BAD_ARGUMENT", "lag 5 follows lag 5", "rising"}) == "");
  CHECK(missing(set({4, 2}, 1, 0), {"STARHIST_BAD_ARGUMENT", "lag 2 follows lag 4"}) ==
        "");
  CHECK(missing(set({1}, 0, 0), {"STARHIST_BAD_ARGUMENT", "origin"}) == "");
  CHECK(missing(set({1}, 1, 2), {"STARHIST_BAD_ARGUMENT", "unwrapped is 2"}) == "");
  CHECK(missing(set(std::vector<std::uint64_t>(10'001), 1, 0),
                {"STARHIST_BAD_ARGUMENT", "10001 lags"}) == "");
  const std::uint64_t only = 1;  // the others must not be read
  CHECK(missing(outcome(starhist_set_lags(histogram.get(), std::size_t{1} << 60, &only,
                                          1, 0)),
                {"STARHIST_BAD_ARGUMENT", "lags are too many"}) == "");
  CHECK(outcome(starhist_set_lags(histogram.get(), 1, nullptr, 1, 0))
            .starts_with("STARHIST_NULL_POINTER"));
  std::uint64_t lag = 0;
  CHECK(missing(outcome(starhist_get_pair_lag(histogram.get(), 0, &lag)),
                {"STARHIST_WRONG_STATE", "starhist_set_lags"}) == "");
  CHECK(set({0, 1}, 1, 0) == "STARHIST_OK");
  CHECK(set({}, 1, 0) == "STARHIST_OK");  // within frames again
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(histogram.counts(all_blocks, 0).bins[4] == 1);
  CHECK(set({0, 1}, 1, 0).starts_with("STARHIST_WRONG_STATE"));
}

TEST_CASE("frames with other particles are refused, and the next one may follow") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  set_lags(histogram, {1});
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(missing(outcome(histogram.add({0.1, 0.1, 0.1})),
                {"STARHIST_BAD_COUNT", "1 particles", "first frame has 2"}) == "");
  const std::int32_t labels[2] = {0, -1};
  CHECK(missing(outcome(starhist_set_labels(histogram.get(), 2, labels)),
                {"STARHIST_WRONG_STATE", "followed"}) == "");
  must(histogram.add({0.1, 0.1, 0.2, 0.1, 0.1, 0.4}));
  // From 0.1 to 0.4, and from 0.3 to 0.2.
  CHECK((histogram.counts(all_blocks, 0) ==
         TestHistogram::Counts{{0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, 0, 2}));
  const Displacements moved = displacements(histogram, all_blocks, 1, 0, 10);
  CHECK(moved.bins[2] == 2);
  CHECK(moved.squares == Approx(0.02));
  CHECK(std::isnan(moved.time));  // no frame has a time

  must(starhist_reset(histogram.get()));
  must(starhist_set_labels(histogram.get(), 2, labels));
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  must(histogram.add({0.1, 0.1, 0.2, 0.1, 0.1, 0.4}));
  CHECK(histogram.counts(all_blocks, 0).pairs == 0);
  CHECK(displacements(histogram, all_blocks, 1, 0, 10).particles == 1);
}

TEST_CASE("results that lags do not have are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  set_lags(histogram, {0, 2});
  for (int k = 0; k < 4; ++k) {
    must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  }
  double values[10];
  CHECK(missing(outcome(starhist_get_g(histogram.get(), 1, STARHIST_PER_FRAME, 10,
                                       values, nullptr)),
                {"STARHIST_BAD_ARGUMENT", "STARHIST_PAIRS_OVER_VOLUME"}) == "");
  CHECK(outcome(starhist_get_coordination(histogram.get(), 0, 0, 10, values, nullptr))
            .starts_with("STARHIST_WRONG_STATE"));
  must(starhist_get_g(histogram.get(), 1, STARHIST_PAIRS_OVER_VOLUME, 10, values,
                      nullptr));
  CHECK(values[4] > 0.0);
  const auto get = [&](std::uint64_t lag, std::size_t species, std::size_t size) {
    std::uint64_t counts[10];
    return outcome(starhist_get_displacements(histogram.get(), all_blocks, lag, species,
                                              size, counts, nullptr, nullptr, nullptr,
                                              nullptr, nullptr));
  };
  CHECK(get(2, 0, 10) == "STARHIST_OK");
  CHECK(missing(get(1, 0, 10), {"STARHIST_BAD_ARGUMENT", "lag 1 is not counted"}) ==
        "");
  CHECK(missing(get(2, 1, 10), {"STARHIST_BAD_ARGUMENT", "species"}) == "");
  CHECK(get(2, 0, 9).starts_with("STARHIST_BAD_SIZE"));
  std::size_t pair = 7;
  must(starhist_find_pair(histogram.get(), "all-all", &pair));
  CHECK(pair == 0);
  CHECK(missing(outcome(starhist_find_pair(histogram.get(), "all-H", &pair)),
                {"STARHIST_UNKNOWN_PAIR"}) == "");
}

TEST_CASE("long steps lead to a warning") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const auto warning = [&] {
    const char* text = nullptr;
    must(starhist_get_error_warning(histogram.get(), &text));
    return std::string(text);
  };
  for (const int unwrapped : {0, 1}) {
    must(starhist_reset(histogram.get()));
    set_lags(histogram, {1}, 1, unwrapped);
    must(histogram.add({0.1, 0.1, 0.1}));
    must(histogram.add({0.1, 0.1, 0.2}));
    CHECK(warning().empty());
    must(histogram.add({0.1, 0.1, unwrapped == 1 ? 0.9 : 0.55}));
    CHECK(missing(warning(), {"1 displacement between", "frame 2", "unwrapped"}) == "");
  }
}

TEST_CASE("too little memory, and boxes that shrink beyond all digits, are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  set_lags(histogram, {1'000'000'000});
  must(starhist_set_memory(histogram.get(), 1ULL << 30U));
  const std::vector<double> two{0.1, 0.1, 0.1, 0.1, 0.1, 1e6};
  CHECK(missing(outcome(histogram.add(two)),
                {"STARHIST_OUT_OF_MEMORY", "96 000 000 192 bytes",
                 "starhist_set_memory"}) == "");
  CHECK(outcome(histogram.add(two)).starts_with("STARHIST_BROKEN"));
  must(starhist_reset(histogram.get()));
  set_lags(histogram, {1});
  must(histogram.add(two));
  CHECK(missing(outcome(histogram.add({0, 0, 0, 0, 0, 0}, {1e-5, 1e-5, 1e-5})),
                {"STARHIST_BAD_POSITION", "earlier frame", "frame 1"}) == "");
}

}  // namespace
}  // namespace starhist::testing
