// starhist info: of many species and pairs, of several results, of the files of a run.
#include <algorithm>
#include <csignal>
#include <filesystem>

#include <unistd.h>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;

/// A frame of `count` species; species k is A(100 + k) and has k % 3 + 1 atoms, the
/// last one 9.
std::string many_species(int count) {
  std::string atoms;
  int number = 0;
  for (int k = 0; k < count; ++k) {
    for (int copy = 0; copy < (k + 1 == count ? 9 : k % 3 + 1); ++copy) {
      atoms += "A" + std::to_string(100 + k) + " 0 0 " +
               std::to_string(0.005 * ++number) + "\n";
    }
  }
  return std::to_string(number) + "\nLattice=\"9 0 0 0 9 0 0 0 9\"\n" + atoms;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

TEST_CASE("info of 800 species shows how many there are and the most frequent") {
  const TextTrajectory file(many_species(800), "many.xyz");
  const ProgramRun run = run_program({"info", file.path});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out,
                {"species      800; the most frequent: A899: 9, A102: 3, A105: 3,",
                 "... (--all lists all)"}) == "");
  CHECK(longest_line(run.out) < 200);
  const ProgramRun all = run_program({"info", file.path, "--all"});
  CHECK(missing(all.out,
                {"species      800\n             A100: 1\n             A101: 2\n",
                 "\n             A899: 9\n"}) == "");
}

TEST_CASE("info rounds lengths to six digits, and down if valid for --r-max") {
  const auto told = [](const std::string& edges) {
    const TextTrajectory file("1\nLattice=\"" + edges + "\"\nA 0 0 0\n", "a.xyz");
    return run_program({"info", file.path}).out;
  };
  CHECK(missing(told("2.4691398 0 0 0 2.4691398 0 0 0 2.4691398"),
                {"volume       15.0535\n", "largest r    1.23456 for whole shells",
                 "  2.13834 is the largest possible nearest-image distance"}) == "");
  CHECK(missing(told("3 0 0 0 3 0 0 0 3"),
                {"volume       27\n", "largest r    1.5 "}) == "");
  CHECK(missing(told("0.2 0 0 0 0.2 0 0 0 0.2"), {"largest r    0.1 "}) == "");
  CHECK(missing(told("2e-3 0 0 0 3 0 0 0 3"), {"largest r    0.001 "}) == "");
}

TEST_CASE("info takes the largest r of the smallest box, distances of the largest") {
  const auto frame = [](const std::string& edge) {
    return "1\nLattice=\"" + edge + " 0 0 0 " + edge + " 0 0 0 " + edge +
           "\"\nA 0 0 0\n";
  };
  const TextTrajectory file(frame("2") + frame("3"), "a.xyz");
  CHECK(missing(run_program({"info", file.path}).out,
                {"volume       8 .. 27\n", "largest r    1 for whole shells",
                 "  2.59808 is the largest possible nearest-image distance"}) == "");
}

TEST_CASE("info reports a plane that holds all particles of every frame") {
  const auto told = [](const std::string& box, const std::string& last_z) {
    const std::string begin =
        "4\nLattice=\"3 0 0 0 3 0 0 0 " + box + "\"\nA 0 0 0\nA 1 0 0\nA 0 1 0\nA 1 2 ";
    const TextTrajectory file(begin + "0\n" + begin + last_z + "\n", "a.xyz");
    return run_program({"info", file.path}).out;
  };
  CHECK(missing(told("1", "0"), {"plane        all particles lie in one (",
                                 "starhist rdf --plane xy)"}) == "");
  CHECK(told("1", "0.1").find("plane ") == std::string::npos);
  CHECK(told("9", "0").find("plane ") == std::string::npos);
}

TEST_CASE("info of few species shows all of them in one line") {
  const TextTrajectory file(many_species(20), "few.xyz");
  CHECK(missing(run_program({"info", file.path}).out,
                {"species      A100: 1, A101: 2, A102: 3, ", "A119: 9\n"}) == "");
}

TEST_CASE("info of a result of many pairs shows how many there are and the largest") {
  const TextTrajectory file(many_species(30), "many.xyz");
  const RdfRunner rdf;
  REQUIRE(rdf.run({file.path, "--r-max", "2", "--bins", "4", "-q"}).exit_code == 0);
  const ProgramRun run = run_program({"info", rdf.output()});
  INFO(run.out << run.err);
  CHECK(missing(run.out, {"species      A100, ", "... (30 in all)",
                          "pairs        465; the most frequent (--all lists all):\n"
                          "             A129-A129: 36, of these"}) == "");
  CHECK(std::count(run.out.begin(), run.out.end(), '\n') < 60);
  const ProgramRun all = run_program({"info", rdf.output(), "--all"});
  CHECK(missing(all.out, {"\npairs        A100-A100: 0, ",
                          "\n             A100-A101: 2, "}) == "");
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') > 465);
}

TEST_CASE("info describes several results in sequence, but no mixture") {
  const RdfRunner rdf;
  REQUIRE(
      rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "5", "-q"}).exit_code ==
      0);
  const std::string copy = rdf.file("copy.h5");
  fs::copy_file(rdf.output(), copy);
  const ProgramRun both = run_program({"info", rdf.output(), copy});
  CHECK(both.exit_code == 0);
  CHECK(missing(both.out, {(rdf.output() + ": starhist result").c_str(),
                           ("\n\n" + copy + ": starhist result").c_str()}) == "");
  const ProgramRun mixed = run_program({"info", rdf.output(), data_file("water.h5")});
  CHECK(mixed.exit_code == 1);
  CHECK(missing(mixed.err, {"1 of the 2 files", "either"}) == "");
}

TEST_CASE("info of a partial result describes its checkpoint") {
  const RdfRunner rdf;
  std::vector<std::string> words(6, data_file("water.h5"));
  words.insert(words.end(), {"--repeated", "keep", "--r-max", "1", "--bins", "50",
                             "--block", "1000", "-q"});
  RunningProgram first(rdf.command(words), {{{"STARPU_NCPU", "1"},
                                             {"STARPU_NCUDA", "0"},
                                             {"STARHIST_CPU_VARIANT", "baseline"}}});
  for (int k = 0; k < 10'000 && !rdf.has_partial(); ++k) {
    usleep(1000);
  }
  usleep(100'000);
  first.send_signal(SIGTERM);
  const ProgramRun stopped = first.wait();
  REQUIRE(stopped.exit_code == 4);
  const std::string checkpoint = rdf.output() + ".checkpoint";
  REQUIRE(fs::exists(checkpoint));
  // "starhist: stopped by SIGTERM: 25 of 306 frames are counted and saved".
  const std::size_t begin = stopped.err.find("SIGTERM: ") + 9;
  const std::string frames =
      stopped.err.substr(begin, stopped.err.find(' ', begin) - begin);
  const ProgramRun run = run_program({"info", rdf.partial()});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out,
                {("checkpoint   " + checkpoint + ": " + frames + " frame").c_str(),
                 "--resume continues after it"}) == "");

  std::string bytes = read_bytes(checkpoint);
  for (char& byte : bytes) {
    byte = static_cast<char>(byte ^ 1);
  }
  write_bytes(checkpoint, bytes);
  CHECK(missing(run_program({"info", rdf.partial()}).out,
                {(checkpoint + ": incomplete, or from another result").c_str()}) == "");
  fs::remove(checkpoint);
  CHECK(run_program({"info", rdf.partial()}).out.find("checkpoint") ==
        std::string::npos);
}

}  // namespace
}  // namespace starhist::testing
