#include <cmath>
#include <filesystem>
#include <fstream>

#include <sys/stat.h>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/random.hh"

// Files of CAPRIQORN's preprocessor, counted and passed to its postprocessor: the log
// and the histograms of lengths are passed on, and `starhist cadishi` writes the files
// of `cadishi histo`. tests/scripts/cadishi_test.py compares with CADISHI.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = RdfRunner::Words;
using Numbers = std::vector<double>;

const std::string sphere =
    R"([{"MDReader": {"first": 1}}, {"Sphere": {"radius": 9.0, "r_max": 18.0}},)"
    R"( {"H5Writer": {"file": "t.h5"}}])";

/// Number of O in a frame.
int oxygens(int frame) {
  return 3 + frame % 4;
}

/// Frames 1 to `frames` of a sphere, with a box that CAPRIQORN retains; two H and some
/// O in each.
void write_trajectory(const std::string& path, int frames,
                      const std::string& log = sphere) {
  HdfFile file(path);
  Random random(5);
  for (int frame = 1; frame <= frames; ++frame) {
    const std::string name = std::to_string(frame);
    const auto place = [&](const std::string& species, int count) {
      Numbers positions;
      for (int k = 0; k < 3 * count; ++k) {
        positions.push_back(random.uniform(-5.0, 5.0));
      }
      file.numbers(name + "/coordinates/" + species, {hsize_t(count), 3}, positions);
    };
    place("O", oxygens(frame));
    place("H", 2);
    file.numbers(name + "/coordinates/O.s", {0, 3}, {});
    file.numbers(name + "/dimensions", {6}, {10, 10, 10, 90, 90, 90});
    file.numbers(name + "/len_histograms/radii", {2}, {0.5, 1.5});
    file.numbers(name + "/len_histograms/O", {2}, {double(frame), 1.0});
    file.text_attribute(name, "log", {}, {log});
  }
}

Numbers hdf5_numbers(const std::string& file, const std::string& path) {
  const io::Hdf5Object open = io::open_hdf5_file(file);
  return io::read_hdf5_numbers<double>(io::open_hdf5_dataset(open.get(), path).get());
}

std::string log_of(const std::string& file, const std::string& group) {
  const io::Hdf5Object open = io::open_hdf5_file(file);
  return io::read_hdf5_strings(io::open_hdf5_group(open.get(), group).get(), "log")
      .at(0);
}

std::vector<std::string> names(const std::string& file) {
  return io::hdf5_names(io::open_hdf5_file(file).get());
}

/// The counted result as CADISHI's histograms.
std::string exported_histograms(const RdfRunner& rdf, const std::string& result) {
  const std::string path = rdf.file("histograms.h5");
  const ProgramRun run =
      run_program({"export", result, "--cadishi", "-o", path, "--force"});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return path;
}

const Words run_bins{"--r-max", "17", "--bins", "34"};

TEST_CASE("a frame from which CAPRIQORN cut a volume has no box") {
  const RdfRunner rdf;
  const std::string cut = rdf.file("cut.h5");
  const std::string whole = rdf.file("whole.h5");
  write_trajectory(cut, 2);
  write_trajectory(whole, 2, R"([{"MDReader": {"first": 1}}])");
  const auto counts = [&](const Words& words) {
    const RdfRunner one;
    REQUIRE(one.run(with(words, run_bins)).exit_code == 0);
    return summed_counts(one.result());
  };
  CHECK(counts({cut}) == counts({whole, "--box", "none"}));
  CHECK(counts({cut}) != counts({whole}));
  CHECK(counts({cut, "--box", "10,10,10"}) == counts({whole}));
}

TEST_CASE("an invalid log is refused, as are weights of pairs") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 2, "Sphere");
  CHECK(refusal_problem(rdf, rdf.run(with({path}, run_bins)),
                        {"/1/log", "JSON list"}) == "");
  write_trajectory(path, 2);
  HdfFile(path, HdfFile::Mode::edit).numbers("2/histograms/mask", {3}, {1, 0, 1});
  const ProgramRun run = rdf.run(with({path}, run_bins));
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"frame 1", "mask", "weights of pairs"}) == "");
}

TEST_CASE("export --cadishi: log, sums of lengths and N of every frame of the block") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 6);
  REQUIRE(rdf.run(with({path, "--block", "3"}, run_bins)).exit_code == 0);
  const std::string histograms = exported_histograms(rdf, rdf.output());
  REQUIRE(names(histograms) == std::vector<std::string>{"3", "6"});
  CHECK(hdf5_numbers(histograms, "3/len_histograms/O") == Numbers{1 + 2 + 3, 3});
  CHECK(hdf5_numbers(histograms, "6/len_histograms/O") == Numbers{4 + 5 + 6, 3});
  CHECK(hdf5_numbers(histograms, "6/len_histograms/radii") == Numbers{0.5, 1.5});
  CHECK(hdf5_numbers(histograms, "3/particle_numbers/O") ==
        Numbers{double(oxygens(1)), double(oxygens(2)), double(oxygens(3))});
  CHECK(hdf5_numbers(histograms, "3/particle_numbers/O.s") == Numbers{0, 0, 0});
  const io::Hdf5Object file = io::open_hdf5_file(histograms);
  CHECK_FALSE(io::hdf5_exists(file.get(), "3/volumes"));
  std::ofstream(rdf.file("log.json")) << log_of(histograms, "6");
  CHECK(json_value(rdf.file("log.json"), "[list(entry)[0] for entry in d]") ==
        "['MDReader', 'Sphere', 'H5Writer', 'starhist', 'histograms']");
  CHECK(json_value(rdf.file("log.json"), "d[1]['Sphere']['radius']") == "9.0");
}

TEST_CASE("export --cadishi: V of every frame that has a box") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 2, "[]");
  REQUIRE(rdf.run(with({path}, run_bins)).exit_code == 0);
  CHECK(hdf5_numbers(exported_histograms(rdf, rdf.output()), "2/volumes/box") ==
        Numbers{1000, 1000});
}

TEST_CASE("export --cadishi: blocks of different lengths are added up") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 5);
  REQUIRE(rdf.run(with({path, "--block", "3"}, run_bins)).exit_code == 0);
  const std::string histograms = exported_histograms(rdf, rdf.output());
  REQUIRE(names(histograms) == std::vector<std::string>{"5"});
  CHECK(hdf5_numbers(histograms, "5/len_histograms/O") == Numbers{15, 5});
  CHECK(hdf5_numbers(histograms, "5/len_histograms/radii") == Numbers{0.5, 1.5});
  CHECK(hdf5_numbers(histograms, "5/particle_numbers/O").size() == 5);
}

TEST_CASE("only data of counted frames are passed on") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 9);
  HdfFile(path, HdfFile::Mode::edit).remove("3/coordinates/H");
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("3/coordinates/H", {2, 3}, {1, 1, 1, NAN, 1, 1});
  const ProgramRun run = rdf.run(
      with({path, "--first", "2", "--step", "2", "--skip-bad-frames"}, run_bins));
  INFO(run.err);
  REQUIRE(run.exit_code == 3);
  // Frames 5, 7 and 9: 3 is left out.
  CHECK(hdf5_numbers(exported_histograms(rdf, rdf.output()), "3/len_histograms/O") ==
        Numbers{21, 3});
}

TEST_CASE("data of a frame with far particles are not passed on") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 3);
  HdfFile(path, HdfFile::Mode::edit).remove("2/coordinates/H");
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("2/coordinates/H", {2, 3}, {1, 1, 1, 1e13, 1, 1});
  const ProgramRun run = rdf.run(with({path, "--skip-bad-frames"}, run_bins));
  INFO(run.err);
  REQUIRE(run.exit_code == 3);
  const std::string histograms = exported_histograms(rdf, rdf.output());
  CHECK(hdf5_numbers(histograms, "2/len_histograms/O") == Numbers{1 + 3, 2});
  CHECK(hdf5_numbers(histograms, "2/particle_numbers/O") ==
        Numbers{double(oxygens(1)), double(oxygens(3))});
}

TEST_CASE("merge passes on data that both results have") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 6);
  REQUIRE(rdf.run(with({path, "--block", "2"}, run_bins)).exit_code == 0);
  const std::string whole = exported_histograms(rdf, rdf.output());
  const std::string before = log_of(whole, "4");
  const Numbers lengths = hdf5_numbers(whole, "4/len_histograms/O");
  const auto part = [&](const std::string& name, const Words& frames) {
    const Words words{"rdf", path, "--block", "2", "-o", rdf.file(name)};
    REQUIRE(run_program(with(with(words, run_bins), frames)).exit_code == 0);
    return rdf.file(name);
  };
  const std::string merged = rdf.file("merged.h5");
  REQUIRE(run_program({"merge", part("a.h5", {"--last", "1"}),
                       part("b.h5", {"--first", "2"}), "-o", merged})
              .exit_code == 0);
  const std::string histograms = exported_histograms(rdf, merged);
  REQUIRE(names(histograms) == std::vector<std::string>{"2", "4", "6"});
  CHECK(hdf5_numbers(histograms, "4/len_histograms/O") == lengths);
  CHECK(log_of(histograms, "4").substr(0, sphere.size() / 2) ==
        before.substr(0, sphere.size() / 2));
}

TEST_CASE("a resumed run passes on all frames") {
  const RdfRunner rdf;
  const std::string path = rdf.file("t.h5");
  write_trajectory(path, 6);
  const Words words = with({path, "--block", "2"}, run_bins);
  REQUIRE(rdf.run(words).exit_code == 0);
  rdf.unfinish();
  const ProgramRun run = rdf.run(with(words, {"--resume"}));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const std::string histograms = exported_histograms(rdf, rdf.output());
  CHECK(hdf5_numbers(histograms, "2/len_histograms/O") == Numbers{3, 2});
  CHECK(hdf5_numbers(histograms, "6/len_histograms/O") == Numbers{11, 2});
}

/// A folder with a trajectory of 7 frames and a parameter file.
struct CadishiFolder {
  TemporaryDirectory folder;
  std::string parameters = folder.file("histograms.yaml");
  std::string output = folder.file("out/");

  explicit CadishiFolder(const std::string& log = sphere) {
    write_trajectory(folder.file("t.h5"), 7, log);
  }
  /// `starhist cadishi` with these parameters, after the parameters of input and
  /// output.
  ProgramRun run(const std::string& histogram, const std::string& input = "",
                 const std::string& more = "") const {
    std::ofstream(parameters) << "input:\n  file: " << folder.file("t.h5") << "\n"
                              << input << "output:\n  directory: " << output
                              << "\n" + more << "histogram:\n"
                              << histogram;
    return run_program({"cadishi", parameters});
  }
};

TEST_CASE("starhist cadishi writes the files of cadishi histo") {
  const CadishiFolder files;
  const ProgramRun good = files.run("  r_max: -1\n  dr: 0.5\n  sum: 4\n",
                                    "  first: 2\n", "cpu:\n  workers: 3\n");
  INFO(good.err);
  REQUIRE(good.exit_code == 0);
  CHECK(missing(good.err, {"1 blocks of 4 frames", "last 2 frames", "cpu:workers"}) ==
        "");
  const std::string histograms = files.output + "histograms.h5";
  REQUIRE(names(histograms) == std::vector<std::string>{"4"});
  CHECK(hdf5_numbers(histograms, "4/len_histograms/O") == Numbers{2 + 3 + 4 + 5, 4});
  CHECK(hdf5_numbers(histograms, "4/histograms/radii").size() == 36);
  CHECK(hdf5_numbers(histograms, "4/histograms/radii")[1] == 0.75);
  const std::string log = files.folder.file("log.json");
  std::ofstream(log) << log_of(histograms, "4");
  CHECK(json_value(log, "[list(entry)[0] for entry in d[2:]]") ==
        "['H5Writer', 'H5Reader', 'histograms', 'H5Writer']");
  CHECK(json_value(log, "d[4]['histograms']['histogram']") ==
        "{'dr': 0.5, 'r_max': -1, 'sum': 4}");
  CHECK(read_bytes(files.output + "header.dat") ==
        "# H,H H,O H,O.s O,O O,O.s O.s,O.s\n");
  std::string expected = "# H O O.s \n";
  for (int frame = 1; frame <= 6; ++frame) {
    expected +=
        std::to_string(frame) + " 2 " + std::to_string(oxygens(frame + 1)) + " 0 \n";
  }
  CHECK(read_bytes(files.output + "nrPart.2.7.dat") == expected);
  CHECK(json_value(files.output + "preprocessor_log.json", "len(d)") == "3");
  CHECK(read_bytes(files.output + "histograms.yaml").find("  dr: 0.5\n") !=
        std::string::npos);
  // Another run replaces them, as CADISHI does.
  CHECK(files.run("  r_max: 18\n  dr: 0.5\n").exit_code == 0);
  CHECK(names(histograms).size() == 7);
  CHECK(fs::exists(files.output + "nrPart.1.7.dat"));
}

TEST_CASE("starhist cadishi reports invalid parameters") {
  const CadishiFolder files;
  const auto refusal = [&](const ProgramRun& run) {
    return run.exit_code == 1 ? run.err : "exit code " + std::to_string(run.exit_code);
  };
  CHECK(missing(refusal(files.run("  r_max: 18\n  dr: 0\n  sum: x\n  width: 3\n")),
                {"histogram:dr is 0", "histogram:sum is \"x\"", "'width'"}) == "");
  CHECK(missing(refusal(files.run("  r_max: 18\n", "  periodic_box: [1, 2]\n")),
                {"periodic_box"}) == "");
  CHECK(missing(refusal(files.run("  r_max: 18\n  periodic_box: null\n")),
                {"'periodic_box' is not a parameter of section 'histogram', but of "
                 "input"}) == "");
  CHECK(missing(refusal(files.run("  r_max: 18\n", "  step: null\n")),
                {"input:step is null"}) == "");
  CHECK(missing(refusal(files.run("  r_max: 18\n", "  last: 8\n")),
                {"frames 1 to 8", "has 7"}) == "");
  CHECK(missing(refusal(files.run("  r_max: 18\n  sum: 8\n")), {"whole blocks"}) == "");
  CHECK(missing(refusal(files.run("  r_max: [\n")), {"not YAML", "line"}) == "");
  CHECK(missing(run_program({"cadishi", data_file("water.h5")}).err,
                {"not YAML", "an HDF5 file", "histograms.yaml"}) == "");
  CHECK(missing(refusal(run_program({"cadishi", files.folder.file("none.yaml")})),
                {"cannot be opened"}) == "");
  CHECK(missing(refusal(run_program({"cadishi", files.folder.file("")})),
                {files.folder.file("").c_str(), "cannot be opened"}) == "");
  const std::string pipe = files.folder.file("pipe.yaml");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(missing(refusal(run_program({"cadishi", pipe})), {"pipe.yaml: is a pipe"}) ==
        "");
  CHECK(missing(refusal(files.run("  r_max: &a [*a]\n")), {"contains itself"}) == "");
  std::string doubled = "  r_max: &a0 [1, 1]\n";
  for (int k = 1; k < 60; ++k) {
    const std::string before = "*a" + std::to_string(k - 1);
    doubled += "  x" + std::to_string(k) + ": &a" + std::to_string(k) + " [" + before +
               ", " + before + "]\n";
  }
  CHECK(missing(refusal(files.run(doubled)), {"too many values"}) == "");
  // Distances up to 17 A, of which the first frame has some.
  CHECK(missing(refusal(files.run("  r_max: 3\n  dr: 0.5\n")),
                {"of the first frame are", "A apart, but histogram:r_max is 3",
                 "check_input"}) == "");
  CHECK_FALSE(fs::exists(files.output));
  {
    HdfFile first(files.folder.file("t.h5"), HdfFile::Mode::edit);
    first.numbers("1/coordinates/O", {4, 3}, Numbers(12, 1.0));
    first.numbers("1/coordinates/H", {2, 3}, Numbers(6, 1.0));
  }
  CHECK(missing(refusal(files.run("  r_max: 3\n  dr: 0.5\n")),
                {"distances are 3 A or more", "check_input"}) == "");
  CHECK_FALSE(fs::exists(files.output + "histograms.h5"));
  CHECK(files.run("  r_max: 3\n  dr: 0.5\n", "", "cpu:\n  check_input: false\n")
            .exit_code == 0);
}

TEST_CASE("starhist cadishi interprets the box like CADISHI") {
  const auto counts = [](const std::string& log, const std::string& box) {
    const CadishiFolder files(log);
    const ProgramRun run = files.run("  r_max: 18\n  dr: 0.5\n  sum: 7\n", box);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return hdf5_numbers(files.output + "histograms.h5", "7/histograms/O,O");
  };
  const Numbers open = counts("[]", "  periodic_box: []\n");
  CHECK(counts(sphere, "") == open);
  CHECK(counts(sphere, "  periodic_box: [10, 10, 10]\n") == open);
  CHECK(counts("[]", "") != open);
  CHECK(counts("[]", "  periodic_box: [10.0, 10.0, 10.0, 90, 90, 90]\n") ==
        counts("[]", ""));
  const CadishiFolder without("[]");
  const ProgramRun run = without.run("  dr: 0.5\n");
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"which has none"}) == "");
}

}  // namespace
}  // namespace starhist::testing
