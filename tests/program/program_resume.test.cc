#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <hdf5.h>
#include <unistd.h>

#include "codelets/core/base/seconds_since.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/random.hh"
#include "tests/tasks/trajectories.hh"

// A stopped or killed run, and a resumed one: nothing is lost or counted twice, and the
// result equals an uninterrupted run's.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = RdfRunner::Words;

const ProgramSetting slow{{{"STARPU_NCPU", "1"},
                           {"STARPU_NCUDA", "0"},
                           {"STARHIST_CPU_VARIANT", "baseline"}}};

/// 306 frames in six files, in blocks of 7.
Words arguments(const std::string& block = "7") {
  Words words(6, data_file("water.h5"));
  words.insert(words.end(), {"--repeated", "keep", "--r-max", "1", "--bins", "50",
                             "--block", block, "-q"});
  return words;
}

/// "" if the result has the blocks of an uninterrupted run.
std::string difference_to_run_alone(const RdfRunner& rdf, const Words& words) {
  const RdfRunner alone;
  const ProgramRun run = alone.run(words);
  if (run.exit_code != 0) {
    return "the run alone: " + run.err;
  }
  if (rdf.has_partial() || rdf.has_lock() || fs::exists(rdf.output() + ".checkpoint") ||
      fs::exists(rdf.partial() + ".previous")) {
    return "files are left";
  }
  return difference(rdf.result().blocks, alone.result().blocks);
}

void wait_for(const std::string& file) {
  for (int k = 0; k < 10'000 && !fs::exists(file); ++k) {
    usleep(1000);
  }
  REQUIRE(fs::exists(file));
}

/// Initial handling of SIGHUP in a program that is started here.
struct HangUp {
  explicit HangUp(void (*action)(int)) : before(std::signal(SIGHUP, action)) {}
  ~HangUp() { std::signal(SIGHUP, before); }
  void (*before)(int);
};

TEST_CASE(
    "a signal that is ignored at the start, as under nohup, does not stop a run") {
  const HangUp ignored(SIG_IGN);
  const RdfRunner rdf;
  RunningProgram run(rdf.command(arguments()), slow);
  wait_for(rdf.partial());
  run.send_signal(SIGHUP);
  CHECK(run.wait().exit_code == 0);
  CHECK(rdf.has_output());
}

TEST_CASE("a stopped run prints the resuming command, which works") {
  const HangUp not_ignored(SIG_DFL);
  struct Stop {
    int signal;
    const char* block;
  };
  for (const auto& [signal, block] :
       {Stop{SIGINT, "1"}, Stop{SIGTERM, "7"}, Stop{SIGUSR1, "1000"},
        Stop{SIGXCPU, "1"}, Stop{SIGHUP, "7"}}) {
    INFO("signal " << signal << ", blocks of " << block);
    const RdfRunner rdf;
    RunningProgram first(rdf.command(arguments(block)), slow);
    wait_for(rdf.partial());
    usleep(50'000);
    first.send_signal(signal);
    const ProgramRun stopped = first.wait();
    INFO(stopped.err);
    REQUIRE(stopped.exit_code == 4);
    CHECK(missing(stopped.err, {"stopped by SIG", "of 306 frames", "--resume"}) == "");
    CHECK(rdf.has_partial());
    CHECK_FALSE(rdf.has_output());
    CHECK_FALSE(rdf.has_lock());
    const ProgramRun second = rdf.run(with(arguments(block), {"--resume"}));
    INFO(second.err);
    REQUIRE(second.exit_code == 0);
    CHECK(difference_to_run_alone(rdf, arguments(block)) == "");
  }
}

/// The command that a stopped run prints for resuming it.
std::string printed_command(const ProgramRun& stopped) {
  const std::string before = "to resume, run: ";
  const std::size_t begin = stopped.err.find(before);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = stopped.err.find('\n', begin);
  return stopped.err.substr(begin + before.size(), end - begin - before.size());
}

TEST_CASE("the printed command resumes a run that replaces a result") {
  for (const char* force : {"-f", "--force"}) {
    const RdfRunner rdf;
    REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "5"}).exit_code ==
            0);
    RunningProgram first(rdf.command(with(arguments(), {force})), slow);
    wait_for(rdf.partial());
    first.send_signal(SIGUSR1);
    const ProgramRun stopped = first.wait();
    INFO(stopped.err);
    REQUIRE(stopped.exit_code == 4);
    REQUIRE(std::system(printed_command(stopped).c_str()) == 0);
    CHECK(difference_to_run_alone(rdf, arguments()) == "");
  }
}

TEST_CASE("a second signal ends the run at once, by that signal") {
  const RdfRunner rdf;
  RunningProgram run(rdf.command(arguments()), slow);
  wait_for(rdf.partial());
  run.send_signal(SIGINT);
  run.send_signal(SIGTERM);
  const ProgramRun ended = run.wait();
  CHECK((ended.signal == SIGTERM || ended.exit_code == 4));
}

TEST_CASE("killed repeatedly, in blocks and with checkpoints, nothing is lost") {
  Random random(29);
  for (const char* block : {"1", "7", "100"}) {
    INFO("blocks of " << block);
    const RdfRunner rdf;
    const Words words = with(arguments(block), {"--checkpoint", "0.02"});
    const auto start = std::chrono::steady_clock::now();
    REQUIRE(RdfRunner().run(words).exit_code == 0);
    const double undisturbed = std::max(1.0, seconds_since(start));
    int kills = 0;
    for (int trial = 0; trial < 60 && !rdf.has_output(); ++trial) {
      RunningProgram run(rdf.command(with(words, {"--resume"})), slow);
      // Later ones live longer: a machine may have become slower.
      const double seconds =
          undisturbed * (0.1 + random.uniform(0.0, 0.4 + 0.1 * trial));
      usleep(static_cast<useconds_t>(1e6 * seconds));
      run.send_signal(SIGKILL);
      const ProgramRun ended = run.wait();
      kills += ended.signal == SIGKILL ? 1 : 0;
      if (ended.signal == SIGKILL && rdf.has_output()) {
        fs::remove(rdf.output() + ".lock");  // killed after the result was renamed
      }
      INFO(ended.err);
      CHECK((ended.signal == SIGKILL || ended.exit_code == 0));
    }
    REQUIRE(rdf.has_output());
    CHECK(kills > 0);
    CHECK(difference_to_run_alone(rdf, words) == "");
  }
}

/// Removes links that versions before 0.3 did not write from an HDF5 file.
void remove_link(const std::string& path, const char* name) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  CHECK(H5Fclose(file) >= 0);
}

TEST_CASE("a run is not resumed if the boxes of its trajectory have changed") {
  // Frame 5 is damaged, so that the run ends after two blocks.
  const auto trajectory = [](double edge, double growth, bool damaged) {
    std::string text;
    for (int k = 0; k < 8; ++k) {
      const std::string length = std::to_string(edge + growth * k);
      text += (damaged && k == 5 ? "x" : "3") + std::string("\nLattice=\"") + length +
              " 0 0 0 " + length + " 0 0 0 " + length + "\"\n";
      text += "A 0 0 0\nA 1 0 0." + std::to_string(k) + "\nA 0 1 0\n";
    }
    return text;
  };
  for (const double growth : {0.0, 0.01}) {
    const RdfRunner rdf;
    const std::string input = rdf.file("t.xyz");
    const Words words{input,    "--unit", "nm",      "--r-max", "1.5",
                      "--bins", "15",     "--block", "2",       "--resume"};
    const auto count = [&](double edge, bool damaged) {
      write_bytes(input, trajectory(edge, growth, damaged));
      return rdf.run(words);
    };
    REQUIRE(count(4.0, true).exit_code == 1);
    REQUIRE(rdf.has_partial());
    for (const double edge : {5.0, 4.0001}) {
      const ProgramRun other = count(edge, false);
      CHECK(other.exit_code == 1);
      CHECK(missing(other.err, {"the trajectory has changed", "a different box"}) ==
            "");
    }
    const ProgramRun same = count(4.0, false);
    INFO(same.err);
    CHECK(same.exit_code == 0);
  }
}

TEST_CASE("a run of open boxes is not resumed once they are periodic") {
  const std::string open = "pbc=\"F F F\" Properties=species:S:1:pos:R:3";
  const std::string periodic =
      "Lattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3";
  const RdfRunner rdf;
  const std::string input = rdf.file("t.xyz");
  const auto count = [&](const std::string& box, bool damaged) {
    std::string text;
    for (int k = 0; k < 8; ++k) {
      text += (damaged && k == 5 ? "x\n" : "3\n") + box + "\nA 0 0 0\nA 1 0 0." +
              std::to_string(k) + "\nA 0 1 0\n";
    }
    write_bytes(input, text);
    return rdf.run({input, "--unit", "nm", "--r-max", "1.5", "--bins", "15", "--block",
                    "2", "--resume"});
  };
  REQUIRE(count(open, true).exit_code == 1);
  REQUIRE(rdf.has_partial());
  const ProgramRun other = count(periodic, false);
  CHECK(other.exit_code == 1);
  CHECK(missing(other.err, {"the trajectory has changed", "a different box"}) == "");
  CHECK(count(open, false).exit_code == 0);
}

TEST_CASE("a run is resumed only with equal input and options") {
  const RdfRunner rdf;
  const std::string input = rdf.file("traj.h5");
  fs::copy_file(data_file("water.h5"), input);
  const auto words_with = [&](const char* bins, const char* block) {
    Words words(6, input);
    words.insert(words.end(), {"--repeated", "keep", "--r-max", "1", "--bins", bins,
                               "--block", block, "-q", "--checkpoint", "0.01"});
    return words;
  };
  const Words words = words_with("50", "7");
  RunningProgram first(rdf.command(words), slow);
  wait_for(rdf.output() + ".checkpoint");
  first.send_signal(SIGTERM);
  REQUIRE(first.wait().exit_code == 4);
  const auto refusal = [&](const Words& changed) {
    const ProgramRun run = rdf.run(with(changed, {"--resume"}));
    return run.exit_code == 1 ? run.err : "exit code " + std::to_string(run.exit_code);
  };
  CHECK(missing(refusal(words_with("51", "7")),
                {"cannot be resumed", "this run has 51 bins up to"}) == "");
  CHECK(missing(refusal(words_with("50", "8")),
                {"cannot be resumed", "--block was '7' and is '8'"}) == "");
  CHECK(missing(refusal(with(words, {"--pairs", "O-O"})),
                {"cannot be resumed", "this run has O-O"}) == "");
  CHECK(missing(refusal(with({input}, words)),
                {"cannot be resumed", "number of trajectory files"}) == "");
  // Another date of the same content is not another trajectory.
  fs::last_write_time(input, fs::last_write_time(input) + std::chrono::seconds(5));
  const ProgramRun second = rdf.run(with(words, {"--resume"}));
  INFO(second.err);
  CHECK(second.exit_code == 0);
  CHECK(difference_to_run_alone(rdf, words) == "");
}

/// Files of a run of 8 frames that fails at frame 1; `words` follow the trajectory.
struct FailedRun {
  explicit FailedRun(const Words& words) {
    SmallTrajectory small = small_trajectory(8);
    small.positions[1][0] = std::nan("");
    write_h5md(rdf.file("small.h5"), small);
    CHECK(rdf.run(with(input, words)).exit_code == 1);
    CHECK(rdf.has_partial());
  }
  ProgramRun resume(const Words& words) const {
    return rdf.run(with(with(input, words), {"--resume", "--skip-bad-frames"}));
  }

  RdfRunner rdf;
  const Words input{
      rdf.file("small.h5"), "--r-max", "1", "--bins", "5", "--block", "1", "-q"};
};

TEST_CASE("a run is not resumed with another trajectory of the same start") {
  const RdfRunner rdf;
  const std::string input = rdf.file("traj.xyz");
  const auto write = [&](int frames, std::uint64_t seed, bool bad) {
    std::ofstream file(input);
    for (int f = 0; f < frames; ++f) {
      Random random(f == 0 ? 1 : seed * 1000 + static_cast<std::uint64_t>(f));
      file << "100\n\n";
      for (int k = 0; k < 100; ++k) {
        file << "Ar " << random.uniform(0, 3) << ' ' << random.uniform(0, 3) << ' '
             << (bad && f == 6 ? "nan" : std::to_string(random.uniform(0, 3))) << '\n';
      }
    }
  };
  const Words words{input,    "--box", "3,3,3",   "--r-max", "1",
                    "--bins", "5",     "--block", "2",       "-q"};
  write(10, 2, true);
  CHECK(rdf.run(words).exit_code == 1);
  REQUIRE(rdf.has_partial());
  write(20, 3, false);
  const ProgramRun anew = rdf.run(with(words, {"--resume"}));
  CHECK(anew.exit_code == 1);
  CHECK(missing(anew.err, {"cannot be resumed", "the trajectory has changed"}) == "");
  write(20, 2, false);
  CHECK(rdf.run(with(words, {"--resume"})).exit_code == 0);
  CHECK(difference_to_run_alone(rdf, words) == "");
}

TEST_CASE("a part of a trajectory is resumed only with its frames") {
  const Words first{"--part", "1/2", "--last", "5"};
  const FailedRun failed(first);
  const ProgramRun longer = failed.resume({"--part", "1/2"});
  CHECK(longer.exit_code == 1);
  CHECK(missing(longer.err, {"frames of the part was '0 to 2' and is '0 to 3'"}) == "");
  const ProgramRun same = failed.resume(first);
  INFO(same.err);
  CHECK(same.exit_code == 3);
}

TEST_CASE("a run is resumed only with its groups and elements") {
  const TemporaryDirectory folder;
  const std::string index = folder.file("groups.ndx");
  const std::string aliases = folder.file("aliases");
  const auto write = [](const std::string& path, const char* text) {
    std::ofstream(path) << text;
  };
  write(index, "[ A ]\n1 2\n[ B ]\n3 4\n");
  write(aliases, "O O\nH H\n");
  const FailedRun by_index({"--index", index, "--pairs", "A-B"});
  const FailedRun by_aliases(
      {"--aliases", aliases, "--species", "X=element O; Y=element H"});
  write(index, "[ A ]\n1 2\n[ B ]\n3 5\n");
  write(aliases, "O H\nH O\n");
  const ProgramRun other = by_index.resume({"--index", index, "--pairs", "A-B"});
  CHECK(other.exit_code == 1);
  CHECK(missing(other.err, {"cannot be resumed", "file of --index"}) == "");
  const ProgramRun renamed = by_aliases.resume(
      {"--aliases", aliases, "--species", "X=element O; Y=element H"});
  CHECK(renamed.exit_code == 1);
  CHECK(missing(renamed.err, {"cannot be resumed", "file of --aliases"}) == "");
}

TEST_CASE("a run may be resumed with another way of counting small species") {
  const FailedRun failed({"--labels", "on"});
  const ProgramRun run = failed.resume({"--labels", "off"});
  INFO(run.err);
  CHECK(run.exit_code == 3);
}

TEST_CASE("without files of an earlier run, --resume starts with the first frame") {
  const RdfRunner rdf;
  Words words{data_file("water.h5"), "--r-max", "1", "--bins", "50", "--resume"};
  const ProgramRun run = rdf.run(words);
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"first frame"}) == "");
  const ProgramRun again = rdf.run(words);
  CHECK(again.exit_code == 0);
  CHECK(missing(again.err, {"out.h5 is finished: 51 frames in 17 blocks;"}) == "");
  const Words fewer = with(words, {"--last", "9"});
  CHECK(missing(rdf.run(fewer).err, {"finished with 51 frames, and 10 are"}) == "");
  CHECK(rdf.run(with(words, {"--json", rdf.file("x.json")})).exit_code == 1);
  words.pop_back();
  CHECK(rdf.run(words).exit_code == 1);  // the result exists
}

TEST_CASE("a run that was killed after counting has no plan, and is completed") {
  const RdfRunner rdf;
  const Words words{
      testing::data_file("water.h5"), "--last", "5", "--r-max", "1", "--block", "2"};
  REQUIRE(rdf.run(words).exit_code == 0);
  rdf.unfinish();
  const ProgramRun plan = rdf.run(with(words, {"--resume", "--explain"}));
  CHECK(plan.exit_code == 1);
  CHECK(missing(plan.err, {"all selected frames are counted"}) == "");
  CHECK(rdf.run(with(words, {"--resume"})).exit_code == 0);
  CHECK(rdf.result().blocks.size() == 3);
}

TEST_CASE("a trajectory that has grown is counted to its new end") {
  const RdfRunner rdf;
  const std::string input = rdf.file("traj.xyz");
  const auto write = [&](int frames) {
    std::ofstream file(input);
    Random random(3);
    for (int f = 0; f < frames; ++f) {
      file << "400\nframe " << f << '\n';
      for (int k = 0; k < 400; ++k) {
        file << "Ar " << random.uniform(0, 3) << ' ' << random.uniform(0, 3) << ' '
             << random.uniform(0, 3) << '\n';
      }
    }
  };
  const Words words{input,    "--box", "3,3,3",   "--r-max", "1",
                    "--bins", "50",    "--block", "7",       "-q"};
  for (const int before : {20, 21, 25}) {
    write(before);
    RunningProgram first(rdf.command(words), slow);
    wait_for(rdf.partial());
    first.send_signal(SIGKILL);
    first.wait();
    if (!rdf.has_partial()) {
      fs::remove(rdf.output());
      continue;
    }
    write(40);
    const ProgramRun second = rdf.run(with(words, {"--resume"}));
    INFO(second.err);
    REQUIRE(second.exit_code == 0);
    CHECK(difference_to_run_alone(rdf, words) == "");
    fs::remove(rdf.output());
  }
}

/// A run with the default block length of its 40 frames, 2, that fails at frame 30, and
/// the trajectory once it has 100 frames.
class GrowingRun {
 public:
  GrowingRun() {
    write(40, 30);
    CHECK(rdf.run(words).exit_code == 1);
    REQUIRE(rdf.has_partial());
    write(100, 100);
  }

  RdfRunner rdf;
  const Words words{
      rdf.file("traj.xyz"), "--box", "3,3,3", "--r-max", "1", "--bins", "5", "-q"};

 private:
  void write(int frames, int bad) const {
    std::ofstream file(words.front());
    Random random(3);
    for (int f = 0; f < frames; ++f) {
      const double z = random.uniform(0, 3);
      file << "2\n\nAr 0 0 0\nAr 0 0 " << (f == bad ? "nan" : std::to_string(z))
           << '\n';
    }
  }
};

TEST_CASE("a resumed run keeps the default length of its blocks") {
  const GrowingRun run;
  REQUIRE(run.rdf.run(with(run.words, {"--resume"})).exit_code == 0);
  CHECK(run.rdf.result().blocks.size() == 50);
  CHECK(difference_to_run_alone(run.rdf, with(run.words, {"--block", "2"})) == "");
}

TEST_CASE("an unfinished result of an older version is neither resumed nor replaced") {
  const RdfRunner rdf;
  const Words words{testing::data_file("water.h5"), "--last", "5", "--r-max", "1"};
  REQUIRE(rdf.run(words).exit_code == 0);
  fs::rename(rdf.output(), rdf.partial());
  testing::HdfFile(rdf.partial(), testing::HdfFile::Mode::edit)
      .remove_attribute("observables/pair_distance_histogram", "complete");
  const std::string bytes = read_bytes(rdf.partial());
  for (const Words& more : {Words{}, Words{"--resume"}}) {
    const ProgramRun run = rdf.run(with(words, more));
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"out.h5.partial", "before 0.3",
                            "finish it with that version", "--force"}) == "");
  }
  const ProgramRun info = run_program({"info", rdf.partial()});
  CHECK(info.exit_code == 1);
  CHECK(missing(info.err, {"out.h5.partial", "before 0.3"}) == "");
  CHECK(read_bytes(rdf.partial()) == bytes);
  CHECK(rdf.run(with(words, {"--force"})).exit_code == 0);
}

TEST_CASE("a finished result with the bin edges of older versions is not resumed") {
  const RdfRunner rdf;
  const Words words{testing::data_file("water.h5"), "--last", "5", "--r-max", "1"};
  REQUIRE(rdf.run(words).exit_code == 0);
  remove_link(rdf.output(), "parameters/pair_histogram/edge_shift");
  const ProgramRun run = rdf.run(with(words, {"--resume"}));
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"out.h5 cannot be resumed", "older version", "--force"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
