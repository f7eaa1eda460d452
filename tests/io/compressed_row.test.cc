// Rows compressed without HDF5: the bytes equal HDF5's.
#include "io/hdf5/compressed_row.hh"

#include "io/hdf5/hdf5_append.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using Lines = std::vector<std::vector<std::uint64_t>>;

io::Hdf5Object new_file(const std::string& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
}

/// Returns small numbers, which are compressible, and others with 64 random bits.
Lines random_lines(std::size_t lines, std::size_t numbers, testing::Random& random) {
  Lines values(lines);
  for (auto& line : values) {
    for (std::size_t k = 0; k < numbers; ++k) {
      line.push_back(random.below(3) == 0 ? random.below(~0ULL) : random.below(1000));
    }
  }
  return values;
}

/// Returns the stored bytes of all chunks in order.
std::vector<std::string> stored_chunks(hid_t dataset) {
  const io::Hdf5Object all(H5Dget_space(dataset), H5Sclose);
  hsize_t count = 0;
  REQUIRE(H5Dget_num_chunks(dataset, all.get(), &count) >= 0);
  std::vector<std::string> chunks(count);
  for (hsize_t k = 0; k < count; ++k) {
    std::array<hsize_t, 3> start{};
    unsigned mask = 0;
    hsize_t size = 0;
    REQUIRE(H5Dget_chunk_info(dataset, all.get(), k, start.data(), &mask, nullptr,
                              &size) >= 0);
    chunks[k].resize(size);
    std::uint32_t left_out = 0;
    REQUIRE(H5Dread_chunk(dataset, H5P_DEFAULT, start.data(), &left_out,
                          chunks[k].data()) >= 0);
    CHECK(left_out == 0);
  }
  return chunks;
}

TEST_CASE("compressed rows have the same bytes as written by HDF5") {
  testing::Random random(7);
  const testing::TemporaryDirectory folder;
  for (const auto& [lines, numbers] : {std::pair<std::size_t, std::size_t>{1, 1},
                                       {3, 5},
                                       {6, 10'000},
                                       {21, 10'000},
                                       {2, 200'000},
                                       {300, 1000}}) {
    INFO(lines << " x " << numbers);
    const io::Hdf5Object file = new_file(folder.file("rows.h5"));
    const std::vector<hsize_t> shape{lines, numbers};
    const io::Hdf5Object rows = io::create_hdf5_rows<std::uint64_t>(
        file.get(), "rows", shape, io::Hdf5Storage::compressed);
    io::resize_hdf5_rows(rows.get(), 3);
    std::vector<std::string> chunks;
    for (hsize_t row = 0; row < 3; ++row) {
      const Lines values = random_lines(lines, numbers, random);
      std::vector<std::uint64_t> flat;
      for (const auto& line : values) {
        flat.insert(flat.end(), line.begin(), line.end());
      }
      io::write_hdf5_part(rows.get(), {row, 0, 0}, {1, lines, numbers}, flat);
      const std::vector<std::string> own = io::compressed_chunks(values);
      chunks.insert(chunks.end(), own.begin(), own.end());
    }
    REQUIRE(H5Fflush(file.get(), H5F_SCOPE_GLOBAL) >= 0);
    REQUIRE(chunks.size() >= 3);
    CHECK(stored_chunks(rows.get()) == chunks);
  }
}

}  // namespace
}  // namespace starhist
