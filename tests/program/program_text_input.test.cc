// Text trajectories through the program: the counts of the same frames in HDF5.
#include <iomanip>
#include <numeric>
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

/// Some frames as another program may have written them, with full precision.
std::string as_xyz(const WholeTrajectory& all, std::size_t frames) {
  std::ostringstream text;
  text << std::setprecision(17);
  for (std::size_t f = 0; f < frames; ++f) {
    const Frame& frame = all.frames[f];
    std::size_t atoms = 0;
    for (const auto& positions : frame.positions) {
      atoms += positions.size() / 3;
    }
    text << atoms << "\nLattice=\"";
    for (const Vec3& edge : frame.box.edges()) {
      text << edge.x << ' ' << edge.y << ' ' << edge.z << ' ';
    }
    text << "\"\n";
    for (std::size_t s = 0; s < frame.positions.size(); ++s) {
      const auto& p = frame.positions[s];
      for (std::size_t k = 0; k < p.size(); k += 3) {
        text << all.info.species[s] << ' ' << p[k] << ' ' << p[k + 1] << ' ' << p[k + 2]
             << '\n';
      }
    }
  }
  return text.str();
}

TEST_CASE("rdf of XYZ has the counts of the same frames in H5MD, and prints the unit") {
  const std::string nacl = data_file("nacl-triclinic-npt.h5");
  const TextTrajectory xyz(as_xyz(read_all({nacl}), 3));
  const TemporaryDirectory folder;
  const std::vector<std::string> range{"--r-max", "2.2", "--bins", "777"};
  const auto counts = [&](std::vector<std::string> arguments) {
    const std::string output = folder.file("out.h5");
    arguments.insert(arguments.begin(), "rdf");
    arguments.insert(arguments.end(), range.begin(), range.end());
    arguments.insert(arguments.end(), {"-o", output, "--force"});
    const ProgramRun run = run_program(arguments);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return io::read_result(output);
  };
  const io::ResultFile expected = counts({nacl, "--last", "2"});
  const io::ResultFile found = counts({xyz.path, "--unit", "nanometers"});
  CHECK(found.layout.length_unit == "nm");
  REQUIRE(found.blocks.size() == 1);
  CHECK(found.blocks[0].counts == expected.blocks[0].counts);
  CHECK(found.blocks[0].out_of_range == expected.blocks[0].out_of_range);
}

TEST_CASE("text that ends within a frame: the earlier frames, exit code 3") {
  const std::string frame = "2\nLattice=\"5 0 0 0 5 0 0 0 5\"\nA 1 2 3\nA 3 2 1\n";
  const TextTrajectory cut(frame + frame + frame.substr(0, frame.size() - 3));
  const TemporaryDirectory folder;
  const std::vector<std::string> rdf{
      "rdf", cut.path, "--r-max", "2", "--bins", "10", "-o", folder.file("out.h5")};
  const ProgramRun run = run_program(rdf);
  INFO(run.err);
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"frame 2 is cut off in line 12", "the 2 frames before it"}) ==
        "");
  CHECK(io::read_result(folder.file("out.h5")).blocks.at(0).frames == 2);

  std::vector<std::string> first = rdf;
  first.insert(first.end(), {"--last", "1", "--force"});
  CHECK(run_program(first).exit_code == 0);

  const ProgramRun info = run_program({"info", cut.path});
  CHECK(info.exit_code == 3);
  CHECK(missing(info.out, {"XYZ", "frames       2"}) == "");
  CHECK(missing(info.err, {"cut off"}) == "");
}

TEST_CASE("text without a newline at its end is one whole frame, exit code 0") {
  const TextTrajectory file("3\nframe\nO 0 0 0\nH 1 0 0\nH 0 1 0");
  const ProgramRun info = run_program({"info", file.path});
  INFO(info.err);
  CHECK(info.exit_code == 0);
  CHECK(missing(info.out, {"frames       1", "H: 2, O: 1"}) == "");
  CHECK(info.err.empty());
  const TemporaryDirectory folder;
  const ProgramRun run = run_program(
      {"rdf", file.path, "--r-max", "2", "--bins", "10", "-o", folder.file("out.h5")});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"cut off"}) != "");
  const BlockCounts block = io::read_result(folder.file("out.h5")).blocks.at(0);
  CHECK(block.frames == 1);
  std::uint64_t pairs = 0;
  for (const auto& counts : block.counts) {
    pairs += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  CHECK(pairs == 3);
}

}  // namespace
}  // namespace starhist::testing
