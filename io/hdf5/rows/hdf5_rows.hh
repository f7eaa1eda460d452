#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/filtered_rows.hh"

namespace starhist::io {

/// Reads a dataset row by row, such as the frames of positions [t][N][3]. Functions
/// throw InputError with file, path and row. Not thread-safe.
///
/// Uncompressed values that need no type conversion are read without HDF5's lock: HDF5
/// only locates them. So are, and decompressed, compressed values that FilteredRows
/// supports. Because each call of HDF5 may have to wait for its lock, one call reads
/// several small rows, or locates several large rows.
class Hdf5Rows {
 public:
  enum class Layout {
    one_row,    ///< the dataset is a single row
    many_rows,  ///< its first dimension counts the rows
  };

  /// Opens the dataset. HDF5's chunk cache is sized so that each chunk is decompressed
  /// once if rows are read in order. Rows are small if several fit into `window_bytes`.
  Hdf5Rows(hid_t parent, const std::string& path, Layout layout,
           std::size_t window_bytes = std::size_t{1} << 18U);

  std::uint64_t count() const { return count_; }  ///< number of rows
  /// Extents of a row, {N, 3} for positions.
  const std::vector<hsize_t>& row_shape() const { return row_shape_; }
  std::size_t row_size() const { return row_size_; }  ///< number of values in a row

  /// Whether several rows share chunks that are read as a whole.
  bool share_chunks() const { return share_chunks_; }
  /// Whether rows are decompressed without HDF5's lock.
  bool decompresses() const { return filtered_ != nullptr; }

  hid_t dataset() const { return dataset_.get(); }
  hid_t type() const { return type_.get(); }  ///< type of the values in the file

  /// Reads row `row` into `out`, which has room for row_size() values of `memory_type`.
  void read(std::uint64_t row, hid_t memory_type, void* out);

 private:
  /// Reads rows [first, first + count). Returns false on failure; HDF5's error stack or
  /// problem_ then has the reason.
  bool try_to_read(std::uint64_t first, std::uint64_t count, void* out);
  /// Like try_to_read(), using only HDF5; within a DeferringScope reads are only
  /// listed.
  bool hdf5_reads(std::uint64_t first, std::uint64_t count, void* out);
  /// Lists the reads of rows that are one chunk each, within a DeferringScope. Returns
  /// false if HDF5 has to read them: chunks that were never written have no place in
  /// the file.
  bool list_chunks(std::uint64_t first, std::uint64_t count, void* out) const;
  [[noreturn]] void refuse(std::uint64_t row, const std::string& reason) const;
  /// Implements read() for rows in filtered_.
  void read_filtered(std::uint64_t row, char* out);
  /// Reads a large row that locate() has located. Returns false if that is not
  /// possible. in_order: it follows the row read last.
  bool try_to_read_located(std::uint64_t row, bool in_order, void* out);
  /// Locates rows [first, first + count) in the file.
  void locate(std::uint64_t first, std::uint64_t count);
  /// Sets the requested type.
  void set_memory_type(hid_t memory_type);
  /// Returns the number of rows, from this one, to read in one call.
  std::uint64_t rows_at_once(std::uint64_t row);
  /// Selects these rows in the file. Returns the memory space for them, negative on
  /// failure.
  hid_t select(std::uint64_t first, std::uint64_t count);

  Hdf5Object dataset_;
  Hdf5Object type_;
  Hdf5Object file_space_;
  Hdf5Object memory_space_;
  std::uint64_t memory_rows_ = 1;  ///< number of rows of memory_space_
  Layout layout_;
  std::size_t window_bytes_;
  std::uint64_t count_ = 1;
  std::vector<hsize_t> row_shape_;
  std::size_t row_size_ = 1;
  std::vector<hsize_t> selection_start_;
  std::vector<hsize_t> selection_count_;
  bool plain_ = false;         ///< uncompressed and in this file
  bool chunk_is_row_ = false;  ///< plain, and each chunk is exactly one row
  bool share_chunks_ = false;
  std::size_t type_bytes_ = 0;              ///< size of a value in the file
  std::unique_ptr<FilteredRows> filtered_;  ///< null if HDF5 decompresses
  std::vector<char> stored_row_;            ///< one of these, before conversion

  hid_t memory_type_ = H5I_INVALID_HID;  ///< type requested last
  std::size_t row_bytes_ = 0;            ///< size of a row in that type
  bool as_stored_ = false;               ///< that type equals the type in the file
  DeferredReads deferred_;
  int problem_ = 0;  ///< errno of a failed read; 0: success

  /// Rows read ahead.
  struct Window {
    std::vector<char> values;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Window window_;

  /// Consecutive rows that have been located in the file.
  struct Located {
    /// Reads of all rows, to consecutive addresses in `room`. They only serve
    /// DeferredReads::find(): `room` is never written.
    DeferredReads reads;
    std::unique_ptr<char[]> room;
    std::size_t room_bytes = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Located located_;
  /// several rows can be located in one call, with few pieces each
  bool can_be_located_ = true;
  std::uint64_t run_begin_ = 0;  ///< first row of the current run of rows read in order
  std::uint64_t last_run_ = 1;   ///< length of the previous run
  std::uint64_t next_row_ = UINT64_MAX;  ///< row after the one read last
  std::uint64_t at_once_ = 1;            ///< last result of rows_at_once()
};

}  // namespace starhist::io
