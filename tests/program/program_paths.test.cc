#include <fstream>
#include <set>

#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "io/output/output_path.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/external_data.hh"
#include "tests/support/file_bytes.hh"

// No output of a command may overwrite one of its inputs, under whatever name. The
// options are those of the program's own tables.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = RdfRunner::Words;
using driver::Command;
using driver::OptionSpec;
using io::PathUse;

const std::string precious = "precious\n";

void make_precious(const std::string& path) {
  std::ofstream(path) << precious;
}

std::vector<OptionSpec> options_with(const Command& command,
                                     const std::set<PathUse>& uses) {
  std::vector<OptionSpec> found;
  for (const OptionSpec& spec : command.manual.options) {
    if (uses.contains(spec.value.path)) {
      found.push_back(spec);
    }
  }
  return found;
}

/// The commands that this program implements and that write files.
std::vector<Command> writing_commands() {
  std::vector<Command> found;
  for (const Command& command : driver::commands()) {
    if (!options_with(command, {PathUse::written, PathUse::grown}).empty()) {
      found.push_back(command);
    }
  }
  return found;
}

std::string flag(const OptionSpec& spec) {
  return "--" + driver::long_name(spec);
}

/// What is wrong with the refusal to write `output` by an option of `command`, where
/// `input` is a file that it reads by `reading` ("": as an argument); "" if nothing.
std::string refusal_of(const Command& command, const std::string& writing,
                       const std::string& output, const std::string& reading,
                       const std::string& input) {
  Words words{command.manual.command, writing, output};
  if (!reading.empty()) {
    words.push_back(reading);
  }
  words.push_back(input);
  const ProgramRun run = run_program(words);
  const std::string bytes = read_bytes(input);
  if (run.exit_code != 1 || bytes != precious) {
    return join(words, " ") + ": exit code " + std::to_string(run.exit_code) +
           ", the input is " + bytes + ", " + run.err;
  }
  return missing(run.err, {writing.c_str(), "would overwrite", "read"});
}

TEST_CASE("each option that names a file tells how it is used") {
  std::size_t paths = 0;
  for (const Command& command : driver::commands()) {
    for (const OptionSpec& spec : command.manual.options) {
      INFO(command.manual.command << " " << flag(spec) << " " << spec.placeholder);
      const bool is_path = spec.value.path != PathUse::none;
      paths += is_path ? 1 : 0;
      for (const char* word : {"FILE", "FOLDER", "DIR", "PATH"}) {
        CHECK((is_path || spec.placeholder.find(word) == std::string::npos));
      }
    }
  }
  CHECK(paths >= 20);
}

TEST_CASE("no output of any command overwrites an input, by its name or by a link") {
  std::size_t combinations = 0;
  for (const Command& command : writing_commands()) {
    for (const OptionSpec& output :
         options_with(command, {PathUse::written, PathUse::grown})) {
      Words readings{""};
      for (const OptionSpec& input : options_with(command, {PathUse::read})) {
        readings.push_back(flag(input));
      }
      for (const std::string& reading : readings) {
        const TemporaryDirectory folder;
        const std::string input = folder.file("input");
        make_precious(input);
        fs::create_hard_link(input, folder.file("hard"));
        fs::create_symlink("input", folder.file("symbolic"));
        for (const std::string& name : {input, folder.file("./input"),
                                        folder.file("hard"), folder.file("symbolic")}) {
          CHECK(refusal_of(command, flag(output), name, reading, input) == "");
          ++combinations;
        }
      }
    }
  }
  CHECK(combinations >= 100);
}

TEST_CASE("no input is one of the files that a run keeps next to its output") {
  for (const Command& command : writing_commands()) {
    for (const OptionSpec& output : options_with(command, {PathUse::grown})) {
      const TemporaryDirectory folder;
      for (const std::string& beside : io::files_beside(folder.file("out.h5"))) {
        make_precious(beside);
        CHECK(refusal_of(command, flag(output), folder.file("out.h5"), "", beside) ==
              "");
        // A link that is replaced stands for the file that it leads to.
        fs::create_symlink("out.h5", folder.file("link.h5"));
        CHECK(refusal_of(command, flag(output), folder.file("link.h5"), "", beside) ==
              "");
        fs::remove(folder.file("link.h5"));
        fs::remove(beside);
      }
    }
  }
}

TEST_CASE("no two outputs of a command are the same file") {
  for (const Command& command : writing_commands()) {
    const std::vector<OptionSpec> outputs =
        options_with(command, {PathUse::written, PathUse::grown});
    for (const OptionSpec& a : outputs) {
      for (const OptionSpec& b : outputs) {
        if (flag(a) == flag(b)) {
          continue;
        }
        const TemporaryDirectory folder;
        fs::create_symlink("missing", folder.file("link"));
        std::vector<std::string> names{folder.file("missing"), folder.file("link")};
        if (b.value.path == PathUse::grown) {
          names.push_back(folder.file("missing.lock"));
        }
        for (const std::string& name : names) {
          const ProgramRun run =
              run_program({command.manual.command, data_file("water.h5"), flag(a), name,
                           flag(b), folder.file("missing")});
          INFO(run.err);
          CHECK(run.exit_code == 1);
          CHECK(missing(run.err, {"overwrite each other"}) == "");
        }
      }
    }
  }
}

TEST_CASE("devices may be inputs and outputs at once") {
  const RdfRunner rdf;
  const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "5",
                                  "--json", "/dev/null", "--trace", "/dev/null"});
  INFO(run.err);
  CHECK(run.exit_code == 0);
}

TEST_CASE("no output overwrites a file that holds data of an HDF5 file") {
  for (const ExternalData way :
       {ExternalData::link, ExternalData::virtual_dataset, ExternalData::storage}) {
    const TemporaryDirectory folder;
    const std::string path = write_external(folder.file(""), way);
    const std::string data = folder.file("other-traj");
    const std::string before = read_bytes(data);
    const Words bins{"--r-max", "1", "--bins", "5"};
    for (Words words :
         {Words{"convert", path, "-f", "-o", data},
          Words{"rdf", path, "-f", "-o", data},
          Words{"rdf", path, "-o", folder.file("out.h5"), "--json", data},
          Words{"rdf", path, "-o", folder.file("out.h5"), "--trace", data}}) {
      words.emplace_back("--allow-external");
      if (words[0] == "rdf") {
        words.insert(words.end(), bins.begin(), bins.end());
      }
      const ProgramRun run = run_program(words);
      INFO(join(words, " ") << ": " << run.err);
      CHECK(run.exit_code == 1);
      CHECK(missing(run.err, {"would overwrite", "other-traj"}) == "");
      CHECK(read_bytes(data) == before);
    }
  }
}

TEST_CASE("text that does not fit on the disk leaves no file, or the old one") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "50"}).exit_code ==
          0);
  ProgramSetting full;
  full.file_size_limit = 1024;
  for (const Words& command :
       {Words{"export", rdf.output()}, Words{"analyze", rdf.output()}}) {
    const std::string text = rdf.file("text.csv");
    fs::remove(text);
    Words words = command;
    words.insert(words.end(), {"-o", text});
    const ProgramRun none = run_program(words, full);
    INFO(none.err);
    CHECK(none.exit_code == 2);
    CHECK(missing(none.err, {"written to the end"}) == "");
    CHECK_FALSE(fs::exists(text));
    make_precious(text);
    fs::permissions(text, fs::perms::owner_read | fs::perms::owner_write);
    CHECK(run_program(words, full).exit_code == 2);
    CHECK(read_bytes(text) == precious);
    CHECK(run_program(words).exit_code == 0);
    CHECK(fs::status(text).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
    fs::remove(text);
    CHECK(std::distance(fs::directory_iterator(fs::path(text).parent_path()), {}) == 1);
  }
}

TEST_CASE("text goes through a link to a file, and to an open file") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "5"}).exit_code ==
          0);
  fs::create_symlink("real.csv", rdf.file("link.csv"));
  CHECK(run_program({"export", rdf.output(), "-o", rdf.file("link.csv")}).exit_code ==
        0);
  CHECK(fs::is_symlink(rdf.file("link.csv")));
  const ProgramRun open = run_program({"export", rdf.output(), "-o", "/dev/stdout"});
  CHECK(open.out == read_bytes(rdf.file("real.csv")));
}

}  // namespace
}  // namespace starhist::testing
