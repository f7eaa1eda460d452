#include <cmath>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"

// Pairs, frames, files, particle groups and boxes that `starhist rdf` counts.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// Result of a run of `rdf` that must succeed.
io::ResultFile counted_selection(const Words& arguments) {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(arguments);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return rdf.result();
}

const Words selection_bins{"--r-max", "1.2", "--bins", "60"};

Words with_selection_bins(Words words, const Words& more = {}) {
  words.insert(words.end(), selection_bins.begin(), selection_bins.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Counts of every single frame of the water sample.
const io::ResultFile& water_frames() {
  static const io::ResultFile result =
      counted_selection(with_selection_bins({data_file("water.h5")}, {"--block", "1"}));
  return result;
}

TEST_CASE("rdf --pairs counts those pairs in that order") {
  const io::ResultFile all = water_frames();
  const io::ResultFile some = counted_selection(
      with_selection_bins({data_file("water.h5")}, {"--pairs", "O-O,O-H"}));
  REQUIRE(some.layout.pairs.size() == 2);
  CHECK(pair_name(some.layout.pairs[0], some.layout.species) == "O-O");
  CHECK(pair_name(some.layout.pairs[1], some.layout.species) == "H-O");
  CHECK(summed_counts(some)[0] == summed_counts(all)[2]);
  CHECK(summed_counts(some)[1] == summed_counts(all)[1]);
}

TEST_CASE(
    "rdf --first, --last and --step select frames, whose numbers are in the result") {
  const io::ResultFile some = counted_selection(with_selection_bins(
      {data_file("water.h5")},
      {"--first", "3", "--last", "45", "--step", "10", "--block", "2"}));
  REQUIRE(some.blocks.size() == 3);  // frames 3 13, 23 33, 43
  const std::uint64_t expected[3][2] = {{3, 13}, {23, 33}, {43, 43}};
  for (std::size_t b = 0; b < 3; ++b) {
    const BlockCounts& block = some.blocks[b];
    CHECK(block.frames == (b == 2 ? 1 : 2));
    CHECK(block.first_frame.get() == expected[b][0]);
    CHECK(block.last_frame.get() == expected[b][1]);
    BlockCounts frames = water_frames().blocks[expected[b][0]];
    if (block.frames == 2) {
      frames = total({frames, water_frames().blocks[expected[b][1]]});
    }
    CHECK(block.counts == frames.counts);
    CHECK(block.out_of_range == frames.out_of_range);
    CHECK(block.pairs == frames.pairs);
    CHECK(block.last_time == frames.last_time);
    CHECK(block.last_step == frames.last_step);
  }
}

TEST_CASE("several files are one trajectory") {
  const std::string water = data_file("water.h5");
  const io::ResultFile both = counted_selection(with_selection_bins(
      {water, water},
      {"--repeated", "keep", "--first", "49", "--last", "53", "--block", "1"}));
  REQUIRE(both.blocks.size() == 5);
  const std::size_t expected[] = {49, 50, 0, 1, 2};
  for (std::size_t b = 0; b < 5; ++b) {
    CHECK(both.blocks[b].first_frame.get() == 49 + b);
    CHECK(both.blocks[b].counts == water_frames().blocks[expected[b]].counts);
  }
}

TEST_CASE("files of different systems are not one trajectory") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(
      with_selection_bins({data_file("water.h5"), data_file("nacl-triclinic-npt.h5")}));
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"nacl-triclinic-npt.h5: is of another system than",
                          "count each file separately"}) == "");
}

TEST_CASE("rdf --box replaces the box of the file") {
  const std::string water = data_file("water.h5");
  const auto in_file = summed_counts(water_frames());
  for (const std::string same : {"file", "3,3,3", "3,3,3,90,90,90"}) {
    INFO(same);
    CHECK(summed_counts(counted_selection(
              with_selection_bins({water}, {"--box", same}))) == in_file);
  }
  const io::ResultFile larger =
      counted_selection(with_selection_bins({water}, {"--box", "4,3,3"}));
  CHECK(summed_counts(larger) != in_file);
  CHECK(relative_error(total(larger.blocks).volume, 36.0 * 51) < 1e-12);
  const io::ResultFile tilted =
      counted_selection(with_selection_bins({water}, {"--box", "3,3,3,60,70,80"}));
  CHECK(summed_counts(tilted) != in_file);
}

TEST_CASE("rdf --box none counts direct distances") {
  const RdfRunner rdf;
  const SmallTrajectory small = small_trajectory(2);
  write_h5md(rdf.file("small.h5"), small);
  std::vector<std::uint64_t> expected(40);
  const double r_max = 5.0;
  std::uint64_t out_of_range = 0;
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const std::vector<double> oxygen = positions_of(small, frame, "O");
    REQUIRE(oxygen.size() == 6);
    const double r =
        std::hypot(oxygen[0] - oxygen[3], oxygen[1] - oxygen[4], oxygen[2] - oxygen[5]);
    const auto bin = static_cast<std::size_t>(r / r_max * 40 + 0x1p-30);
    bin < 40 ? ++expected[bin] : ++out_of_range;
  }
  const io::ResultFile result = counted_selection(
      {rdf.file("small.h5"), "--r-max", "5", "--bins", "40", "--box", "none"});
  CHECK(summed_counts(result)[2] == expected);
  CHECK(total(result.blocks).out_of_range[2] == out_of_range);
  CHECK(total(result.blocks).volume == 0.0);
}

TEST_CASE("rdf --group selects one of several particle groups") {
  const RdfRunner rdf;
  const std::string path = rdf.file("groups.h5");
  SmallTrajectory small = small_trajectory(2);
  small.group = "solvent";
  write_h5md(path, small);
  {
    HdfFile file(path, HdfFile::Mode::edit);
    file.group("particles/shell");
    file.hard_link("particles/solvent/box", "particles/shell/box");
    file.hard_link("particles/solvent/position", "particles/shell/position");
  }
  const Words arguments{path, "--r-max", "1", "--bins", "10"};
  CHECK(refusal_problem(rdf, rdf.run(arguments),
                        {"several particle groups", "shell", "solvent", "--group"}) ==
        "");
  Words chosen = arguments;
  chosen.insert(chosen.end(), {"--group", "solvent"});
  CHECK(counted_selection(chosen).layout.species == Words{"H", "O"});
  chosen.back() = "shell";
  CHECK(counted_selection(chosen).layout.species == Words{"all"});
  chosen.back() = "protein";
  CHECK(refusal_problem(rdf, rdf.run(chosen), {"protein", "shell", "solvent"}) == "");
}

}  // namespace
}  // namespace starhist::testing
