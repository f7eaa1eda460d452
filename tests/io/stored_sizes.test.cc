#include "io/hdf5/inspection/stored_sizes.hh"

#include <array>
#include <cstring>
#include <filesystem>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/reader/trajectory_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/stored_rows.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using testing::RowStorage;

/// Returns the chunk extents and the size of a value, as stored by earlier file
/// formats.
std::string layout_bytes(const std::string& path, const std::string& dataset) {
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object opened = io::open_hdf5_dataset(file.get(), dataset);
  const io::Hdf5Object properties(H5Dget_create_plist(opened.get()), H5Pclose);
  const io::Hdf5Object type(H5Dget_type(opened.get()), H5Tclose);
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = H5Pget_chunk(properties.get(), H5S_MAX_RANK, chunk.data());
  std::vector<std::uint32_t> numbers(chunk.begin(), chunk.begin() + rank);
  numbers.push_back(static_cast<std::uint32_t>(H5Tget_size(type.get())));
  std::string bytes(numbers.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Adds a row to the shape of the dataset's chunks, without changing their data.
void lengthen_chunks(const std::string& path, const std::string& dataset) {
  const std::string layout = layout_bytes(path, dataset);
  std::string bytes = testing::read_bytes(path);
  const std::size_t at = bytes.find(layout);
  REQUIRE(at != std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] + 1);
  testing::write_bytes(path, bytes);
}

bool fits(const std::string& path, const std::string& dataset) {
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object opened = io::open_hdf5_dataset(file.get(), dataset);
  return io::StoredSizes().fit(opened.get());
}

/// HDF5 1.14 detects such data and does not open or read them.
bool is_found(const std::string& path, const std::string& dataset) {
  return testing::error_text<InputError>([&] {
           if (!fits(path, dataset)) {
             throw InputError("does not fit");
           }
           const io::Hdf5Object file = io::open_hdf5_file(path);
           const io::Hdf5Object opened = io::open_hdf5_dataset(file.get(), dataset);
           io::read_hdf5_numbers<double>(opened.get());
         }) != "";
}

TEST_CASE("chunks match their shape for all storage layouts") {
  const testing::TemporaryDirectory folder;
  for (const RowStorage& storage : testing::row_storages()) {
    INFO(storage.name);
    const std::string path = folder.file("rows.h5");
    testing::write_stored_rows(path, storage);
    CHECK(fits(path, "rows"));
    std::filesystem::remove(path);
  }
}

TEST_CASE("chunks smaller than their shape are found") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("rows.h5");
  std::size_t tried = 0;
  for (const RowStorage& storage : testing::row_storages()) {
    if (storage.chunk.empty() || storage.latest) {
      continue;
    }
    INFO(storage.name);
    testing::write_stored_rows(path, storage);
    lengthen_chunks(path, "rows");
    CHECK(is_found(path, "rows"));
    std::filesystem::remove(path);
    ++tried;
  }
  CHECK(tried > 8);
}

/// Writes a compact dataset "rows" of 7 x 3 numbers.
void write_compact_rows(const std::string& path) {
  const io::Hdf5Object file(
      H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  const std::array<hsize_t, 2> shape{7, 3};
  const std::vector<double> values(21, 1.5);
  const io::Hdf5Object space(H5Screate_simple(2, shape.data(), nullptr), H5Sclose);
  const io::Hdf5Object properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  REQUIRE(H5Pset_layout(properties.get(), H5D_COMPACT) >= 0);
  const io::Hdf5Object dataset(
      H5Dcreate2(file.get(), "rows", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                 properties.get(), H5P_DEFAULT),
      H5Dclose);
  REQUIRE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                   values.data()) >= 0);
}

TEST_CASE("compact data smaller than their shape are found") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("rows.h5");
  write_compact_rows(path);
  CHECK(fits(path, "rows"));
  std::string bytes = testing::read_bytes(path);
  const std::string shape("\x07\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0", 16);
  const std::size_t at = bytes.find(shape);
  REQUIRE(at != std::string::npos);
  bytes[at] = '\x08';
  testing::write_bytes(path, bytes);
  CHECK(is_found(path, "rows"));
}

TEST_CASE("unfiltered chunks smaller than their shape are found") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("rows.h5");
  const std::array<hsize_t, 1> shape{4000};
  const std::array<hsize_t, 1> chunk{1000};
  const std::vector<double> values(4000, 1.5);
  for (const hsize_t short_chunk : {hsize_t{0}, hsize_t{3000}}) {
    {
      const io::Hdf5Object file(
          H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
      const io::Hdf5Object space(H5Screate_simple(1, shape.data(), nullptr), H5Sclose);
      const io::Hdf5Object properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      REQUIRE(H5Pset_chunk(properties.get(), 1, chunk.data()) >= 0);
      REQUIRE(H5Pset_deflate(properties.get(), 1) >= 0);
      const io::Hdf5Object dataset(
          H5Dcreate2(file.get(), "rows", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                     properties.get(), H5P_DEFAULT),
          H5Dclose);
      REQUIRE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       values.data()) >= 0);
      CHECK(io::StoredSizes().fit(dataset.get()));
      constexpr unsigned skip_the_filter = 1;
      REQUIRE(H5Dwrite_chunk(dataset.get(), H5P_DEFAULT, skip_the_filter, &short_chunk,
                             500, values.data()) >= 0);
    }
    CHECK(is_found(path, "rows"));
    std::filesystem::remove(path);
  }
}

TEST_CASE("a trajectory with chunks smaller than their shape is refused") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  std::filesystem::copy_file(testing::data_file("cadishi-lzf.h5"), path);
  const auto read = [&] {
    Frame frame;
    io::open_trajectory({path}, {})->read(FrameIndex(0), frame);
  };
  CHECK_NOTHROW(read());
  lengthen_chunks(path, "1/coordinates/O");
  const std::string what =
      fits(path, "1/coordinates/O") ? "cannot be read" : "smaller than their shape";
  CHECK(testing::missing(testing::error_text<InputError>(read),
                         {"traj.h5", what.c_str()}) == "");
}

}  // namespace
}  // namespace starhist
