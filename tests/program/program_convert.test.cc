// starhist convert: counts of the output equal counts of the input.
#include <filesystem>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

ProgramRun convert(const Words& arguments, const std::string& output,
                   const ProgramSetting& setting = {}) {
  Words words{"convert"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"-o", output});
  return run_program(words, setting);
}

/// Counts of all pairs of the files in `arguments`.
BlockCounts counts(Words arguments, const std::string& r_max) {
  const RdfRunner rdf;
  arguments.insert(arguments.end(), {"--r-max", r_max, "--bins", "100"});
  const ProgramRun run = rdf.run(arguments);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return total(rdf.result().blocks);
}

void check_same_counts(const BlockCounts& a, const BlockCounts& b) {
  CHECK(a.frames == b.frames);
  CHECK(a.counts == b.counts);
  CHECK(a.out_of_range == b.out_of_range);
  CHECK(a.volume == b.volume);
}

TEST_CASE("convert, then rdf: the same counts, from XTC, TRR and TNG with a topology") {
  if (!has_libgromacs()) {
    return;
  }
  const TemporaryDirectory folder;
  for (const char* name : {"spc.xtc", "spc.trr", "spc.tng"}) {
    INFO(name);
    const Words input{data_file(name), "--structure", data_file("spc.tpr")};
    const std::string output = folder.file(std::string(name) + ".h5");
    const ProgramRun run = convert(input, output);
    INFO(run.err);
    CHECK(run.exit_code == 0);
    // The decimals of XTC need doubles.
    const bool decimal = std::string(name) == "spc.xtc";
    CHECK(missing(run.err, {"3 frames, HW1: 216, HW2: 216, OW: 216", "nm",
                            decimal ? "float64" : "float32"}) == "");
    check_same_counts(counts({output}, "0.9"), counts(input, "0.9"));
  }
  CHECK(std::distance(fs::directory_iterator(folder.file("")), {}) == 3);
}

TEST_CASE("convert of H5MD, of some frames and species, and of doubles") {
  const TemporaryDirectory folder;
  const std::string output = folder.file("out.h5");
  const std::string nacl = data_file("nacl-triclinic-npt.h5");
  const Words frames{"--first", "4", "--last", "11", "--step", "3"};
  Words input{nacl, "--species", "I=Na Cl; O=O"};
  input.insert(input.end(), frames.begin(), frames.end());
  const ProgramRun run = convert(input, output);
  INFO(run.err);
  CHECK(run.exit_code == 0);
  check_same_counts(counts({output}, "1.0"), counts(input, "1.0"));
  const WholeTrajectory all = read_all({nacl});
  const WholeTrajectory some = read_all({output});
  REQUIRE(some.frames.size() == 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(some.frames[k].box == all.frames[4 + 3 * k].box);
    CHECK(some.frames[k].time == all.frames[4 + 3 * k].time);
    CHECK(some.frames[k].step == all.frames[4 + 3 * k].step);
  }

  const TextTrajectory xyz("2\n\nA 0.5 0.25 1\nB 1 2 3\n2\n\nA 0.1 0.2 0.3\nB 1 2 3\n");
  const ProgramRun doubles = convert({xyz.path, "--unit", "nm"}, output);
  CHECK(doubles.exit_code == 1);
  CHECK(missing(doubles.err, {"out.h5", "exists already", "--force"}) == "");
  const ProgramRun forced = convert({xyz.path, "--unit", "nm", "--overwrite"}, output);
  CHECK(forced.exit_code == 0);
  CHECK(missing(forced.err, {"float64"}) == "");
  CHECK(read_all({output}).frames.at(1).positions ==
        read_all({xyz.path}).frames[1].positions);
}

TEST_CASE("convert reports a --box that is too small for the particles") {
  const TemporaryDirectory folder;
  std::string text = "40\nLattice=\"9 0 0 0 9 0 0 0 9\"\n";
  for (int k = 0; k < 40; ++k) {
    text += "A " + std::to_string(0.22 * k) + " 1 1\n";
  }
  const TextTrajectory file(text);
  const ProgramRun small = convert({file.path, "--box", "4,9,9"}, folder.file("a.h5"));
  CHECK(small.exit_code == 0);
  CHECK(missing(small.err, {"--box is too small: its edge along x is 4"}) == "");
  const ProgramRun right = convert({file.path, "--box", "9,9,9"}, folder.file("b.h5"));
  CHECK(right.err.find("too small") == std::string::npos);
}

TEST_CASE("convert of several files with boxes in another file keeps all columns") {
  const TemporaryDirectory folder;
  std::string boxes = "# Step Time Ax Ay Az Bx By Bz Cx Cy Cz Volume\n";
  const auto file = [&](int frame) {
    const std::string number = std::to_string(frame);
    boxes += number + " " + number + " 4 0 0 0 4 0 0 0 4 64\n";
    return TextTrajectory(
        "2\nProperties=species:S:1:pos:R:3:molid:I:1:masses:R:1 Step=" + number +
        " Time=" + number + "\nO 1 1 " + number + " 7 16\nH 2 2 2 7 1\n");
  };
  const TextTrajectory first = file(0);
  const TextTrajectory second = file(1);
  const TextTrajectory cell(boxes, "boxes.cell");
  const ProgramRun run =
      convert({first.path, second.path, "--box", cell.path}, folder.file("out.h5"));
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.err.find("not written") == std::string::npos);
  const ProgramRun info = run_program({"info", folder.file("out.h5")});
  CHECK(missing(info.out, {"frames       2", "molecule", "masses"}) == "");
}

TEST_CASE(
    "convert of a file that ends within a frame: the frames before it, exit code 3") {
  const TemporaryDirectory folder;
  const std::string frame = "1\n\nA 1 2 3\n";
  const TextTrajectory cut(frame + frame + "1\n\nA 1");
  const ProgramRun run = convert({cut.path}, folder.file("out.h5"));
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"2 frames", "left out", "frame 2 is cut off"}) == "");
  CHECK(read_all({folder.file("out.h5")}).frames.size() == 2);
  CHECK(convert({cut.path, "--last", "0", "-f"}, folder.file("out.h5")).exit_code == 0);
}

TEST_CASE("convert refuses data that H5MD cannot hold, and leaves no file") {
  const TemporaryDirectory folder;
  const std::string output = folder.file("out.h5");
  const TextTrajectory changing("1\n\nA 1 2 3\n2\n\nA 1 2 3\nA 1 2 4\n");
  const auto refused = [&](const Words& arguments,
                           std::initializer_list<const char*> words) {
    const ProgramRun run = convert(arguments, output);
    INFO(run.err);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, words) == "");
    CHECK(fs::is_empty(folder.file("")));
  };
  refused({changing.path}, {"frame 1 has 2 particles of A, the first frame 1"});
  refused({data_file("nacl-triclinic-npt.h5"), "--edges", "vector"},
          {"frame 0", "--edges vector"});
  refused({data_file("water.h5"), "--first", "99"}, {"no frames"});
  refused({data_file("water.h5"), "--edges", "round", "--step", "0"},
          {"--edges 'round'", "--step"});
  refused({}, {"no trajectory is given"});
  CHECK(missing(run_program({"convert", data_file("water.h5")}).err,
                {"--output is missing"}) == "");
  CHECK(missing(convert({data_file("water.h5"), "-f"}, data_file("water.h5")).err,
                {"would overwrite", "which is read"}) == "");
}

TEST_CASE("convert on a full disk ends with a message and leaves no file") {
  const TemporaryDirectory folder;
  for (const std::uint64_t limit : {1000, 400000, 1600000}) {
    ProgramSetting setting;
    setting.file_size_limit = limit;
    const ProgramRun run =
        convert({data_file("water.h5")}, folder.file("out.h5"), setting);
    INFO(limit << ": " << run.err);
    CHECK(run.exit_code == 2);
    CHECK(missing(run.err, {"out.h5"}) == "");
    CHECK(fs::is_empty(folder.file("")));
  }
}

}  // namespace
}  // namespace starhist::testing
