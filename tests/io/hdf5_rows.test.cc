#include "io/hdf5/rows/hdf5_rows.hh"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "codelets/core/base/error.hh"
#include "io/files/descriptor.hh"
#include "io/hdf5/deferring_driver.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/stored_rows.hh"
#include "tests/support/temporary_directory.hh"

// Rows read without HDF5's lock equal HDF5's values bit for bit, however they are
// stored.

namespace starhist {
namespace {

using testing::row_storages;
using testing::RowStorage;
using testing::stored_shape;
using testing::write_stored_rows;

using Bytes = std::vector<char>;

hid_t memory_type(const RowStorage& storage) {
  return H5Tget_class(storage.type) == H5T_FLOAT && H5Tget_size(storage.type) == 4
             ? H5T_NATIVE_FLOAT
             : H5T_NATIVE_DOUBLE;
}

std::size_t row_bytes(const RowStorage& storage) {
  return stored_shape[1] * stored_shape[2] * H5Tget_size(memory_type(storage));
}

/// Returns all rows, read only by HDF5.
Bytes read_by_hdf5(const std::string& path, const RowStorage& storage) {
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                            H5Fclose);
  const io::Hdf5Object rows = io::open_hdf5_dataset(file.get(), "rows");
  Bytes all(stored_shape[0] * row_bytes(storage));
  REQUIRE(H5Dread(rows.get(), memory_type(storage), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                  all.data()) >= 0);
  return all;
}

using Order = std::vector<std::uint64_t>;

/// Returns orders of reading: forwards, backwards, every third, there and back, and two
/// interleaved readers of three rows each.
std::vector<Order> orders_of_rows() {
  std::vector<Order> all(5);
  for (std::uint64_t k = 0; k < stored_shape[0]; ++k) {
    all[0].push_back(k);
    all[1].insert(all[1].begin(), k);
    all[2].push_back(3 * k % stored_shape[0]);
    all[3].push_back(k < 15 ? k : 15 + (37 - k) % 8);
  }
  for (const std::uint64_t reader : {0U, 1U}) {
    for (std::uint64_t k = 0; k < stored_shape[0]; ++k) {
      if (k / 3 % 2 == reader) {
        all[4].push_back(k);
      }
    }
  }
  return all;
}

/// Whether these rows, read in this order, are as expected.
bool are_as_expected(const std::string& path, const RowStorage& storage,
                     const Order& order, const Bytes& expected,
                     std::size_t window_bytes = std::size_t{1} << 18U) {
  const io::Hdf5Object file = io::open_hdf5_file(path, io::Hdf5Reading::deferred);
  io::Hdf5Rows rows(file.get(), "rows", io::Hdf5Rows::Layout::many_rows, window_bytes);
  const std::size_t size = row_bytes(storage);
  bool equal = true;
  for (const std::uint64_t row : order) {
    Bytes values(size, 'x');
    rows.read(row, memory_type(storage), values.data());
    equal = equal && std::memcmp(values.data(), &expected[row * size], size) == 0;
  }
  return equal;
}

TEST_CASE("rows equal the values read by HDF5, in any order and storage") {
  const testing::TemporaryDirectory folder;
  for (const RowStorage& storage : row_storages()) {
    INFO(storage.name);
    const std::string path = folder.file("rows.h5");
    write_stored_rows(path, storage);
    const Bytes expected = read_by_hdf5(path, storage);
    for (const Order& order : orders_of_rows()) {
      CHECK(are_as_expected(path, storage, order, expected));
      CHECK(are_as_expected(path, storage, order, expected, 1));  // as large rows
    }
  }
}

TEST_CASE("rows equal the values read by HDF5, with several threads") {
  const testing::TemporaryDirectory folder;
  std::map<std::string, Bytes> expected;
  for (std::size_t k = 0; k < row_storages().size(); ++k) {
    const std::string path = folder.file(std::to_string(k) + ".h5");
    write_stored_rows(path, row_storages()[k]);
    expected[path] = read_by_hdf5(path, row_storages()[k]);
  }
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t k = 0; k < row_storages().size(); ++k) {
        const std::string path = folder.file(std::to_string(k) + ".h5");
        wrong += are_as_expected(path, row_storages()[k], orders_of_rows()[(t + k) % 5],
                                 expected[path], t % 2 == 0 ? 1 : 1U << 18U)
                     ? 0
                     : 1;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(wrong == 0);
}

TEST_CASE("values that need no conversion are located for later reading") {
  const testing::TemporaryDirectory folder;
  for (const RowStorage& storage : row_storages()) {
    if (storage.fill) {
      continue;  // parts of it are not stored
    }
    INFO(storage.name);
    const std::string path = folder.file("rows.h5");
    write_stored_rows(path, storage);
    const Bytes expected = read_by_hdf5(path, storage);
    const io::Hdf5Object file = io::open_hdf5_file(path, io::Hdf5Reading::deferred);
    const io::Hdf5Rows rows(file.get(), "rows", io::Hdf5Rows::Layout::many_rows);
    const io::Hdf5Object type(H5Dget_type(rows.dataset()), H5Tclose);
    if (H5Tequal(type.get(), memory_type(storage)) <= 0 ||
        !io::hdf5_is_plain(rows.dataset())) {
      CHECK(!storage.deferred);
      continue;
    }
    Bytes values(expected.size(), 'x');
    io::DeferredReads reads;
    {
      const io::DeferringScope scope(reads, values.data(), values.size());
      REQUIRE(H5Dread(rows.dataset(), memory_type(storage), H5S_ALL, H5S_ALL,
                      H5P_DEFAULT, values.data()) >= 0);
    }
    CHECK(reads.bytes() == (storage.deferred ? expected.size() : 0));
    CHECK((values == expected) == !storage.deferred);
    CHECK(reads.read() == 0);
    CHECK(values == expected);
    CHECK(reads.bytes() == 0);
  }
}

TEST_CASE("rows that share chunks are best read in order") {
  const testing::TemporaryDirectory folder;
  for (const RowStorage& storage : row_storages()) {
    INFO(storage.name);
    const std::string path = folder.file("rows.h5");
    write_stored_rows(path, storage);
    const io::Hdf5Object file = io::open_hdf5_file(path, io::Hdf5Reading::deferred);
    const io::Hdf5Rows rows(file.get(), "rows", io::Hdf5Rows::Layout::many_rows);
    const bool several = !storage.chunk.empty() && storage.chunk[0] > 1;
    const bool whole =
        storage.deflate || storage.chunk == std::vector<hsize_t>{6, 300, 1};
    CHECK(rows.share_chunks() == (several && whole));
  }
}

TEST_CASE("data lost since the file was opened read as zeros") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("rows.h5");
  const RowStorage storage{.name = "contiguous"};
  write_stored_rows(path, storage);
  const Bytes expected = read_by_hdf5(path, storage);
  const io::Hdf5Object file = io::open_hdf5_file(path, io::Hdf5Reading::deferred);
  io::Hdf5Rows rows(file.get(), "rows", io::Hdf5Rows::Layout::many_rows);
  std::filesystem::resize_file(
      path, std::filesystem::file_size(path) - row_bytes(storage) - 100);
  Bytes values(row_bytes(storage), 'x');
  rows.read(22, H5T_NATIVE_FLOAT, values.data());
  CHECK(values == Bytes(row_bytes(storage), '\0'));
  rows.read(3, H5T_NATIVE_FLOAT, values.data());
  CHECK(std::memcmp(values.data(), &expected[3 * row_bytes(storage)], values.size()) ==
        0);
}

TEST_CASE("a row that cannot be read is reported, earlier ones are read") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("rows.h5");
  const RowStorage storage{.name = "compressed", .chunk = {1, 300, 3}, .deflate = true};
  write_stored_rows(path, storage);
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                              H5Fclose);
    const io::Hdf5Object rows = io::open_hdf5_dataset(file.get(), "rows");
    hsize_t offset[3] = {5, 0, 0};
    unsigned mask = 0;
    haddr_t address = 0;
    hsize_t size = 0;
    REQUIRE(H5Dget_chunk_info_by_coord(rows.get(), offset, &mask, &address, &size) >=
            0);
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(static_cast<std::streamoff>(address))
        .write("damaged", 7);
  }
  const io::Hdf5Object file = io::open_hdf5_file(path, io::Hdf5Reading::deferred);
  io::Hdf5Rows rows(file.get(), "rows", io::Hdf5Rows::Layout::many_rows);
  Bytes values(row_bytes(storage));
  for (std::uint64_t row = 0; row < 5; ++row) {
    rows.read(row, H5T_NATIVE_FLOAT, values.data());
  }
  CHECK_THAT(testing::error_text<InputError>(
                 [&] { rows.read(5, H5T_NATIVE_FLOAT, values.data()); }),
             ContainsSubstring("/rows: row 5 cannot be read (a chunk cannot be "
                               "decompressed, the file is damaged)"));
  rows.read(6, H5T_NATIVE_FLOAT, values.data());
}

TEST_CASE("the system's reason for a failed read is reported") {
  io::DeferredReads reads;
  char byte = 'x';
  reads.add(-1, 0, 1, &byte);
  CHECK(reads.read() == EBADF);
  CHECK(reads.bytes() == 0);
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("text");
  std::ofstream(path) << "0123456789";
  const io::Descriptor file(path, O_RDONLY);
  char text[] = "xxxxxxxx";
  reads.add(file.get(), 3, 2, text);
  reads.add(file.get(), 5, 2, text + 2);
  reads.add(file.get(), 9, 3, text + 5);
  CHECK(reads.bytes() == 7);
  CHECK(reads.read() == 0);
  CHECK(std::memcmp(text, "3456x9\0\0", 8) == 0);
}

}  // namespace
}  // namespace starhist
