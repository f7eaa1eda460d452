#include <cmath>
#include <filesystem>
#include <random>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/output/result_writer.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/text/index_groups.hh"
#include "io/trajectory/formats.hh"
#include "io/trajectory/named_elements.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using namespace std::string_literals;

using testing::data_file;
using testing::error_text;
using testing::HdfFile;
using testing::missing;
using testing::read_bytes;
using testing::read_error;
using testing::small_trajectory;
using testing::write_bytes;
using testing::write_h5md;

const std::string water_h5 = data_file("water.h5");

TEST_CASE("a pipe is refused for each kind of input, without waiting for it") {
  const testing::TemporaryDirectory folder;
  for (const char* name : {"a.xyz", "a.h5", "a.gro", "a.ndx"}) {
    const std::string path = folder.file(name);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const std::initializer_list<const char*> words{path.c_str(), "is a pipe"};
    CHECK(missing(read_error(path), words) == "");
    CHECK(missing(error_text<InputError>([&] { io::read_structure(path); }), words) ==
          "");
    CHECK(missing(error_text<InputError>([&] { io::IndexGroups groups(path); }),
                  words) == "");
    CHECK(missing(error_text<InputError>([&] { io::read_element_aliases(path); }),
                  words) == "");
  }
}

TEST_CASE("a missing file, a directory and an empty file are reported as such") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  CHECK(missing(read_error(path), {path.c_str(), "does not exist"}) == "");
  std::filesystem::create_directory(path);
  CHECK(missing(read_error(path), {path.c_str(), "is a directory"}) == "");
  const std::string empty = folder.file("empty.h5");
  write_bytes(empty, "");
  CHECK(missing(read_error(empty), {empty.c_str(), "empty (0 bytes)"}) == "");
}

TEST_CASE("a file that is not HDF5 is described by its content") {
  const auto [bytes, description] = GENERATE(table<std::string, const char*>({
      {"ATOM: TIMESTEP\n0\n", "text that begins with \"ATOM: TIMESTEP\""},
      {std::string(4096, '\0'), "zeros"},
      {"\x01\x02\xff\xfe"s, "unknown kind"},
  }));
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  write_bytes(path, bytes);
  CHECK(missing(read_error(path),
                {path.c_str(), "unknown format", description, "H5MD"}) == "");
}

TEST_CASE("compressed data without a text format are to be decompressed") {
  const auto [bytes, kind] = GENERATE(table<std::string, const char*>({
      {"\x1f\x8b\x08\0"s, "gzip-compressed"},
      {"\x28\xb5\x2f\xfd"s, "zstd-compressed"},
  }));
  const testing::TemporaryDirectory folder;
  for (const char* name : {"traj.xtc.gz", "traj.dcd.zst", "traj.h5"}) {
    const std::string path = folder.file(name);
    write_bytes(path, bytes);
    CHECK(missing(read_error(path), {path.c_str(), kind, "decompress it"}) == "");
  }
}

TEST_CASE("a truncated file is refused wherever it was cut") {
  const std::string whole = read_bytes(water_h5);
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("cut.h5");
  for (const double part : {0.0001, 0.001, 0.1, 0.5, 0.9, 0.9999}) {
    const auto size =
        static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    write_bytes(path, whole.substr(0, size));
    CHECK(missing(read_error(path), {path.c_str(), "truncated"}) == "");
  }
  write_bytes(path, whole.substr(0, whole.size() - 1));
  CHECK(missing(read_error(path), {path.c_str(), "truncated", "1669296", "1669297"}) ==
        "");
}

TEST_CASE("a file that was truncated and padded with zeros has no wrong frame") {
  const std::string whole = read_bytes(water_h5);
  const auto original = testing::read_all({water_h5});
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("padded.h5");
  // The boxes of this file are at its end and would be lost first.
  io::ReadOptions options;
  options.box = original.frames[0].box;
  for (const double part : {0.1, 0.3, 0.6, 0.61, 0.95}) {
    const auto size =
        static_cast<std::size_t>(part * static_cast<double>(whole.size()));
    write_bytes(path, whole.substr(0, size) + std::string(whole.size() - size, '\0'));
    std::uint64_t good = 0;
    std::uint64_t lost = 0;
    const auto open_error = error_text<InputError>([&] {
      const auto reader = io::open_trajectory({path}, options);
      Frame frame;
      for (std::uint64_t i = 0; i < reader->info().frame_count; ++i) {
        const auto text =
            error_text<InputError>([&] { reader->read(FrameIndex(i), frame); });
        if (text.empty()) {
          ++good;
          CHECK(frame.positions == original.frames[i].positions);
        } else {
          CHECK(missing(text, {("frame " + std::to_string(i)).c_str(), path.c_str()}) ==
                "");
          ++lost;
        }
      }
    });
    INFO(part << " of the file: " << good << " frames good, " << lost << " lost");
    CHECK(open_error == "");
    CHECK(missing(read_error(path), {path.c_str(), "frame 0", "box edge (0, 0, 0)"}) ==
          "");
    CHECK(good >= static_cast<std::uint64_t>(51 * part) - 1);
    CHECK(lost >= static_cast<std::uint64_t>(51 * (1.0 - part)) - 1);
  }
}

TEST_CASE("an HDF5 file that is not a trajectory is described") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("other.h5");
  SECTION("a result of starhist") {
    const auto layout = testing::sample_layout();
    io::ResultWriter writer(path, layout, {{"version", "0"}}, false);
    writer.append(testing::sample_block(layout, 0));
    writer.finish({});
    CHECK(missing(read_error(path), {path.c_str(), "a starhist result"}) == "");
  }
  SECTION("other contents") {
    HdfFile(path).numbers("weather/rain", {1}, {1});
    CHECK(missing(read_error(path), {path.c_str(), "not a trajectory", "[weather]"}) ==
          "");
  }
  SECTION("empty") {
    HdfFile(path).number_attribute("/", "version", {}, {1});
    CHECK(missing(read_error(path), {path.c_str(), "not a trajectory", "[]"}) == "");
  }
}

/// Stands for a filter of another machine while a file is written.
std::size_t pass_on(unsigned, std::size_t, const unsigned*, std::size_t size,
                    std::size_t*, void**) {
  return size;
}

TEST_CASE("a missing filter is reported by name") {
  const auto [id, name] =
      GENERATE(table<int, const char*>({{32001, "blosc"}, {32077, "without a name"}}));
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("filtered.h5");
  write_h5md(path, small_trajectory(1));
  {
    const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, id,      1,       1,
                                 nullptr,          nullptr, nullptr, pass_on};
    REQUIRE(H5Zregister(&filter) >= 0);
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    const io::Hdf5Object properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const std::array<hsize_t, 3> shape{1, 5, 3};
    REQUIRE(H5Pset_chunk(properties.get(), 3, shape.data()) >= 0);
    REQUIRE(H5Pset_filter(properties.get(), id, 0, 0, nullptr) >= 0);
    const io::Hdf5Object space(H5Screate_simple(3, shape.data(), nullptr), H5Sclose);
    const char* value = "particles/all/position/value";
    REQUIRE(H5Ldelete(file.get(), value, H5P_DEFAULT) >= 0);
    const io::Hdf5Object dataset(
        H5Dcreate2(file.get(), value, H5T_NATIVE_FLOAT, space.get(), H5P_DEFAULT,
                   properties.get(), H5P_DEFAULT),
        H5Dclose);
    const std::vector<float> positions(15, 0.5F);
    REQUIRE(H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     positions.data()) >= 0);
  }
  REQUIRE(H5Zunregister(id) >= 0);
  CHECK(missing(read_error(path), {path.c_str(), "/position/value", name,
                                   std::to_string(id).c_str(), "not installed"}) == "");
}

TEST_CASE("an attribute that claims more than the file holds is refused") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  write_h5md(path, small_trajectory(1));
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const auto problem = [&](double values) {
    return error_text<InputError>(
        [&] { io::check_hdf5_attribute(file.get(), "version", values, 4); });
  };
  CHECK(missing(problem(1e9), {path.c_str(), "version", "1e+09", "damaged"}) == "");
  const auto most = static_cast<double>(std::filesystem::file_size(path) / 4);
  CHECK(missing(problem(most + 1.0), {"damaged"}) == "");
  io::check_hdf5_attribute(file.get(), "version", most, 4);
}

TEST_CASE("an extent beyond the file is refused before memory is allocated") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("huge.h5");
  write_h5md(path, small_trajectory(1));
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/position/value", {1, 400000000, 3}, {},
               {testing::NumberType::f32, {1, 100, 3}, {}, false});
  CHECK(missing(read_error(path),
                {path.c_str(), "/position/value", "1.2e+09", "damaged"}) == "");
}

/// Reads a file to its end: any bytes must give either frames of finite positions or an
/// InputError.
void check_harmless(const std::string& path) {
  const auto text = error_text<InputError>([&] {
    const auto reader = io::open_trajectory({path}, {});
    Frame frame;
    for (std::uint64_t i = 0; i < reader->info().frame_count; ++i) {
      reader->read(FrameIndex(i), frame);
      for (const auto& positions : frame.positions) {
        for (const double x : positions) {
          if (!std::isfinite(x)) {
            FAIL("frame " << i << " has a position " << x);
          }
        }
      }
    }
  });
  CHECK((text.empty() || missing(text, {path.c_str()}) == ""));
}

void corrupt(std::string& bytes, std::size_t begin, std::size_t end, std::uint32_t seed,
             int count) {
  std::mt19937 random(seed);
  for (int i = 0; i < count; ++i) {
    bytes[begin + random() % (end - begin)] = static_cast<char>(random());
  }
}

TEST_CASE("random changes of bytes in a small file are harmless", "[corruption]") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("corrupt.h5");
  write_h5md(path, small_trajectory());
  const std::string whole = read_bytes(path);
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::string bytes = whole;
    corrupt(bytes, 0, bytes.size(), seed, 3);
    write_bytes(path, bytes);
    INFO("seed " << seed);
    check_harmless(path);
  }
}

TEST_CASE("random changes of bytes in a real trajectory are harmless", "[corruption]") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("corrupt.h5");
  const std::string whole = read_bytes(water_h5);
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::string bytes = whole;
    corrupt(bytes, 0, bytes.size(), seed, 10);
    write_bytes(path, bytes);
    INFO("seed " << seed);
    check_harmless(path);
  }
}

TEST_CASE("random changes of bytes in LZF-compressed data are harmless",
          "[corruption]") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("corrupt.h5");
  const std::string whole = read_bytes(data_file("cadishi-lzf.h5"));
  // Address of the hydrogens of frame 1 in the file.
  haddr_t begin = 0;
  hsize_t size = 0;
  {
    const io::Hdf5Object file(
        H5Fopen(data_file("cadishi-lzf.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
        H5Fclose);
    const io::Hdf5Object dataset(H5Dopen2(file.get(), "1/coordinates/H", H5P_DEFAULT),
                                 H5Dclose);
    const io::Hdf5Object space(H5Dget_space(dataset.get()), H5Sclose);
    unsigned mask = 0;
    REQUIRE(H5Dget_chunk_info(dataset.get(), space.get(), 0, nullptr, &mask, &begin,
                              &size) >= 0);
  }
  REQUIRE(size > 1000);
  int refused = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::string bytes = whole;
    corrupt(bytes, begin, begin + size, seed, 1 + static_cast<int>(seed % 20));
    write_bytes(path, bytes);
    INFO("seed " << seed);
    check_harmless(path);
    refused += !read_error(path).empty();
  }
  CHECK(refused > 50);
}

}  // namespace
}  // namespace starhist
