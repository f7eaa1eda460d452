#include "io/result/result_reader.hh"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include <sys/resource.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/output/result_writer.hh"
#include "tests/support/catch.hh"
#include "tests/support/child_process.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::data_file;
using testing::missing;
using testing::read_bytes;
using testing::sample_block;
using testing::sample_layout;

const std::string histogram = "observables/pair_distance_histogram/";

/// A result of four blocks, to be damaged by a test.
class SampleFile {
 public:
  SampleFile() : path_(folder_.file("out.h5")) {
    io::ResultWriter writer(path_, sample_layout(), {{"version", "0.1.0"}}, false);
    for (std::uint64_t b = 0; b < 4; ++b) {
      writer.append(sample_block(sample_layout(), b));
    }
    writer.finish({});
  }

  template <class Change>
  void change(const Change& apply) const {
    const io::Hdf5Object file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    REQUIRE(file);
    apply(file.get());
  }

  void remove(const std::string& name) const {
    change(
        [&](hid_t file) { REQUIRE(H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0); });
  }

  /// Replaces a dataset.
  template <class Number>
  void replace(const std::string& name, const std::vector<Number>& values,
               const std::vector<hsize_t>& shape) const {
    remove(name);
    change([&](hid_t file) { io::write_hdf5_numbers(file, name, values, shape); });
  }

  /// Sets one value of a dataset of doubles or unsigned integers.
  template <class Number>
  void set(const std::string& name, const std::vector<hsize_t>& place,
           Number value) const {
    change([&](hid_t file) {
      const io::Hdf5Object dataset = io::open_hdf5_dataset(file, histogram + name);
      const io::Hdf5Object space(H5Dget_space(dataset.get()), H5Sclose);
      const io::Hdf5Object one(H5Screate(H5S_SCALAR), H5Sclose);
      REQUIRE(H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, place.data()) >= 0);
      REQUIRE(H5Dwrite(dataset.get(), io::hdf5_type<Number>(), one.get(), space.get(),
                       H5P_DEFAULT, &value) >= 0);
    });
  }

  /// Makes the result look like a killed run's of version 0.2.
  void unfinish() const {
    change([](hid_t file) {
      const io::Hdf5Object group =
          io::open_hdf5_group(file, "observables/pair_distance_histogram");
      REQUIRE(H5Adelete(group.get(), "complete") >= 0);
    });
  }

  std::string refusal() const {
    return testing::error_text<InputError>([&] { io::read_result(path_); });
  }

  const std::string& path() const { return path_; }

 private:
  testing::TemporaryDirectory folder_;
  std::string path_;
};

std::string refusal(const std::string& path) {
  return testing::error_text<InputError>([&] { io::read_result(path); });
}

TEST_CASE("files other than results are distinguished") {
  const std::string trajectory = data_file("water.h5");
  CHECK_FALSE(io::is_result(trajectory));
  CHECK(missing(refusal(trajectory), {"water.h5", "not a result of starhist"}) == "");

  const testing::TemporaryDirectory folder;
  const std::string absent = folder.file("absent.h5");
  CHECK_FALSE(io::is_result(absent));
  CHECK(missing(refusal(absent), {"absent.h5"}) == "");
  const std::string text = folder.file("text.h5");
  std::ofstream(text) << "# r g(r)\n";
  CHECK_FALSE(io::is_result(text));
  CHECK(missing(refusal(text), {"text.h5", "not an HDF5 file"}) == "");
  CHECK_FALSE(io::is_result(folder.file("")));

  CHECK(io::is_result(SampleFile().path()));
}

TEST_CASE("every missing dataset is named") {
  for (const char* name :
       {"step", "time", "value", "overflow", "pairs", "frames", "volume",
        "inverse_volume", "particle_number", "species", "pair_species", "bin_edges",
        "pairs_over_volume", "inscribed_radius", "first_frame", "last_frame"}) {
    const SampleFile file;
    file.remove(histogram + name);
    CHECK(missing(file.refusal(), {"out.h5", (histogram + name).c_str()}) == "");
  }
  for (const char* name : {"r_max", "bin_count"}) {
    const SampleFile file;
    file.remove("parameters/pair_histogram/" + std::string(name));
    CHECK(missing(file.refusal(), {"out.h5", name}) == "");
  }
}

TEST_CASE("a dataset of the wrong shape or type is named") {
  const std::vector<std::uint64_t> twelve(12);
  for (const auto& shape : std::vector<std::vector<hsize_t>>{{4}, {4, 2}, {6, 2}, {}}) {
    hsize_t count = 1;
    for (const hsize_t extent : shape) {
      count *= extent;
    }
    const SampleFile file;
    file.replace(histogram + "overflow", std::vector<std::uint64_t>(count), shape);
    CHECK(missing(file.refusal(), {"pair_distance_histogram/overflow"}) == "");
  }
  const SampleFile shorter;  // three blocks instead of four
  shorter.replace(histogram + "volume", std::vector<double>(3, 270.0), {3});
  CHECK(missing(shorter.refusal(), {"3 blocks", "4"}) == "");

  const SampleFile text;
  text.remove(histogram + "volume");
  text.change([](hid_t file) {
    io::write_hdf5_strings(file, histogram + "volume", {"27", "27", "27", "27"});
  });
  CHECK(missing(text.refusal(), {"pair_distance_histogram/volume", "numbers"}) == "");
}

TEST_CASE("counts that do not add up to the pairs are refused with block and pair") {
  const SampleFile file;
  file.set<std::uint64_t>("value", {2, 1, 7}, 1000);
  CHECK(missing(file.refusal(), {"out.h5", "block 2", "H-O", "320 pairs"}) == "");
}

TEST_CASE("a sum that is correct only after an overflow is refused") {
  const SampleFile file;
  file.set<std::uint64_t>("value", {0, 0, 0},
                          std::numeric_limits<std::uint64_t>::max());
  CHECK(missing(file.refusal(), {"block 0", "H-H"}) == "");
}

TEST_CASE("numbers that cannot result from frames are refused") {
  struct Change {
    const char* dataset;
    std::vector<hsize_t> place;
    double value;
    const char* problem;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& change : std::vector<Change>{
           {"frames", {1}, 0.0, "no frames"},
           {"last_frame", {1}, 3.0, "between 10 and 3"},
           {"first_frame", {1}, 19.0, "10 frames cannot lie between"},
           {"volume", {1}, nan, "volumes nan"},
           {"volume", {1}, -270.0, "volumes -270"},
           {"volume", {1}, 0.0, "are inconsistent"},
           {"volume", {1}, 269.0, "are inconsistent"},
           {"inverse_volume", {1}, std::numeric_limits<double>::infinity(), "inf"},
           {"box", {1, 0, 0}, 1e300, "span no box"},
           {"inscribed_radius", {1}, 0.0, "inscribed radius 0"},
           {"inscribed_radius", {1}, nan, "inscribed radius nan"},
           {"particle_number", {1, 0}, 0.0, "pairs are too many for 0 and "},
           {"particle_number", {1, 1}, 1.0, "and 1 particles"},
           {"pairs_over_volume", {1, 1}, 0.0, "H-O: pairs over volume 0"},
           {"pairs_over_volume", {1, 1}, nan, "H-O: pairs over volume nan"}}) {
    const SampleFile file;
    file.set(change.dataset, change.place, change.value);
    CHECK(missing(file.refusal(), {"out.h5", "block 1", change.problem}) == "");
  }
}

TEST_CASE("contradictory bins, species and pairs are refused") {
  const SampleFile bins;
  bins.replace<double>("parameters/pair_histogram/r_max", {1.25}, {});
  CHECK(missing(bins.refusal(), {"bin_edges"}) == "");

  const SampleFile no_bins;
  no_bins.replace<std::uint64_t>("parameters/pair_histogram/bin_count", {0}, {});
  CHECK(missing(no_bins.refusal(), {"pair_histogram", "bin count = 0"}) == "");

  const SampleFile huge;
  huge.replace<std::uint64_t>("parameters/pair_histogram/bin_count", {2'000'000'000},
                              {});
  CHECK(missing(huge.refusal(), {"bin_edges"}) == "");

  const SampleFile stranger;
  stranger.replace<std::int32_t>(histogram + "pair_species", {0, 0, 0, 2, 1, 1},
                                 {3, 2});
  CHECK(missing(stranger.refusal(), {"pair_species", "(0, 2)"}) == "");

  const SampleFile twice;
  twice.replace<std::int32_t>(histogram + "pair_species", {0, 0, 0, 1, 0, 1}, {3, 2});
  CHECK(missing(twice.refusal(), {"pair_species", "twice"}) == "");
}

TEST_CASE("half a million species pairs are read in seconds") {
  constexpr std::size_t species = 1000;
  HistogramLayout layout = sample_layout(1);
  layout.species.clear();
  for (std::size_t k = 0; k < species; ++k) {
    layout.species.push_back("S" + std::to_string(k));
  }
  layout.pairs = all_pairs(species);
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  io::ResultWriter(path, layout, {{"version", "0.1.0"}}, false).finish({});
  const std::clock_t start = std::clock();
  const io::ResultFile result = io::read_result(path);
  CHECK(result.layout.pairs == layout.pairs);
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 10.0);
}

TEST_CASE("a layout of another version is refused") {
  const SampleFile file;
  file.change([](hid_t id) {
    const io::Hdf5Object module =
        io::open_hdf5_group(id, "h5md/modules/pair_histogram");
    io::write_hdf5_attribute(module.get(), "version", std::vector<std::int32_t>{1, 0});
  });
  CHECK(missing(file.refusal(), {"out.h5", "newer starhist"}) == "");
}

TEST_CASE("an unfinished HDF5 file of an earlier version is refused") {
  const SampleFile old;
  old.unfinish();
  CHECK(missing(old.refusal(), {"out.h5", "before 0.3", "finish it with that version",
                                "--force"}) == "");
}

TEST_CASE("a missing provenance does not affect the rest") {
  const SampleFile file;
  file.remove("parameters/provenance");
  CHECK(io::read_result(file.path()).record.empty());
  CHECK(io::read_result(file.path()).blocks.size() == 4);
}

/// Damages bytes: changes some, zeroes a range, truncates, or zeroes the end.
std::string damaged(std::string bytes, unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  const std::size_t place = below(bytes.size());
  const std::size_t length = std::min(bytes.size() - place, 1 + below(512));
  switch (seed % 4) {
    case 0:
      for (std::size_t i = 1 + below(16); i > 0; --i) {
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      }
      break;
    case 1:
      bytes.replace(place, length, length, '\0');
      break;
    case 2:
      bytes.resize(place);
      break;
    default:
      bytes.replace(place, std::string::npos, bytes.size() - place, '\0');
  }
  return bytes;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool has_sanitizer = true;  // the sanitizer reserves terabytes of addresses
#else
constexpr bool has_sanitizer = false;
#endif

TEST_CASE(
    "a damaged file is read correctly or refused, without a crash or much memory") {
  const SampleFile file;
  const std::string whole = read_bytes(file.path());
  file.unfinish();
  const std::string unfinished = read_bytes(file.path());
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::ofstream(file.path(), std::ios::binary)
        << damaged(seed < 100 ? whole : unfinished, seed);
    const auto end = testing::ChildProcess([&](const auto& say) {
                       ::alarm(30);  // HDF5 may hang instead
                       const rlimit limit{1U << 30U, 1U << 30U};
                       if (!has_sanitizer) {
                         ::setrlimit(RLIMIT_AS, &limit);
                       }
                       try {
                         io::read_result(file.path());
                         say("read");
                       } catch (const InputError&) {
                         say("refused");
                       }
                     }).wait();
    INFO("seed " << seed << " said '" << end.said << "', signal " << end.signal);
    CHECK((end.said == "read" || end.said == "refused"));
    CHECK(end.signal == 0);
  }
}

}  // namespace
}  // namespace starhist
