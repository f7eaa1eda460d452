#include <fstream>

#include <hdf5.h>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"

// Files that are not valid trajectories: exit code 1, the file in the message, no
// result.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
namespace fs = std::filesystem;

/// A run of rdf on the file traj.h5 of its folder.
struct BadFile {
  RdfRunner rdf;
  std::string path = rdf.file("traj.h5");

  std::string refusal(std::initializer_list<const char*> words,
                      const Words& more = {}) const {
    Words arguments{path, "--r-max", "1", "--bins", "50"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramRun run = rdf.run(arguments);
    const std::string problem = refusal_problem(rdf, run, {path.c_str()});
    return problem.empty() ? missing(run.err, words) : problem;
  }
  void write(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  void copy_water() const { fs::copy_file(data_file("water.h5"), path); }
};

TEST_CASE("a file that does not exist") {
  CHECK(BadFile().refusal({"does not exist"}) == "");
}

TEST_CASE("a directory") {
  const BadFile file;
  fs::create_directory(file.path);
  CHECK(file.refusal({"directory"}) == "");
}

TEST_CASE("an empty file") {
  const BadFile file;
  file.write("");
  CHECK(file.refusal({"empty", "0 bytes"}) == "");
}

TEST_CASE("text that is named .h5") {
  const BadFile file;
  file.write("ITEM: TIMESTEP\n0\n");
  CHECK(file.refusal({"has no whole frame", "frame 0 is cut off in line 3"}) == "");
}

TEST_CASE("another format that is named .h5") {
  const BadFile file;
  file.write("CDF\x01" + std::string(100, 'x'));
  CHECK(file.refusal({"cut short within its header"}) == "");
  file.write(std::string("\0\0\x07\xcb\0\0\0\x03", 8) + std::string(100, 'x'));
  CHECK(file.refusal({"no whole frame", "frame 0 is damaged"}) == "");
}

TEST_CASE("a text format that is named as another one") {
  const BadFile file;
  const std::string renamed = file.rdf.file("a.pdb");
  fs::copy_file(data_file("water-214.gro"), renamed);
  const ProgramRun run = run_program({"info", renamed});
  CHECK(missing(run.err, {"a.pdb: has no whole frame", "look like GRO, not PDB",
                          "rename it to NAME.gro"}) == "");
}

TEST_CASE("a file of zeros") {
  const BadFile file;
  file.write(std::string(4096, '\0'));
  CHECK(file.refusal({"unknown format", "zeros"}) == "");
}

TEST_CASE("a truncated trajectory") {
  for (const double share : {0.001, 0.1, 0.5, 0.99}) {
    INFO(share);
    const BadFile file;
    file.copy_water();
    const auto size = static_cast<double>(fs::file_size(file.path));
    fs::resize_file(file.path, static_cast<std::uintmax_t>(share * size));
    CHECK(file.refusal({"HDF5", "truncated"}) == "");
  }
}

TEST_CASE("a truncated trajectory that was padded with zeros to its old size") {
  for (const double share : {0.001, 0.1, 0.5, 0.9}) {
    INFO(share);
    const BadFile file;
    file.copy_water();
    const auto size = fs::file_size(file.path);
    fs::resize_file(file.path,
                    static_cast<std::uintmax_t>(share * static_cast<double>(size)));
    fs::resize_file(file.path, size);
    CHECK(file.refusal({}) == "");
  }
}

TEST_CASE("HDF5 that is not a trajectory") {
  const BadFile file;
  HdfFile(file.path).numbers("temperatures", {3}, {1, 2, 3});
  CHECK(file.refusal({"not a trajectory", "H5MD", "temperatures"}) == "");
}

TEST_CASE("a result of starhist is not a trajectory") {
  for (const Words& count :
       {Words{"rdf", "--r-max", "1", "--bins", "5"},
        {"vanhove", "--r-max", "1", "--bins", "5", "--lags", "0,1"},
        {"coordination", "--cutoff", "O-O=0.35"}}) {
    INFO(count.front());
    const BadFile file;
    Words words = count;
    words.insert(words.end(),
                 {data_file("water.h5"), "-q", "--step", "25", "-o", file.path});
    CHECK(run_program(words).exit_code == 0);
    CHECK(file.refusal({"starhist result", "starhist export"}) == "");
  }
}

TEST_CASE("a trajectory is not a result of starhist") {
  const std::string water = data_file("water.h5");
  const ProgramRun run = run_program({"export", water});
  CHECK(run.exit_code == 1);
  CHECK(run.out == "");
  CHECK(missing(run.err, {water.c_str(), "not a result"}) == "");
}

TEST_CASE("info and export refuse files other than HDF5") {
  const BadFile file;
  file.write("hello");
  for (const std::string command : {"info", "export"}) {
    const ProgramRun run = run_program({command, file.path});
    CHECK(run.exit_code == 1);
    CHECK(run.out == "");
    CHECK(missing(run.err, {file.path.c_str(), "hello"}) == "");
  }
}

TEST_CASE("H5MD without positions, with wrong numbers of species, or without frames") {
  const BadFile file;
  SmallTrajectory small = small_trajectory();
  SECTION("no positions") {
    write_h5md(file.path, small);
    HdfFile(file.path, HdfFile::Mode::edit).remove("particles/all/position");
    CHECK(file.refusal({"no group in /particles has positions"}) == "");
  }
  SECTION("two species for five particles") {
    write_h5md(file.path, small);
    HdfFile(file.path, HdfFile::Mode::edit)
        .numbers("particles/all/species", {2}, {0, 1}, {NumberType::i32});
    CHECK(file.refusal({"species", "2 values for 5 particles"}) == "");
  }
  SECTION("no frames") {
    small.positions.clear();
    write_h5md(file.path, small);
    CHECK(file.refusal({"has no frames"}) == "");
  }
  SECTION("positions in a plane") {
    write_h5md(file.path, small);
    HdfFile(file.path, HdfFile::Mode::edit)
        .numbers("particles/all/position/value", {3, 5, 2},
                 std::vector<double>(30, 0.5));
    CHECK(file.refusal({"position", "2 components"}) == "");
  }
}

size_t pass_through(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  return bytes;
}

/// Positions of `path` stored with a filter that only this process knows.
void use_unknown_filter(const std::string& path) {
  const H5Z_class2_t filter{H5Z_CLASS_T_VERS,      511,     1,       1,
                            "mystery compression", nullptr, nullptr, pass_through};
  REQUIRE(H5Zregister(&filter) >= 0);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(H5Ldelete(file, "particles/all/position/value", H5P_DEFAULT) >= 0);
  const hsize_t shape[3] = {3, 5, 3};
  const hsize_t chunk[3] = {1, 5, 3};
  const hid_t space = H5Screate_simple(3, shape, nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 3, chunk);
  H5Pset_filter(properties, 511, H5Z_FLAG_MANDATORY, 0, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "particles/all/position/value", H5T_NATIVE_DOUBLE, space,
                 H5P_DEFAULT, properties, H5P_DEFAULT);
  const std::vector<double> positions(45, 0.25);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 positions.data()) >= 0);
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Sclose(space);
  H5Fclose(file);
  H5Zunregister(511);
}

TEST_CASE("a filter that is not installed is named") {
  const BadFile file;
  write_h5md(file.path, small_trajectory());
  use_unknown_filter(file.path);
  CHECK(file.refusal({"position", "filter", "511", "mystery compression"}) == "");
}

TEST_CASE("one bad file among several causes an error") {
  const BadFile file;
  file.write("text");
  CHECK(file.refusal({"text"}, {data_file("water.h5")}) == "");
  const RdfRunner rdf;
  SmallTrajectory angstroms = small_trajectory();
  angstroms.length_unit = "Angstrom";
  write_h5md(rdf.file("angstroms.h5"), angstroms);
  CHECK(refusal_problem(rdf,
                        rdf.run({data_file("water.h5"), rdf.file("angstroms.h5"),
                                 "--r-max", "1", "--bins", "50"}),
                        {"angstroms.h5", "\"A\"", "\"nm\""}) == "");
}

}  // namespace
}  // namespace starhist::testing
