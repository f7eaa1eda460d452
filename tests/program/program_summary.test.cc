#include <regex>

#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Reports of a run: on standard error, on a terminal, as JSON.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

const Words every_tenth{
    data_file("water.h5"), "--r-max", "1.2", "--bins", "60", "--step", "10"};
constexpr const char* pairs_of_six_frames = "21091356";  // 6 * 2652 * 2651 / 2

Words with_words(const Words& more) {
  Words words = every_tenth;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Long enough for the bar to be drawn: one slow worker, many frames.
const ProgramSetting slow_on_terminal{
    {{"STARPU_NCPU", "1"}, {"STARHIST_CPU_VARIANT", "baseline"}},
    {},
    {},
    StandardError::terminal};

Words many_frames(const Words& more = {}) {
  Words words(6, data_file("water.h5"));
  words.insert(words.end(), {"--repeated", "keep", "--r-max", "1.2", "--bins", "60"});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_CASE("the summary is on standard error, and standard output is empty") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(every_tenth);
  CHECK(run.exit_code == 0);
  CHECK(run.out == "");
  CHECK(missing(run.err, {"6 frames in 1 block", "21 091 356 pairs in "}) == "");
  CHECK(run.err.find("pairs/s") == std::string::npos);
  Words words = every_tenth;
  words.insert(words.end(), {"--verbose", "--force"});
  const ProgramRun verbose = rdf.run(words);
  CHECK(verbose.out == "");
  CHECK(missing(verbose.err, {"6 frames in 1 block", "21 091 356 pairs in ",
                              "10^9 pairs/s", "scheduler", "CPU 0"}) == "");
  words.push_back("--quiet");
  const ProgramRun both = rdf.run(words);
  CHECK(both.exit_code == 1);
  CHECK(missing(both.err, {"--quiet and --verbose contradict each other"}) == "");
}

TEST_CASE("a log has no escape codes and no progress bar") {
  const RdfRunner rdf;
  ProgramSetting setting = slow_on_terminal;
  setting.standard_error = StandardError::file;
  const ProgramRun run = rdf.run(many_frames(), setting);
  CHECK(run.exit_code == 0);
  CHECK(run.err.find('\033') == std::string::npos);
  CHECK(run.err.find('\r') == std::string::npos);
  CHECK(run.err.find("left") == std::string::npos);
}

/// Output of a run, without the line in which StarPU as packaged in Debian 13 and
/// Ubuntu 24.04 always misses one of its folders.
std::string own_words(const ProgramRun& run) {
  static const std::regex missing_folder(
      "\\[starpu\\][^\n]* as set by installation directory does not exist\r?\n");
  return std::regex_replace(run.out + run.err, missing_folder, "");
}

TEST_CASE("rdf --quiet prints nothing, even on a terminal") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run(with_words({"--quiet"}));
  CHECK(run.exit_code == 0);
  CHECK(own_words(run) == "");
  const RdfRunner on_terminal;
  const ProgramRun second = on_terminal.run(many_frames({"-q"}), slow_on_terminal);
  CHECK(second.exit_code == 0);
  CHECK(own_words(second) == "");
}

TEST_CASE("remarks of readers are printed with --verbose, too") {
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("spc.xtc"), "--r-max", "0.5", "--bins", "5", "--verbose"});
  CHECK(missing(run.err, {"contains no names of its 648 atoms"}) == "");
}

TEST_CASE("on a terminal a progress bar is drawn, and cleared before the summary") {
  const RdfRunner rdf;
  const Words more = GENERATE(Words{}, Words{"--verbose"});
  const ProgramRun run = rdf.run(many_frames(more), slow_on_terminal);
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err,
                {"\r[", "#", " %  ", "pairs/s  ", " left\033[K", "306 frames"}) == "");
  const std::size_t wiped = run.err.rfind("\r\033[K");
  CHECK(wiped < run.err.find("306 frames"));
  CHECK(run.err.find("left", wiped) == std::string::npos);
  for (std::size_t at = run.err.find("\r["); at != std::string::npos;
       at = run.err.find("\r[", at + 1)) {
    CHECK(run.err.find("\033[K", at) - at <= 80);  // fits into a line
  }
}

TEST_CASE("rdf --json writes the numbers of the summary") {
  const RdfRunner rdf;
  const std::string json = rdf.file("summary \"1\".json");
  const ProgramRun run =
      rdf.run(with_words({"--json", json, "--block", "4"}), {{{"STARPU_NCPU", "2"}}});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(json_value(json, "d['program']") == "starhist");
  CHECK(json_value(json, "d['output']") == rdf.output());
  CHECK(json_value(json, "d['frames'], d['blocks']") == "6 2");
  CHECK(json_value(json, "d['pairs']") == pairs_of_six_frames);
  CHECK(json_value(json, "d['skipped_pairs']") == "0");
  CHECK(json_value(json, "sum(w['pairs'] for w in d['workers'])") ==
        pairs_of_six_frames);
  CHECK(json_value(json,
                   "all(w['tasks'] >= 0 and w['busy_seconds'] >= 0 "
                   "for w in d['workers'])") == "True");
  CHECK(
      json_value(json, "0 < d['start_seconds'] < d['start_seconds'] + d['seconds'] < " +
                           std::to_string(run.seconds)) == "True");
  CHECK(
      json_value(json,
                 "abs(d['pairs_per_second'] * d['seconds'] / d['pairs'] - 1) < 1e-9") ==
      "True");
  CHECK(json_value(json, "d['scheduler']") == "lws");
  CHECK(json_value(json, "d['skipped_frames']") == "[]");
}

TEST_CASE("with --quiet the JSON summary is still written") {
  const RdfRunner rdf;
  const std::string json = rdf.file("summary.json");
  CHECK(rdf.run(with_words({"-q", "--json", json})).exit_code == 0);
  CHECK(json_value(json, "d['frames']") == "6");
}

TEST_CASE("from start to result on the water sample") {
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--r-max", "1.4", "--bins", "280"});
  CHECK(run.exit_code == 0);
  WARN("start to result: " << run.seconds << " s");
  CHECK(run.cpu_seconds < 5.0);
}

}  // namespace
}  // namespace starhist::testing
