// An input that changes during counting: no result, but the blocks are kept.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"

namespace starhist::testing {
namespace {

std::string frames_of_text(int frames) {
  std::string text;
  for (int frame = 0; frame < frames; ++frame) {
    text += "2000\nLattice=\"5 0 0 0 5 0 0 0 5\"\n";
    for (int atom = 0; atom < 2000; ++atom) {
      const int mix = atom * 7919 + frame * 104729;
      text += "A " + std::to_string(mix % 500 / 100.0) + " " +
              std::to_string(mix / 500 % 500 / 100.0) + " " +
              std::to_string(mix / 977 % 500 / 100.0) + "\n";
    }
  }
  return text;
}

/// Counts `path`, and calls `change` after the first blocks, while the program is
/// stopped.
ProgramRun count_and(const RdfRunner& rdf, const std::string& path,
                     const std::function<void()>& change,
                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{path, "--r-max", "2", "--bins",
                                 "10", "--block", "1", "--force"};
  words.insert(words.end(), more.begin(), more.end());
  RunningProgram program(rdf.command(words));
  while (!rdf.has_partial()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  program.send_signal(SIGSTOP);
  change();
  program.send_signal(SIGCONT);
  return program.wait();
}

TEST_CASE(
    "an input that changes during the run: exit code 2, no result, .partial stays") {
  const RdfRunner rdf;
  const std::string path = rdf.file("a.xyz");
  const std::string text = frames_of_text(60);
  const std::function<void()> changes[] = {
      [&] {
        std::filesystem::last_write_time(
            path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
      },
      [&] { std::ofstream(path, std::ios::app) << "0\n\n"; },
      [&] { std::filesystem::resize_file(path, text.size() / 2); },
      [&] {
        const auto time = std::filesystem::last_write_time(path);
        write_bytes(rdf.file("other"), text);
        std::filesystem::last_write_time(rdf.file("other"), time);
        std::filesystem::rename(rdf.file("other"), path);
      },
      [&] { std::filesystem::remove(path); }};
  for (const auto& change : changes) {
    write_bytes(path, text);
    const ProgramRun run = count_and(rdf, path, change);
    INFO(run.err);
    CHECK(run.exit_code == 2);
    CHECK(missing(run.err, {"a.xyz: has changed during the run", ".partial"}) == "");
    CHECK(!rdf.has_output());
    CHECK(rdf.has_partial());
    std::filesystem::remove(rdf.partial());
  }
  write_bytes(path, text);
  const ProgramRun run = count_and(rdf, path, [] {});
  INFO(run.err);
  CHECK(run.exit_code == 0);
}

TEST_CASE(
    "a file that names atoms and changes during the run: exit code 2, no result") {
  const RdfRunner rdf;
  const std::string path = rdf.file("a.xyz");
  write_bytes(path, frames_of_text(60));
  const std::string aliases = rdf.file("names.txt");
  write_bytes(aliases, "A C\n");
  const ProgramRun run = count_and(
      rdf, path, [&] { write_bytes(aliases, "A N\nB O\n"); }, {"--aliases", aliases});
  INFO(run.err);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {"names.txt: has changed during the run"}) == "");
  CHECK_FALSE(std::filesystem::exists(rdf.output()));
}

}  // namespace
}  // namespace starhist::testing
