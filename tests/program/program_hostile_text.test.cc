// Text designed to exhaust memory or time is refused early, with a message.
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/gzip_bomb.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

constexpr int copies_of_13_megabytes = 800;  // 13 GB of text

/// `info` refuses the file soon, and in little memory.
void check_refused(const std::string& path, std::initializer_list<const char*> words) {
  const ProgramRun run = run_program({"info", path});
  INFO(run.err);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, words) == "");
#ifndef __SANITIZE_ADDRESS__
  CHECK(run.resident_kib < 120 * 1024);
  constexpr double slower = 1.0;
#else
  constexpr double slower = 4.0;
#endif
  CHECK(run.cpu_seconds < 30.0 * slower);  // reading all of it would take minutes
}

TEST_CASE("a gzip file of one endless line is refused at 1 MiB, whatever its format") {
  const TemporaryDirectory folder;
  for (const char* head : {"", "3\n", "3\ncomment\nA 0 0 0\n", "ITEM: TIMESTEP\n0\n",
                           "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n"}) {
    INFO(head);
    const std::string path = folder.file("bomb.xyz.gz");
    write_gzip_bomb(path, head, "1", copies_of_13_megabytes);
    check_refused(path, {"bomb.xyz.gz, line ", "longer than 1 MiB"});
  }
  const std::string gro = folder.file("bomb.gro.gz");
  write_gzip_bomb(gro, "title\n    1\n    1A        A    1   0.000   0.000   0.000\n",
                  " ", copies_of_13_megabytes);
  check_refused(gro, {"bomb.gro.gz, line 4", "longer than 1 MiB"});
  const std::string pdb = folder.file("bomb.pdb.gz");
  write_gzip_bomb(pdb, "CRYST1", "1", copies_of_13_megabytes);
  check_refused(pdb, {"bomb.pdb.gz, line 1", "longer than 1 MiB"});
}

TEST_CASE(
    "a gzip file that expands more than 500-fold is refused, but not as plain text") {
  const TemporaryDirectory folder;
  const std::string blank = folder.file("blank.xyz.gz");
  write_gzip_bomb(blank, "1\n\nA 0 0 0\n", "\n", copies_of_13_megabytes);
  check_refused(blank, {"blank.xyz.gz, line ", "500 times"});
  const std::string small = folder.file("small.xyz.gz");
  write_gzip_bomb(small, "1\n\nA 0 0 0\n", "\n", 2);
  CHECK(run_program({"info", small}).exit_code == 0);
}

TEST_CASE("a line of 1 MiB is read, a longer one is refused with its number") {
  const auto xyz = [](std::size_t length) {
    return "1\n" + std::string(length, 'x') + "\nA 0 0 0\n";
  };
  const TextTrajectory longest(xyz(1U << 20U), "a.xyz");
  CHECK(run_program({"info", longest.path}).exit_code == 0);
  const TextTrajectory longer(xyz((1U << 20U) + 1), "a.xyz");
  check_refused(longer.path, {"a.xyz, line 2: is longer than 1 MiB"});
}

TEST_CASE("headers that ask for more than the file has cost neither memory nor time") {
  check_refused(TextTrajectory("9000000000000000000\n\nA 0 0 0\n", "a.xyz").path,
                {"a.xyz", "has no whole frame", "cut off"});
  check_refused(
      TextTrajectory("title\n18000000000000000000\n    1A        A    1   0.000"
                     "   0.000   0.000\n",
                     "a.gro")
          .path,
      {"a.gro", "has no whole frame", "cut off"});
  check_refused(
      TextTrajectory("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n"
                     "9000000000000000000\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n"
                     "0 1\nITEM: ATOMS id type x y z\n1 1 0 0 0\n",
                     "a.dump")
          .path,
      {"a.dump", "has no whole frame", "cut off"});
  // Numbers of columns whose sum wraps around.
  const std::string half = "9223372036854775807";
  check_refused(
      TextTrajectory(
          "1\nProperties=a:R:" + half + ":b:R:" + half + ":pos:R:3\nA 0 0 0\n", "a.xyz")
          .path,
      {"a.xyz, line 2", "columns (no line is"});
}

}  // namespace
}  // namespace starhist::testing
