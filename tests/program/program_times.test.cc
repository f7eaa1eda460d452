#include <cmath>
#include <filesystem>
#include <fstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/tasks/trajectories.hh"

// Selection of frames by time.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = RdfRunner::Words;

const Words time_bins{"--r-max", "1.2", "--bins", "60", "--block", "2", "-q"};

Words with_time_bins(Words words, const Words& more = {}) {
  words.insert(words.end(), time_bins.begin(), time_bins.end());
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

io::ResultFile counted_times(const Words& inputs, const Words& more) {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(with_time_bins(inputs, more));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return rdf.result();
}

const std::string timed_water = data_file("water.h5");  // 0, 0.1, ... 5 ps

/// "" if both select the same frames.
std::string difference_of(const Words& inputs, const Words& times,
                          const Words& numbers) {
  return difference(counted_times(inputs, times).blocks,
                    counted_times(inputs, numbers).blocks);
}

TEST_CASE("rdf --begin, --end and --every select the frames of these times") {
  CHECK(difference_of({timed_water}, {"--begin", "0.3", "--end", "0.7"},
                      {"--first", "3", "--last", "7"}) == "");
  CHECK(difference_of({timed_water}, {"--every", "0.7"}, {"--step", "7"}) == "");
  CHECK(difference_of({timed_water},
                      {"--begin", "1.15", "--every", "0.5", "--end", "4"},
                      {"--first", "12", "--step", "5", "--last", "40"}) == "");
  CHECK(difference_of({timed_water}, {"--first", "4", "--end", "1", "--step", "3"},
                      {"--first", "4", "--last", "10", "--step", "3"}) == "");
  // Both files start at 0.
  const io::ResultFile both =
      counted_times({timed_water, timed_water}, {"--end", "0.1", "--repeated", "keep"});
  REQUIRE(both.blocks.size() == 2);
  CHECK(both.blocks[0].first_frame.get() == 0);
  CHECK(both.blocks[1].last_frame.get() == 52);
  const BlockCounts all = total(both.blocks);
  CHECK(all.frames == 4);
  const BlockCounts first = total(counted_times({timed_water}, {"--last", "1"}).blocks);
  CHECK(all.pairs[0] == 2 * first.pairs[0]);
  for (std::size_t k = 0; k < first.counts[0].size(); ++k) {
    REQUIRE(all.counts[0][k] == 2 * first.counts[0][k]);
  }
}

TEST_CASE("rdf --blocks makes at most that many blocks of equal length") {
  const auto lengths = [](const Words& more) {
    const RdfRunner rdf;
    Words words{timed_water, "--r-max", "0.5", "--bins", "10", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = rdf.run(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    std::vector<std::uint64_t> frames;
    for (const BlockCounts& block : rdf.result().blocks) {
      frames.push_back(block.frames);
    }
    return frames;
  };
  using Lengths = std::vector<std::uint64_t>;
  CHECK(lengths({"--blocks", "3"}) == Lengths{17, 17, 17});
  CHECK(lengths({"--blocks", "1"}) == Lengths{51});
  CHECK(lengths({"--blocks", "4", "--last", "9"}) == Lengths{3, 3, 3, 1});
  CHECK(lengths({"--blocks", "2", "--end", "0.4"}) == Lengths{3, 2});
  CHECK(lengths({"--blocks", "5", "--every", "1"}) == Lengths{2, 2, 2});
  CHECK(lengths({"--blocks", "4", "--last", "2"}) == Lengths{1, 1, 1});
}

TEST_CASE("rdf --blocks is resumed only with blocks of the same length") {
  SmallTrajectory small = small_trajectory(8);
  small.positions[5][0] = std::nan("");
  const RdfRunner rdf;
  const std::string path = rdf.file("small.h5");
  write_h5md(path, small);
  const Words words{path, "--r-max", "0.5", "--bins", "5", "-q", "--blocks", "4"};
  REQUIRE(rdf.run(words).exit_code == 1);
  REQUIRE(rdf.has_partial());
  Words fewer = words;
  fewer.insert(fewer.end(), {"--resume", "--skip-bad-frames", "--last", "3"});
  const ProgramRun refused = rdf.run(fewer);
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"frames per block was '2' and is '1' now"}) == "");
  Words again = words;
  again.insert(again.end(), {"--resume", "--skip-bad-frames"});
  CHECK(rdf.run(again).exit_code == 3);
  CHECK(rdf.result().blocks.size() == 4);
}

TEST_CASE("a limit given as number and time, or invalid, is refused") {
  const RdfRunner rdf;
  const auto refusal = [&](const Words& more,
                           std::initializer_list<const char*> words) {
    return refusal_problem(rdf, rdf.run(with_time_bins({timed_water}, more)), words);
  };
  CHECK(refusal({"--first", "0", "--begin", "1"}, {"--first and --begin exclude"}) ==
        "");
  CHECK(refusal({"--last", "9", "--end", "1"}, {"--last and --end exclude"}) == "");
  CHECK(refusal({"--step", "2", "--every", "1", "--begin", "x"},
                {"2 problems", "--step and --every exclude", "'x' is not a number"}) ==
        "");
  CHECK(refusal({"--blocks", "3"}, {"--block and --blocks exclude"}) == "");
  CHECK(refusal({"--end", "nan"}, {"--end nan"}) == "");
  for (const char* every : {"0", "-1"}) {
    CHECK(refusal({"--every", every}, {"--every", every, "more than 0"}) == "");
  }
  CHECK(refusal({"--begin", "3", "--end", "2"}, {"--begin 3, --end 2"}) == "");
  CHECK(refusal({"--begin", "6"}, {"no frames are selected", "--begin 6", "ps"}) == "");
  const TextTrajectory timeless("1\nno time\nAr 0 0 0\n1\nno time\nAr 1 0 0\n",
                                "a.xyz");
  CHECK(refusal_problem(rdf, rdf.run(with_time_bins({timeless.path}, {"--end", "1"})),
                        {"a.xyz", "has no times", "--first, --last and --step"}) == "");
}

TEST_CASE("a run selected by time is resumed at its stop") {
  SmallTrajectory small = small_trajectory(12);  // 0, 0.5, ... 5.5 ps
  small.positions[8][0] = std::nan("");
  const RdfRunner rdf;
  const std::string path = rdf.file("small.h5");
  write_h5md(path, small);
  const Words words = with_time_bins({path}, {"--begin", "1", "--every", "1"});
  const ProgramRun first = rdf.run(words);  // frames 2, 4, 6, 8, 10
  CHECK(first.exit_code == 1);
  CHECK(missing(first.err, {"frame 8", "nan"}) == "");
  REQUIRE(rdf.has_partial());
  Words again = words;
  again.insert(again.end(), {"--resume", "--skip-bad-frames"});
  const ProgramRun changed = rdf.run(with_time_bins(
      {path}, {"--begin", "1", "--every", "0.5", "--resume", "--skip-bad-frames"}));
  CHECK(changed.exit_code == 1);
  CHECK(missing(changed.err, {"--every was '1' and is '0.5' now"}) == "");
  const ProgramRun run = rdf.run(again);
  INFO(run.err);
  CHECK(run.exit_code == 3);
  const io::ResultFile result = rdf.result();
  CHECK(missing(io::value_of(result.record, "run 2").value_or(""),
                {"from frame 6 on"}) == "");
  REQUIRE(result.blocks.size() == 3);
  CHECK(result.blocks[0].last_frame.get() == 4);
  CHECK(result.blocks[1].frames == 1);  // 6, without 8
  CHECK(result.blocks[1].first_frame.get() == 6);
  CHECK(result.blocks[2].last_frame.get() == 10);

  const RdfRunner alone;
  Words at_once = with_time_bins({path}, {"--begin", "1", "--every", "1"});
  at_once.emplace_back("--skip-bad-frames");
  REQUIRE(alone.run(at_once).exit_code == 3);
  CHECK(difference(result.blocks, alone.result().blocks) == "");
}

TEST_CASE("a truncated frame is reported only if its time may be selected") {
  const RdfRunner rdf;
  const TextTrajectory file("1\nTime=1\nAr 0 0 0\n1\nTime=2\nAr 0 0 1\n1\nTime=3\n",
                            "a.xyz");
  const Words words{file.path, "--box", "3,3,3", "--r-max", "1", "--bins", "5", "-f"};
  const auto exit_code = [&](const Words& more) {
    Words all = words;
    all.insert(all.end(), more.begin(), more.end());
    return rdf.run(all).exit_code;
  };
  CHECK(exit_code({"--end", "1"}) == 0);
  CHECK(exit_code({"--end", "2"}) == 3);
  CHECK(exit_code({"--begin", "2"}) == 3);
}

TEST_CASE("parts of a trajectory by time are merged, and no frame counts twice") {
  const RdfRunner even;
  const RdfRunner odd;
  const RdfRunner late;
  REQUIRE(even.run(with_time_bins({timed_water}, {"--every", "0.2"})).exit_code == 0);
  REQUIRE(odd.run(with_time_bins({timed_water}, {"--begin", "0.1", "--every", "0.2"}))
              .exit_code == 0);
  REQUIRE(late.run(with_time_bins({timed_water}, {"--begin", "4"})).exit_code == 0);
  const std::string both = even.file("both.h5");
  const ProgramRun merged =
      run_program({"merge", even.output(), odd.output(), "-o", both});
  INFO(merged.err);
  CHECK(merged.exit_code == 0);
  CHECK(total(io::read_result(both).blocks).counts ==
        summed_counts(counted_times({timed_water}, {})));
  const ProgramRun twice =
      run_program({"merge", odd.output(), late.output(), "-o", even.file("no.h5")});
  CHECK(twice.exit_code == 1);
  CHECK(missing(twice.err, {"frame 41", "is in both"}) == "");
}

TEST_CASE("convert selects frames by time, too") {
  const RdfRunner rdf;
  const std::string by_time = rdf.file("times.h5");
  const ProgramRun run = run_program({"convert", timed_water, "-o", by_time, "--begin",
                                      "1", "--end", "2", "--every", "0.5"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(missing(run.err, {"3 frames"}) == "");
  CHECK(summed_counts(counted_times({by_time}, {})) ==
        summed_counts(counted_times({timed_water},
                                    {"--first", "10", "--last", "20", "--step", "5"})));
  const ProgramRun refused = run_program(
      {"convert", timed_water, "-o", by_time, "--first", "1", "--begin", "1"});
  CHECK(refused.exit_code == 1);
}

}  // namespace
}  // namespace starhist::testing
