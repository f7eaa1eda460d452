#include <csignal>
#include <fstream>
#include <iterator>

#include <sys/mount.h>
#include <unistd.h>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"

// Valid destinations of a result, and the files during the run.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
namespace fs = std::filesystem;

const Words water_run{
    data_file("water.h5"), "--r-max", "1", "--bins", "50", "--step", "10"};

Words water_with(const Words& more) {
  Words words = water_run;
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Unexpected details of the refusal of `rdf ... -o output`; "" if there are none.
std::string output_refusal(const Words& arguments, const std::string& output,
                           std::initializer_list<const char*> words) {
  Words call{"rdf"};
  call.insert(call.end(), arguments.begin(), arguments.end());
  call.insert(call.end(), {"-o", output});
  const ProgramRun run = run_program(call);
  if (run.exit_code != 1 || fs::exists(output + ".partial")) {
    return "exit code " + std::to_string(run.exit_code) + ": " + run.err;
  }
  return missing(run.err, words);
}

TEST_CASE("an existing file is replaced only with --force") {
  const RdfRunner rdf;
  write_text(rdf.output(), "precious");
  const ProgramRun refused = rdf.run(water_run);
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {rdf.output().c_str(), "exists", "--force"}) == "");
  CHECK(bytes_of(rdf.output()) == "precious");
  CHECK_FALSE(rdf.has_partial());

  const ProgramRun forced = rdf.run(water_with({"--force"}));
  INFO(forced.err);
  CHECK(forced.exit_code == 0);
  CHECK(rdf.result().blocks.size() == 1);
  CHECK_FALSE(rdf.has_partial());
}

TEST_CASE("with --force the old file stays until the new one is complete") {
  const RdfRunner rdf;
  write_text(rdf.output(), "precious");
  const ProgramRun run =
      rdf.run({data_file("water.h5"), "--force", "--r-max", "99", "--bins", "50"});
  CHECK(run.exit_code == 1);
  CHECK(bytes_of(rdf.output()) == "precious");
  CHECK_FALSE(rdf.has_partial());
}

TEST_CASE("the output is never an input, under any name") {
  const TemporaryDirectory folder;
  const std::string input = folder.file("traj.h5");
  const std::string symbolic = folder.file("symbolic.h5");
  const std::string hard = folder.file("hard.h5");
  fs::copy_file(data_file("water.h5"), input);
  fs::create_symlink(input, symbolic);
  fs::create_hard_link(input, hard);
  const std::string before = bytes_of(input);
  const Words arguments{data_file("nacl-triclinic-npt.h5"),
                        input,
                        "--r-max",
                        "1",
                        "--bins",
                        "5",
                        "--force"};
  for (const std::string& output :
       {input, symbolic, hard,
        folder.file("./../") + fs::path(input).parent_path().filename().string() +
            "/traj.h5"}) {
    INFO(output);
    CHECK(output_refusal(arguments, output,
                         {output.c_str(), "would overwrite", "which is read"}) == "");
  }
  CHECK(bytes_of(input) == before);
}

TEST_CASE("outputs that cannot be created are refused") {
  const TemporaryDirectory folder;
  write_text(folder.file("file"), "text");
  const std::string below_file = folder.file("file/out.h5");
  const std::string no_folder = folder.file("none/out.h5");
  CHECK(output_refusal(water_run, no_folder, {no_folder.c_str(), "does not exist"}) ==
        "");
  CHECK(output_refusal(water_run, below_file, {below_file.c_str()}) == "");
  CHECK(output_refusal(water_run, folder.file(""), {folder.file("").c_str()}) == "");
  CHECK(output_refusal(water_run, fs::path(folder.file("")).parent_path().string(),
                       {"is a directory"}) == "");
  CHECK(output_refusal(water_run, "/proc/out.h5", {"/proc/out.h5"}) == "");
  for (const auto& options : {water_with({}), water_with({"--force"})}) {
    CHECK(output_refusal(options, "/dev/null", {"/dev/null is a device", "a file"}) ==
          "");
  }
}

TEST_CASE("a directory that is not writable") {
  const TemporaryDirectory folder;
  const std::string closed = folder.file("closed");
  fs::create_directory(closed);
  // Permissions do not restrict root, but a read-only file system does.
  const bool mounted = mount("none", closed.c_str(), "tmpfs", MS_RDONLY, nullptr) == 0;
  if (!mounted && geteuid() == 0) {
    WARN("not tested: nothing can be mounted here, and root may write everywhere");
    return;
  }
  if (!mounted) {
    fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  }
  const std::string problem =
      output_refusal(water_run, closed + "/out.h5", {closed.c_str(), "not writable"});
  if (mounted) {
    umount(closed.c_str());
  }
  CHECK(problem == "");
}

TEST_CASE("during a run its file is PATH.partial, which other runs do not replace") {
  const RdfRunner rdf;
  Words long_run(6, data_file("water.h5"));
  long_run.insert(long_run.end(), {"--repeated", "keep", "--r-max", "1", "--bins", "50",
                                   "--block", "1"});
  const ProgramSetting slow{
      {{"STARPU_NCPU", "1"}, {"STARHIST_CPU_VARIANT", "baseline"}}};
  RunningProgram first(rdf.command(long_run), slow);
  for (int k = 0; k < 5000 && !rdf.has_partial(); ++k) {
    usleep(1000);
  }
  CHECK(rdf.has_partial());
  CHECK_FALSE(rdf.has_output());
  const std::string holder = "process " + std::to_string(first.id());
  for (const Words& words : {water_run, water_with({"--force"})}) {
    const ProgramRun second = rdf.run(words);
    CHECK(second.exit_code == 1);
    CHECK(missing(second.err, {rdf.output().c_str(), "another run", "host",
                               holder.c_str(), "since"}) == "");
  }
  // Its blocks can be read meanwhile.
  ProgramRun info = run_program({"info", rdf.partial()});
  for (int k = 0; k < 100 && info.exit_code != 0 && rdf.has_partial(); ++k) {
    info = run_program({"info", rdf.partial()});
  }
  INFO(info.err);
  CHECK(missing(info.out, {"partial", "in progress", holder.c_str()}) == "");
  const ProgramRun done = first.wait();
  INFO(done.err);
  CHECK(done.exit_code == 0);
  CHECK_FALSE(rdf.has_partial());
  CHECK(rdf.result().blocks.size() == 6 * 51);
}

}  // namespace
}  // namespace starhist::testing
