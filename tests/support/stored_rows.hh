#pragma once

#include <string>
#include <vector>

#include "io/hdf5/hdf5_object.hh"
#include "tests/support/random.hh"

namespace starhist::testing {

/// A way in which HDF5 can store rows [t][N][3].
struct RowStorage {
  std::string name;
  hid_t type = H5T_IEEE_F32LE;
  std::vector<hsize_t> chunk{};  ///< empty: contiguous
  bool deflate = false;
  bool fill = false;    ///< with a fill value, and every other chunk is not written
  bool latest = false;  ///< the newest file format: other indices of chunks
  bool can_grow = true;
  hsize_t user_block = 0;
  bool external = false;     ///< values in a separate file
  bool virtual_set = false;  ///< values in another dataset
  /// True if HDF5 need not hold its lock to read all rows' bytes.
  bool deferred = true;
};

inline const std::vector<hsize_t> stored_shape{23, 300, 3};

inline const std::vector<RowStorage>& row_storages() {
  static const std::vector<RowStorage> all = [] {
    std::vector<RowStorage> list;
    const auto add = [&](RowStorage storage) { list.push_back(std::move(storage)); };
    add({.name = "contiguous"});
    add({.name = "contiguous double", .type = H5T_IEEE_F64LE});
    add({.name = "contiguous, user block", .user_block = 1024});
    add({.name = "chunk of a row", .chunk = {1, 300, 3}});
    add({.name = "chunk of a row, user block",
         .chunk = {1, 300, 3},
         .user_block = 512});
    add({.name = "chunks of rows", .type = H5T_IEEE_F64LE, .chunk = {7, 300, 3}});
    add({.name = "chunks of a part of a row", .chunk = {1, 130, 3}});
    add({.name = "chunks of parts of rows", .chunk = {4, 130, 3}});
    add({.name = "chunks longer than all", .chunk = {64, 512, 3}});
    add({.name = "fill value", .chunk = {2, 300, 3}, .fill = true});
    for (const bool can_grow : {false, true}) {
      add({.name = "new format",
           .chunk = {1, 300, 3},
           .latest = true,
           .can_grow = can_grow});
      add({.name = "new format, one chunk",
           .chunk = {23, 300, 3},
           .latest = true,
           .can_grow = can_grow});
    }
    add({.name = "new format, fill value",
         .chunk = {3, 100, 3},
         .fill = true,
         .latest = true});
    // Rows that HDF5 must convert, decompress or select, or that are elsewhere.
    const auto at_once = [&](RowStorage storage) {
      storage.deferred = false;
      add(storage);
    };
    at_once({.name = "big-endian", .type = H5T_IEEE_F32BE, .chunk = {1, 300, 3}});
    at_once({.name = "big-endian double", .type = H5T_IEEE_F64BE});
    at_once({.name = "integers", .type = H5T_STD_I32LE, .chunk = {1, 300, 3}});
    at_once({.name = "unsigned bytes", .type = H5T_STD_U8LE});
    at_once({.name = "compressed", .chunk = {1, 300, 3}, .deflate = true});
    at_once({.name = "compressed rows", .chunk = {5, 300, 3}, .deflate = true});
    at_once({.name = "compressed double",
             .type = H5T_IEEE_F64LE,
             .chunk = {4, 300, 3},
             .deflate = true});
    at_once({.name = "compressed big-endian",
             .type = H5T_IEEE_F32BE,
             .chunk = {1, 300, 3},
             .deflate = true});
    at_once({.name = "compressed bytes",
             .type = H5T_STD_U8LE,
             .chunk = {3, 100, 3},
             .deflate = true});
    at_once({.name = "compressed, new format",
             .chunk = {2, 300, 3},
             .deflate = true,
             .fill = true,
             .latest = true});
    at_once({.name = "compressed parts",
             .chunk = {5, 77, 2},
             .deflate = true,
             .fill = true});
    at_once({.name = "chunks of components", .chunk = {1, 300, 1}});
    at_once({.name = "chunks of components of rows", .chunk = {6, 300, 1}});
    at_once({.name = "external", .external = true});
    at_once({.name = "virtual", .virtual_set = true});
    return list;
  }();
  return all;
}

/// Writes the dataset "rows" with integers from 0 to 250, different in each row.
void write_stored_rows(const std::string& path, const RowStorage& storage);

}  // namespace starhist::testing
