// Numbers of neighbours by the C library: equal to a plain loop and to `starhist
// coordination`, also in saved files.
#include <cmath>
#include <string>
#include <vector>

#include <starhist_file.h>

#include "codelets/core/counting/pair_bin.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/coordination_result.hh"
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

struct Shell {
  std::size_t centre;
  std::size_t neighbour;
  double cutoff;
};

starhist_status set_shells(const TestHistogram& histogram,
                           const std::vector<Shell>& shells) {
  std::vector<std::size_t> centres;
  std::vector<std::size_t> neighbours;
  std::vector<double> cutoffs;
  for (const Shell& shell : shells) {
    centres.push_back(shell.centre);
    neighbours.push_back(shell.neighbour);
    cutoffs.push_back(shell.cutoff);
  }
  return starhist_set_shells(histogram.get(), shells.size(), centres.data(),
                             neighbours.data(), cutoffs.data());
}

std::vector<std::uint64_t> distribution(const TestHistogram& histogram,
                                        std::uint64_t block, std::size_t shell) {
  std::size_t most = 0;
  must(starhist_get_neighbours(histogram.get(), block, shell, 0, nullptr, &most));
  std::vector<std::uint64_t> particles(most + 1);
  must(starhist_get_neighbours(histogram.get(), block, shell, particles.size(),
                               particles.data(), nullptr));
  return particles;
}

std::vector<std::uint64_t> by_particle(const TestHistogram& histogram,
                                       std::size_t shell) {
  std::size_t size = 0;
  must(starhist_get_particle_neighbours(histogram.get(), shell, 0, nullptr, &size));
  std::vector<std::uint64_t> neighbours(size);
  must(starhist_get_particle_neighbours(histogram.get(), shell, size, neighbours.data(),
                                        nullptr));
  return neighbours;
}

/// Neighbours of each particle in one frame; UINT64_MAX for other species.
std::vector<std::uint64_t> plain_neighbours(const Box& box,
                                            const std::vector<double>& positions,
                                            const std::vector<std::int32_t>& labels,
                                            const Shell& shell) {
  const UniformBins bins = make_bins(shell.cutoff, 1);
  const auto at = [&](std::size_t i) {
    return Vec3{positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
  };
  std::vector<std::uint64_t> counts(labels.size(), UINT64_MAX);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != static_cast<std::int32_t>(shell.centre)) {
      continue;
    }
    counts[i] = 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (j != i && labels[j] == static_cast<std::int32_t>(shell.neighbour) &&
          pair_bin(box.minimum_image(), bins, at(i), at(j)) == 0) {
        ++counts[i];
      }
    }
  }
  return counts;
}

TEST_CASE("a plain loop over particles has the same neighbours") {
  const TestContext context;
  Random random(4);
  const std::vector<Shell> shells{{0, 0, 0.3}, {0, 1, 0.45}, {1, 0, 0.2}};
  for (const Box& box : {cubic_box(1.1), truncated_octahedron(),
                         periodic_box({0.9, 0, 0}, {0.2, 1.0, 0}, {0.3, -0.1, 1.2})}) {
    const TestHistogram histogram(context, 7.0, 3, STARHIST_BOX_MATRIX);
    histogram.set_species({"A", "B"});
    must(set_shells(histogram, shells));
    must(starhist_set_frames_per_block(histogram.get(), 2));
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < 200; ++i) {
      labels.push_back(static_cast<std::int32_t>(random.below(3)) - 1);
    }
    must(starhist_set_labels(histogram.get(), labels.size(), labels.data()));
    std::vector<std::vector<std::uint64_t>> sums(shells.size());
    std::vector<std::vector<NeighbourCounts>> expected(shells.size());  // by block
    for (std::uint64_t frame = 0; frame < 5; ++frame) {
      const std::vector<double> positions =
          random_positions(random, box, labels.size());
      must(starhist_set_labels(histogram.get(), labels.size(), labels.data()));
      must(starhist_add_frame(histogram.get(), labels.size(), positions.data(), 0, 0,
                              matrix_of(box).data()));
      for (std::size_t s = 0; s < shells.size(); ++s) {
        const auto counts = plain_neighbours(box, positions, labels, shells[s]);
        sums[s].resize(counts.size());
        expected[s].resize(frame / 2 + 1);
        std::uint64_t centres = 0;
        std::uint64_t neighbours = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
          const bool centre = counts[i] != UINT64_MAX;
          sums[s][i] = centre ? sums[s][i] + counts[i] : UINT64_MAX;
          if (centre) {
            NeighbourCounts& block = expected[s].back();
            block.resize(std::max<std::size_t>(block.size(), counts[i] + 1));
            ++block[counts[i]];
            ++centres;
            neighbours += counts[i];
          }
        }
        double time = 0.0;
        std::uint64_t found_centres = 0;
        std::uint64_t found = 0;
        must(starhist_get_frame_neighbours(histogram.get(), frame, s, &time,
                                           &found_centres, &found));
        CHECK(std::isnan(time));
        CHECK(found_centres == centres);
        CHECK(found == neighbours);
      }
    }
    REQUIRE(histogram.block_count() == 3);
    for (std::size_t s = 0; s < shells.size(); ++s) {
      NeighbourCounts total;
      for (std::size_t b = 0; b < 3; ++b) {
        CHECK(distribution(histogram, b, s) == expected[s][b]);
        starhist::add(expected[s][b], total);
      }
      CHECK(distribution(histogram, all_blocks, s) == total);
      CHECK(by_particle(histogram, s) == sums[s]);
    }
  }
}

TEST_CASE("a saved file has the numbers of starhist coordination") {
  const TemporaryDirectory folder;
  const std::string of_program = folder.file("program.h5");
  REQUIRE(run_program({"coordination", data_file("water.h5"), "-o", of_program,
                       "--cutoff", "O-H=0.245,O-O=0.335", "--block", "7", "--per-frame",
                       "--per-particle"})
              .exit_code == 0);
  const io::CoordinationResult theirs = io::read_coordination_result(of_program);

  const TestContext context;
  const auto reader = io::open_trajectory({data_file("water.h5")}, {});
  const TestHistogram histogram(context, 1.0, 1, STARHIST_BOX_MATRIX);
  histogram.set_species(theirs.file.layout.species);
  std::vector<Shell> shells;
  for (const NeighbourShell& shell : theirs.shells) {
    shells.push_back({shell.centre.index(), shell.neighbour.index(), shell.cutoff()});
  }
  REQUIRE(shells.size() == 2);
  must(set_shells(histogram, shells));
  must(starhist_set_units(histogram.get(), "nm", "ps"));
  must(starhist_set_frames_per_block(histogram.get(), 7));
  REQUIRE(reader->info().species == theirs.file.layout.species);
  Frame frame;
  for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
    reader->read(FrameIndex(k), frame);
    std::vector<double> positions;
    std::vector<std::uint64_t> numbers;
    for (const std::vector<double>& of_species : frame.positions) {
      positions.insert(positions.end(), of_species.begin(), of_species.end());
      numbers.push_back(of_species.size() / 3);
    }
    must(starhist_set_species_counts(histogram.get(), numbers.size(), numbers.data()));
    must(starhist_set_time(histogram.get(), frame.step, frame.time));
    must(starhist_add_frame(histogram.get(), positions.size() / 3, positions.data(), 0,
                            0, matrix_of(frame.box).data()));
  }
  const std::string saved = folder.file("library.h5");
  must(starhist_save(histogram.get(), saved.c_str(), 0));
  const io::CoordinationResult ours = io::read_coordination_result(saved);
  CHECK(ours.shells == theirs.shells);
  CHECK(ours.file.layout.length_unit == "nm");
  CHECK(ours.counts == theirs.counts);
  CHECK(ours.times == theirs.times);
  REQUIRE((ours.frames && theirs.frames));
  CHECK(ours.frames->centres == theirs.frames->centres);
  CHECK(ours.frames->neighbours == theirs.frames->neighbours);
  REQUIRE(ours.particles.size() == 2);
  REQUIRE(theirs.particles.size() == 2);
  for (std::size_t s = 0; s < 2; ++s) {
    CHECK(ours.particles[s].neighbours == theirs.particles[s].neighbours);
    CHECK(ours.particles[s].order.row.size() == ours.particles[s].neighbours.size());
  }
  REQUIRE(ours.file.blocks.size() == theirs.file.blocks.size());
  for (std::size_t b = 0; b < ours.file.blocks.size(); ++b) {
    CHECK(ours.file.blocks[b].first_frame == theirs.file.blocks[b].first_frame);
    CHECK(ours.file.blocks[b].last_frame == theirs.file.blocks[b].last_frame);
    CHECK(ours.file.blocks[b].particle_number == theirs.file.blocks[b].particle_number);
  }
  const ProgramRun info = run_program({"info", saved});
  CHECK(info.exit_code == 0);
  CHECK(missing(info.out, {"O-H below 0.245 nm", "per frame, per particle"}) == "");
  CHECK(missing(outcome(starhist_save(histogram.get(), saved.c_str(), 0)),
                {"STARHIST_FILE_ERROR", "exists already"}) == "");
}

TEST_CASE("invalid shells are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  for (const double cutoff : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    CHECK(missing(outcome(set_shells(histogram, {{0, 0, 0.2}, {0, 0, cutoff}})),
                  {"STARHIST_BAD_ARGUMENT", "cut-off of shell 1", "above 0"}) == "");
  }
  CHECK(missing(outcome(set_shells(histogram, {{0, 1, 0.2}})),
                {"STARHIST_BAD_ARGUMENT", "no species has the number 1"}) == "");
  const std::size_t species = 0;
  CHECK(outcome(starhist_set_shells(histogram.get(), 1, &species, &species, nullptr))
            .starts_with("STARHIST_NULL_POINTER"));
  const std::uint64_t lag = 1;
  must(starhist_set_lags(histogram.get(), 1, &lag, 1, 0));
  CHECK(missing(outcome(set_shells(histogram, {{0, 0, 0.2}})),
                {"STARHIST_WRONG_STATE", "between frames"}) == "");
  must(starhist_set_lags(histogram.get(), 0, nullptr, 1, 0));
  must(set_shells(histogram, {{0, 0, 0.2}}));
  CHECK(missing(outcome(starhist_set_lags(histogram.get(), 1, &lag, 1, 0)),
                {"STARHIST_WRONG_STATE", "neighbours"}) == "");
  std::size_t pairs = 7;
  must(starhist_get_numbers(histogram.get(), nullptr, nullptr, nullptr, &pairs,
                            nullptr));
  CHECK(pairs == 0);
  must(set_shells(histogram, {}));  // pairs again
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(histogram.counts(all_blocks, 0).bins[4] == 1);
  std::size_t most = 0;
  CHECK(missing(outcome(starhist_get_neighbours(histogram.get(), all_blocks, 0, 0,
                                                nullptr, &most)),
                {"STARHIST_WRONG_STATE", "starhist_set_shells"}) == "");
}

TEST_CASE("a box too small for a cut-off is refused, and the next frame may follow") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  must(set_shells(histogram, {{0, 0, 0.45}}));
  const std::vector<double> two{0.1, 0.1, 0.1, 0.1, 0.1, 0.5};
  must(histogram.add(two));
  CHECK(missing(outcome(histogram.add(two, {1.0, 0.8, 1.0})),
                {"STARHIST_BAD_BOX", "cut-off 0.45 of all-all", "0.4"}) == "");
  CHECK(distribution(histogram, all_blocks, 0) == std::vector<std::uint64_t>{0, 2});
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.6}));
  CHECK(distribution(histogram, all_blocks, 0) == std::vector<std::uint64_t>{2, 2});
  std::uint64_t counts[3] = {7, 7, 7};
  CHECK(starhist_get_neighbours(histogram.get(), all_blocks, 0, 1, counts, nullptr) ==
        STARHIST_BAD_SIZE);
  must(starhist_get_neighbours(histogram.get(), all_blocks, 0, 3, counts, nullptr));
  CHECK(counts[1] == 2);
  CHECK(counts[2] == 0);
  CHECK(outcome(starhist_get_frame_neighbours(histogram.get(), 2, 0, nullptr, nullptr,
                                              nullptr))
            .starts_with("STARHIST_NO_FRAMES"));
  CHECK(outcome(starhist_get_shell(histogram.get(), 1, nullptr, nullptr, nullptr))
            .starts_with("STARHIST_BAD_ARGUMENT"));
}

TEST_CASE("the sums of particles end when particles change") {
  const TemporaryDirectory folder;
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  must(set_shells(histogram, {{0, 0, 0.3}}));
  std::size_t pair = 0;
  CHECK(missing(outcome(starhist_find_pair(histogram.get(), "all-all", &pair)),
                {"STARHIST_UNKNOWN_PAIR", "counts neighbours, not pairs"}) == "");
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(by_particle(histogram, 0) == std::vector<std::uint64_t>{1, 1});
  must(histogram.add({0.1, 0.1, 0.1}));
  std::size_t size = 0;
  CHECK(missing(outcome(starhist_get_particle_neighbours(histogram.get(), 0, 0, nullptr,
                                                         &size)),
                {"STARHIST_WRONG_STATE", "have changed"}) == "");
  CHECK(distribution(histogram, all_blocks, 0) == std::vector<std::uint64_t>{1, 2});
  must(starhist_save(histogram.get(), folder.file("changed.h5").c_str(), 0));
  CHECK(io::read_coordination_result(folder.file("changed.h5")).particles.empty());

  must(starhist_reset(histogram.get()));
  CHECK(outcome(starhist_get_particle_neighbours(histogram.get(), 0, 0, nullptr, &size))
            .starts_with("STARHIST_NO_FRAMES"));
  must(histogram.add({0.1, 0.1, 0.1}));
  CHECK(by_particle(histogram, 0) == std::vector<std::uint64_t>{0});

  must(starhist_reset(histogram.get()));
  histogram.set_species({"A", "B"});  // discards the shells
  must(set_shells(histogram, {{1, 0, 0.3}}));
  std::int32_t labels[2] = {0, 0};
  must(starhist_set_labels(histogram.get(), 2, labels));
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(missing(
            outcome(starhist_save(histogram.get(), folder.file("none.h5").c_str(), 0)),
            {"STARHIST_BAD_COUNT", "species B"}) == "");
  labels[1] = 1;
  must(starhist_set_labels(histogram.get(), 2, labels));
  must(histogram.add({0.1, 0.1, 0.1, 0.1, 0.1, 0.3}));
  CHECK(starhist_get_particle_neighbours(histogram.get(), 0, 0, nullptr, &size) ==
        STARHIST_WRONG_STATE);
}

}  // namespace
}  // namespace starhist::testing
