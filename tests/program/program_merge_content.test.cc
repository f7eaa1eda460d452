#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "io/result/result_reader.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// Frames are recognized by their content, in merge and within a run.

namespace starhist::testing {
namespace {

/// Counts a trajectory and returns the path of the result.
std::string counted_file(const TemporaryDirectory& folder, const std::string& path,
                         const std::string& name,
                         const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"rdf",     path,  "-o",     folder.file(name + ".h5"),
                                 "--r-max", "1.4", "--bins", "7"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramRun run = run_program(words);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return folder.file(name + ".h5");
}

/// A dump of the steps first ... last of two atoms, whose positions depend on the step.
/// `added`: to the steps in the file. `turned`: the second atom is written first.
std::string moving_atoms(int first, int last, int added = 0, bool turned = false) {
  std::string text;
  for (int step = first; step <= last; ++step) {
    const std::string x = std::to_string(0.1 * step);
    const std::string one = "1 1 " + x + " 1 1\n";
    const std::string two = "2 1 2 " + x + " 3\n";
    text += "ITEM: TIMESTEP\n" + std::to_string(step + added) +
            "\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"
            "ITEM: ATOMS id type x y z\n" +
            (turned ? two + one : one + two);
  }
  return text;
}

TEST_CASE("merge: frames in another order of particles, or at other steps, are found") {
  const TemporaryDirectory folder;
  const auto count = [&](const std::string& name, const std::string& text) {
    write_bytes(folder.file(name + ".dump"), text);
    return counted_file(folder, folder.file(name + ".dump"), name);
  };
  const auto merge = [&](const std::string& one, const std::string& two) {
    return run_program({"merge", one, two, "-o", folder.file("all.h5"), "--force"});
  };
  const std::string first = count("first", moving_atoms(1, 5));
  for (const auto& [name, text, frame] : std::vector<std::array<std::string, 3>>{
           {"turned", moving_atoms(5, 9, 0, true), "frame 4 of"},
           {"cut", moving_atoms(4, 9, -4), "frame 3 of"}}) {
    const ProgramRun run = merge(first, count(name, text));
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {frame.c_str(), "first.dump", "there as frame 0 of",
                            "would count twice"}) == "");
  }
  const ProgramRun one = merge(first, count("one", moving_atoms(5, 9, -4)));
  INFO(one.err);
  CHECK(one.exit_code == 0);
  CHECK(missing(one.err, {"frame 4 of", "frame 0 of", "have the same positions",
                          "counts twice"}) == "");
  const ProgramRun apart = merge(first, count("apart", moving_atoms(6, 9, -5)));
  CHECK(apart.exit_code == 0);
  CHECK(apart.err.find("same positions") == std::string::npos);
}

TEST_CASE("rdf warns of frames that are in a trajectory twice at other steps") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.dump");
  std::ofstream(path) << moving_atoms(1, 5) << moving_atoms(4, 7, 2);
  const std::vector<std::string> words{path, "--r-max", "4", "--bins", "4"};
  const ProgramRun run = rdf.run(words);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"2 frames have the positions of earlier frames",
                          "the first: frame 5, as frame 3"}) == "");
  std::vector<std::string> keep = words;
  keep.insert(keep.end(), {"--repeated", "keep", "--force"});
  CHECK(rdf.run(keep).err.find("earlier frames") == std::string::npos);
  std::ofstream(path) << moving_atoms(1, 9);
  CHECK(RdfRunner().run(words).err.find("earlier frames") == std::string::npos);
}

TEST_CASE("merge: periodic and open boundaries are not mixed") {
  const TemporaryDirectory folder;
  const std::string water = data_file("water.h5");
  const std::string one = counted_file(folder, water, "one", {"--last", "4"});
  const std::string open = folder.file("copy.h5");
  std::filesystem::copy_file(water, open);
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--box", "none"}, {"--open", "z"}}) {
    std::vector<std::string> words{"--first", "5", "--force"};
    words.insert(words.end(), option.begin(), option.end());
    const std::string two = counted_file(folder, open, "two", words);
    const ProgramRun run = run_program({"merge", one, two, "-o", folder.file("a.h5")});
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {option[0].c_str()}) == "");
  }
}

TEST_CASE("merge: checksums that depended on the order of particles are not compared") {
  const TemporaryDirectory folder;
  const std::string water = data_file("water.h5");
  const std::string one = counted_file(folder, water, "one", {"--last", "9"});
  const std::string two = counted_file(folder, water, "two", {"--first", "5"});
  {
    const io::Hdf5Object file(H5Fopen(one.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    REQUIRE(H5Adelete_by_name(file.get(),
                              "observables/pair_distance_histogram/frame_checksum",
                              "any_order", H5P_DEFAULT) >= 0);
  }
  CHECK(io::read_result(one).blocks[0].counted[0].checksum == 0);
  const ProgramRun run = run_program({"merge", one, two, "-o", folder.file("all.h5")});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"one.h5 has no frame checksums", "frame 5 of",
                          "would count twice"}) == "");
}

}  // namespace
}  // namespace starhist::testing
