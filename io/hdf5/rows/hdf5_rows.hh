#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/rows/filtered_rows.hh"

namespace starhist::io {

/// A dataset that is read row by row, such as the frames of positions [t][N][3].
/// Functions throw InputError with file, path and row. For one thread.
///
/// Values that are stored without compression and in the type that is asked for are
/// read without HDF5's lock: HDF5 only locates them. So are compressed ones, for which
/// FilteredRows says which, and decompressed. As each call of HDF5 may have to
/// wait for its lock, several small rows in order are read in one call, and several
/// large rows are located in one call.
class Hdf5Rows {
 public:
  enum class Layout {
    one_row,    ///< the dataset is one row
    many_rows,  ///< its first extent counts the rows
  };

  /// Opens the dataset. HDF5's chunk cache is sized so that chunks are decompressed
  /// once if rows are read in order. Rows are small if several fit into `window_bytes`.
  Hdf5Rows(hid_t parent, const std::string& path, Layout layout,
           std::size_t window_bytes = std::size_t{1} << 18U);

  std::uint64_t count() const { return count_; }  ///< number of rows
  /// Extents of a row, {N, 3} for positions.
  const std::vector<hsize_t>& row_shape() const { return row_shape_; }
  std::size_t row_size() const { return row_size_; }  ///< number of values

  /// Whether several rows share chunks that are read as a whole.
  bool share_chunks() const { return share_chunks_; }
  /// Whether rows are decompressed without HDF5's lock.
  bool decompresses() const { return filtered_ != nullptr; }

  hid_t dataset() const { return dataset_.get(); }
  hid_t type() const { return type_.get(); }  ///< the type in the file

  /// Reads row `row` into `out`, which has room for row_size() values of `memory_type`.
  void read(std::uint64_t row, hid_t memory_type, void* out);

 private:
  /// Reads rows [first, first + count). Returns false if that failed; then HDF5's error
  /// stack or problem_ has the reason.
  bool try_to_read(std::uint64_t first, std::uint64_t count, void* out);
  /// The same by HDF5 alone; within a DeferringScope reads are only listed.
  bool hdf5_reads(std::uint64_t first, std::uint64_t count, void* out);
  [[noreturn]] void refuse(std::uint64_t row, const std::string& reason) const;
  /// read() of rows that filtered_ has.
  void read_filtered(std::uint64_t row, char* out);
  /// Reads a large row from where locate() has found it. Returns false if that is not
  /// possible. in_order: it follows the row that was read last.
  bool try_to_read_located(std::uint64_t row, bool in_order, void* out);
  /// Locates rows [first, first + count) in the file.
  void locate(std::uint64_t first, std::uint64_t count);
  /// Sets the type that is asked for.
  void set_memory_type(hid_t memory_type);
  /// Number of rows from this one on that are read in one call.
  std::uint64_t rows_at_once(std::uint64_t row);
  /// Selects these rows in the file. Returns the space for them in memory, negative on
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
  bool plain_ = false;  ///< neither compressed nor in other files
  bool share_chunks_ = false;
  std::size_t type_bytes_ = 0;              ///< size of a value in the file
  std::unique_ptr<FilteredRows> filtered_;  ///< null: rows are read otherwise
  std::vector<char> stored_row_;            ///< one of these, to be converted

  hid_t memory_type_ = H5I_INVALID_HID;  ///< type that was asked for last
  std::size_t row_bytes_ = 0;            ///< size of a row in that type
  bool as_stored_ = false;               ///< that type is the type in the file
  DeferredReads deferred_;
  int problem_ = 0;  ///< errno of a read that failed; 0: none

  /// Rows read ahead.
  struct Window {
    std::vector<char> values;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Window window_;

  /// Consecutive rows that are located in the file.
  struct Located {
    /// Reads of all rows, to consecutive addresses in `room`. They only serve for
    /// DeferredReads::find(): nothing is read to `room`.
    DeferredReads reads;
    std::unique_ptr<char[]> room;
    std::size_t room_bytes = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Located located_;
  bool can_be_located_ = true;           ///< several rows in one call, in few pieces
  std::uint64_t run_begin_ = 0;          ///< first of the rows read in order
  std::uint64_t last_run_ = 1;           ///< number of rows read in order before that
  std::uint64_t next_row_ = UINT64_MAX;  ///< row after the one read last
  std::uint64_t at_once_ = 1;            ///< rows_at_once() of the last call
};

}  // namespace starhist::io
