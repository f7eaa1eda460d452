#include "io/hdf5/inspection/chunk_sizes.hh"

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

/// Chunk extents and size of a value, as the earlier file formats store them.
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

/// Adds a row to the shape of the dataset's chunks, whose data stay as they are.
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
  return io::ChunkSizes().fit(opened.get());
}

/// HDF5 1.14 finds such chunks itself, and does not read them.
bool is_found(const std::string& path, const std::string& dataset) {
  if (!fits(path, dataset)) {
    return true;
  }
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object opened = io::open_hdf5_dataset(file.get(), dataset);
  return testing::error_text<InputError>(
             [&] { io::read_hdf5_numbers<double>(opened.get()); }) != "";
}

TEST_CASE("chunks fit their shape in all ways in which rows are stored") {
  const testing::TemporaryDirectory folder;
  for (const RowStorage& storage : testing::row_storages()) {
    INFO(storage.name);
    const std::string path = folder.file("rows.h5");
    testing::write_stored_rows(path, storage);
    CHECK(fits(path, "rows"));
    std::filesystem::remove(path);
  }
}

TEST_CASE("chunks that are smaller than their shape are found") {
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

TEST_CASE("a trajectory whose chunks are smaller than their shape is refused") {
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
