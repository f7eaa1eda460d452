#include <array>
#include <fstream>
#include <set>
#include <utility>

#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "io/output/output_path.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/external_data.hh"
#include "tests/support/file_bytes.hh"

// No output of a command may overwrite one of its inputs, under any name. The options
// are those of the program's tables.

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

/// The commands implemented by this program that write files.
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

/// Unexpected details of the refusal to write `output` by an option of `command`, where
/// `input` is a file that it reads by `reading` ("": as an argument); "" if there are
/// none.
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

TEST_CASE("each option that names a file specifies its use") {
  std::size_t paths = 0;
  for (const Command& command : driver::commands()) {
    for (const OptionSpec& spec : command.manual.options) {
      INFO(command.manual.command << " " << flag(spec) << " " << spec.placeholder);
      const bool is_path = spec.value.path != PathUse::none;
      paths += is_path ? 1 : 0;
      for (const char* word : {"FILE", "FOLDER", "DIR", "PATH"}) {
        CHECK((is_path || spec.placeholder.find(word) == std::string::npos));
      }
      CHECK((is_path || spec.help.find("the path of a") == std::string::npos));
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
        // A replaced link stands for its target.
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

/// "" if a run was refused because it would replace an input, or a file that starhist
/// did not write as text.
std::string not_refused(const ProgramRun& run, const char* file) {
  return run.err.find("would replace a file that is not text") != std::string::npos
             ? missing(run.err, {file})
             : missing(run.err, {"would overwrite", file});
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
      CHECK(not_refused(run, "other-traj") == "");
      CHECK(read_bytes(data) == before);
    }
  }
}

/// Writes a trajectory whose positions are found through `link`, and the file `data`
/// that contains them as /v.
void write_linked(const std::string& path, const std::string& data,
                  const std::string& link) {
  const char* const value = "/particles/all/position/value";
  write_h5md(path, small_trajectory());
  fs::create_directories(fs::path(data).parent_path());
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  const io::Hdf5Object other(
      H5Fcreate(data.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  REQUIRE(H5Ocopy(file.get(), value, other.get(), "/v", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  REQUIRE(H5Ldelete(file.get(), value, H5P_DEFAULT) >= 0);
  REQUIRE(H5Lcreate_external(link.c_str(), "/v", file.get(), value, H5P_DEFAULT,
                             H5P_DEFAULT) >= 0);
}

/// Checks that no output of a run of `path` overwrites `data`, and that it can be read.
void check_kept(const std::string& path, const std::string& data,
                const ProgramSetting& setting = {}) {
  const TemporaryDirectory folder;
  const Words run{"rdf", path, "--allow-external", "--r-max", "1", "--bins", "5",
                  "-f",  "-o"};
  const std::string before = read_bytes(data);
  const std::string link = folder.file("link.json");
  fs::create_symlink(fs::absolute(data), link);
  for (const Words& outputs :
       {Words{data}, Words{folder.file("out.h5"), "--json", link}}) {
    Words words = run;
    words.insert(words.end(), outputs.begin(), outputs.end());
    const ProgramRun refused = run_program(words, setting);
    INFO(join(words, " ") << ": " << refused.err);
    CHECK(refused.exit_code == 1);
    CHECK(not_refused(refused, outputs.back().c_str()) == "");
    CHECK(read_bytes(data) == before);
  }
  Words words = run;
  words.push_back(folder.file("out.h5"));
  const ProgramRun counted = run_program(words, setting);
  INFO(counted.err);
  CHECK(counted.exit_code == 0);
}

TEST_CASE("no output overwrites a file that external links reach in several steps") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  const std::string between = folder.file("sub/between.h5");
  const std::string data = folder.file("sub/deep/data.h5");
  write_linked(path, data, "sub/between.h5");
  {
    const io::Hdf5Object file(
        H5Fcreate(between.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    REQUIRE(H5Lcreate_external("deep/data.h5", "/v", file.get(), "v", H5P_DEFAULT,
                               H5P_DEFAULT) >= 0);
  }
  check_kept(path, data);
  check_kept(path, between);
}

TEST_CASE("no output overwrites a file found by the folder behind a symbolic link") {
  for (const ExternalData way : {ExternalData::link, ExternalData::virtual_dataset}) {
    const TemporaryDirectory folder;
    fs::create_directory(folder.file("sub"));
    write_external(folder.file("sub"), way);
    fs::create_symlink("sub/traj.h5", folder.file("link.h5"));
    check_kept(folder.file("link.h5"), folder.file("sub/other-traj"));
  }
}

TEST_CASE("no output overwrites a file that HDF5_EXT_PREFIX leads to") {
  const TemporaryDirectory folder;
  const std::string data = folder.file("sub/data.h5");
  write_linked(folder.file("traj.h5"), data, "data.h5");
  ProgramSetting setting;
  setting.environment = {{"HDF5_EXT_PREFIX", folder.file("sub")}};
  check_kept(folder.file("traj.h5"), data, setting);
}

TEST_CASE("no output overwrites a numbered source of a virtual dataset") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  const char* const value = "/particles/all/position/value";
  const SmallTrajectory trajectory = small_trajectory();
  write_h5md(path, trajectory);
  const std::array<hsize_t, 3> shape{3, 5, 3};
  const std::array<hsize_t, 3> most{H5S_UNLIMITED, 5, 3};
  const std::array<hsize_t, 3> frame{1, 5, 3};
  const std::array<hsize_t, 3> start{0, 0, 0};
  const std::array<hsize_t, 3> count{H5S_UNLIMITED, 1, 1};
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    const io::Hdf5Object all(H5Screate_simple(3, shape.data(), most.data()), H5Sclose);
    const io::Hdf5Object one(H5Screate_simple(3, frame.data(), nullptr), H5Sclose);
    for (int k = 0; k < 3; ++k) {
      const io::Hdf5Object source(
          H5Fcreate(folder.file("100%-" + std::to_string(k) + ".h5").c_str(),
                    H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
          H5Fclose);
      const io::Hdf5Object data(
          H5Dcreate2(source.get(), "v", H5T_NATIVE_DOUBLE, one.get(), H5P_DEFAULT,
                     H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose);
      REQUIRE(H5Dwrite(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       trajectory.positions[static_cast<std::size_t>(k)].data()) >= 0);
    }
    const io::Hdf5Object properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    REQUIRE(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, start.data(), frame.data(),
                                count.data(), frame.data()) >= 0);
    REQUIRE(H5Pset_virtual(properties.get(), all.get(), "100%%-%b.h5", "v",
                           one.get()) >= 0);
    REQUIRE(H5Ldelete(file.get(), value, H5P_DEFAULT) >= 0);
    const io::Hdf5Object dataset(
        H5Dcreate2(file.get(), value, H5T_NATIVE_DOUBLE, all.get(), H5P_DEFAULT,
                   properties.get(), H5P_DEFAULT),
        H5Dclose);
    REQUIRE(dataset);
  }
  for (const char* source : {"100%-0.h5", "100%-1.h5", "100%-2.h5"}) {
    check_kept(path, folder.file(source));
  }
}

TEST_CASE("data in other files are refused if a variable leads to unknown ones") {
  for (const auto& [way, variable] :
       {std::pair(ExternalData::virtual_dataset, "HDF5_VDS_PREFIX"),
        std::pair(ExternalData::storage, "HDF5_EXTFILE_PREFIX")}) {
    const TemporaryDirectory folder;
    const std::string path = write_external(folder.file(""), way);
    ProgramSetting setting;
    setting.environment = {{variable, folder.file("sub")}};
    const ProgramRun run = run_program({"info", path, "--allow-external"}, setting);
    INFO(run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {path.c_str(), "other-traj", variable, "unset"}) == "");
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
    CHECK(missing(none.err, {"written completely"}) == "");
    CHECK_FALSE(fs::exists(text));
    const std::string old = "# Old, written by starhist\n";
    write_bytes(text, old);
    fs::permissions(text, fs::perms::owner_read | fs::perms::owner_write);
    CHECK(run_program(words, full).exit_code == 2);
    CHECK(read_bytes(text) == old);
    CHECK(run_program(words).exit_code == 0);
    CHECK(fs::status(text).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write));
    fs::remove(text);
    CHECK(std::distance(fs::directory_iterator(fs::path(text).parent_path()), {}) == 1);
  }
}

TEST_CASE("text is written through a link to a file, and to an open file") {
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
