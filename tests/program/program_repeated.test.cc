#include <string>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

// Frames that a file contains twice, and gaps between frames.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// A frame of LAMMPS, which has a step and no time. The atoms move with the step.
std::string dump_frame(int step) {
  const std::string x = std::to_string(0.02 * step);
  return "ITEM: TIMESTEP\n" + std::to_string(step) +
         "\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
         "ITEM: ATOMS id type x y z\n1 1 " +
         x + " 1 1\n2 1 2 " + x + " 1\n3 1 3 3 " + x + "\n";
}

/// Frames at the steps begin, begin + 10, ... end.
std::string dump(int begin, int end) {
  std::string text;
  for (int step = begin; step <= end; step += 10) {
    text += dump_frame(step);
  }
  return text;
}

const Words dump_bins{"--unit", "lj", "--r-max", "3.5", "--bins", "70"};

/// Runs a command that writes a result of `file`, and returns its messages.
ProgramRun counted(const RdfRunner& folder, const std::string& command,
                   const std::string& file, const Words& more) {
  return run_program(
      with(with({command, file, "-o", folder.output(), "--force"}, dump_bins), more));
}

TEST_CASE("frames that a restarted run appends to its dump count once") {
  const TextTrajectory restart(dump(0, 70) + dump(50, 110), "restart.dump");
  const TextTrajectory whole(dump(0, 110), "whole.dump");
  const RdfRunner folder;
  const auto counts = [&](const std::string& path, const Words& more) {
    const ProgramRun run = counted(folder, "rdf", path, more);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return total(folder.result().blocks);
  };
  for (const Words& selected :
       {Words{}, Words{"--first", "6", "--last", "10", "--step", "2"},
        Words{"--part", "2/3", "--block", "2"}, Words{"--blocks", "5"}}) {
    const BlockCounts once = counts(restart.path, selected);
    const BlockCounts expected = counts(whole.path, selected);
    CHECK(once.frames == expected.frames);
    CHECK(once.counts == expected.counts);
  }
  CHECK(counts(restart.path, {"--repeated", "keep"}).frames == 15);
  for (const char* command : {"rdf", "vanhove"}) {
    const ProgramRun run = counted(folder, command, restart.path, {});
    INFO(run.err);
    CHECK(run.exit_code == 0);
    CHECK(missing(run.err, {"restart.dump from frame 8 on",
                            "first 3 frames repeat times", "from step 50"}) == "");
    const ProgramRun refused =
        counted(folder, command, restart.path, {"--repeated", "fail"});
    CHECK(refused.exit_code == 1);
    CHECK(missing(refused.err, {"from frame 8 on", "--repeated is fail"}) == "");
  }
  const std::string output = folder.file("other.h5");
  for (const Words& words :
       {Words{"coordination", restart.path, "--unit", "lj", "--cutoff", "2", "-o",
              output, "--force"},
        Words{"convert", restart.path, "--unit", "lj", "-o", output, "--force"},
        Words{"info", restart.path}}) {
    const ProgramRun run = run_program(words);
    INFO(run.err);
    CHECK(run.exit_code == 0);
    CHECK(missing(run.err + run.out,
                  {"from frame 8 on", "first 3 frames repeat times"}) == "");
  }
}

TEST_CASE(
    "selection by time does not count frames of a file joined with itself twice") {
  const std::string bytes = read_bytes(data_file("water-spce.xtc"));
  const TextTrajectory twice(bytes + bytes, "twice.xtc");
  const Words selected{"--structure", data_file("water-214.gro"),
                       "--r-max",     "0.5",
                       "--bins",      "5",
                       "--begin",     "100",
                       "--end",       "200",
                       "-f"};
  const RdfRunner rdf;
  const auto frames = [&](const std::string& path) {
    const ProgramRun run = rdf.run(with({path}, selected));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return total(rdf.result().blocks).frames;
  };
  CHECK(frames(twice.path) == frames(data_file("water-spce.xtc")));
}

TEST_CASE("vanhove warns of unequal steps between frames without times") {
  const RdfRunner folder;
  const auto warning = [&](const std::string& text) {
    const TextTrajectory file(text, "gap.dump");
    const ProgramRun run = counted(folder, "vanhove", file.path, {"--lags", "0,1,2"});
    CHECK(run.exit_code == 0);
    return run.err;
  };
  CHECK(warning(dump(0, 110)).find("equal intervals") == std::string::npos);
  CHECK(missing(warning(dump(0, 30) + dump(70, 110)),
                {"not at equal intervals of steps", "mixes different times",
                 "lag 1 lasts from 10 to 40 steps"}) == "");
}

TEST_CASE("vanhove refuses frames out of the order of time") {
  const RdfRunner folder;
  const TextTrajectory late(dump(100, 200), "run.100.dump");
  const TextTrajectory early(dump(20, 50), "run.20.dump");
  const auto count = [&](const Words& files) {
    return run_program(with(with(with({"vanhove"}, files),
                                 {"-o", folder.output(), "--force", "--lags", "0,1"}),
                            dump_bins));
  };
  const ProgramRun run = count({late.path, early.path});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"frame 11 (step 20) is earlier than frame 10 (step 200)",
                          "give the files in this order", "starhist merge"}) == "");
  CHECK(count({early.path, late.path}).exit_code == 0);
}

TEST_CASE("merge refuses results of vanhove whose lags last for different times") {
  const RdfRunner folder;
  const auto count = [&](const std::string& name, const std::string& path,
                         const Words& more) {
    const std::string output = folder.output() + name;
    const ProgramRun run = run_program(with(
        with({"vanhove", path, "-o", output, "--force", "--lags", "0,1"}, dump_bins),
        more));
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return output;
  };
  const auto merge = [&](const std::string& a, const std::string& b) {
    return run_program({"merge", a, b, "-o", folder.output() + ".all.h5", "--force"});
  };
  const TextTrajectory file(dump(0, 110), "long.dump");
  const TextTrajectory gap(dump(0, 70) + dump(100, 130), "gap.dump");
  std::string timed;  // 0.5 between frames
  for (int k = 0; k < 12; ++k) {
    timed += "2\nLattice=\"9 0 0 0 9 0 0 0 9\" Time=" + std::to_string(0.5 * k) +
             "\nO 1 1 " + std::to_string(0.1 * k) + "\nO 2 1 1\n";
  }
  const TextTrajectory times(timed, "times.xyz");
  const Words early{"--last", "5"};
  const std::string remedy = "--step or --every";
  const auto refusal = [&](const std::string& path, const Words& block,
                           const std::string& sentence) {
    const std::string a = count(".a.h5", path, with(early, block));
    const std::string b =
        count(".b.h5", path, with({"--first", "6", "--step", "2"}, block));
    const ProgramRun run = merge(a, b);
    CHECK(run.exit_code == 1);
    const ProgramRun equal =
        merge(a, count(".c.h5", path, with({"--first", "6"}, block)));
    INFO(equal.err);
    CHECK(equal.exit_code == 0);
    return missing(run.err, {sentence.c_str(), remedy.c_str()});
  };
  CHECK(refusal(times.path, {"--block", "1"}, "lag 1 lasts 0.5 in ") == "");
  CHECK(refusal(file.path, {"--block", "1"}, "lag 1 lasts 10 steps in ") == "");
  CHECK(refusal(file.path, {"--block", "6"}, "lag 1 lasts 1 frame of the trajectory") ==
        "");
  // Parts of one run mix the same times as the whole run, which is allowed.
  const Words blocks{"--block", "2"};
  const ProgramRun parts =
      merge(count(".a.h5", gap.path, with({"--part", "1/2"}, blocks)),
            count(".b.h5", gap.path, with({"--part", "2/2"}, blocks)));
  CHECK(parts.exit_code == 0);
  CHECK(missing(parts.err, {"not at equal intervals", "lag 1 lasts 10 steps in "}) ==
        "");
}

TEST_CASE("vanhove prints times of single precision with their own digits") {
  const RdfRunner folder;
  const ProgramRun run =
      run_program({"vanhove", data_file("water.h5"), "-o", folder.output(), "--r-max",
                   "1", "--bins", "10", "--lags", "0.15", "--lag-unit", "time"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"the time between frames, 0.1 ("}) == "");
}

}  // namespace
}  // namespace starhist::testing
