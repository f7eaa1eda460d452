#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/hdf5/deferred_reads.hh"
#include "io/hdf5/hdf5_object.hh"

namespace starhist::io {

/// A dataset read row by row, such as the frames of positions [t][N][3]. Everything
/// throws InputError naming file, path and row.
///
/// Where values are in the file as they are wanted, not compressed nor of another type,
/// HDF5 only says where they are, and they are read without its lock. Several small
/// rows in order are read at once; where as many large rows are is asked at once, too,
/// as each call may have to wait for the lock.
class Hdf5Rows {
 public:
  enum class Layout {
    one_row,    ///< the dataset is one row
    many_rows,  ///< its first extent counts the rows
  };

  /// Sizes HDF5's chunk cache so that rows read in order are decompressed once. Rows
  /// are small if several fit into `window_bytes`.
  Hdf5Rows(hid_t parent, const std::string& path, Layout layout,
           std::size_t window_bytes = std::size_t{1} << 18U);

  std::uint64_t count() const { return count_; }
  /// Extents of a row, {N, 3} for positions.
  const std::vector<hsize_t>& row_shape() const { return row_shape_; }
  std::size_t row_size() const { return row_size_; }  ///< number of values

  /// Whether rows are stored in chunks of several that are read as a whole.
  bool share_chunks() const { return share_chunks_; }

  hid_t dataset() const { return dataset_.get(); }
  hid_t type() const { return type_.get(); }  ///< the type in the file

  /// Reads row `row` into `out`, room for row_size() values of `memory_type`.
  void read(std::uint64_t row, hid_t memory_type, void* out);

 private:
  /// Whether rows `first` to `first` + `count` - 1 could be read; if not, HDF5 or
  /// `problem_` says why.
  bool try_to_read(std::uint64_t first, std::uint64_t count, void* out);
  /// The same, by HDF5 alone; what a DeferringScope asks for is only noted.
  bool hdf5_reads(std::uint64_t first, std::uint64_t count, void* out);
  [[noreturn]] void refuse(std::uint64_t row) const;
  /// Whether a large row could be read from where locate() found it.
  bool try_to_read_located(std::uint64_t row, bool sequential_only, void* out);
  /// Finds out where rows `first` to `first` + `count` - 1 are.
  void locate(std::uint64_t first, std::uint64_t count);
  void signature_of_file(hid_t memory_type);
  /// How many rows from this one on are read at once.
  std::uint64_t rows_at_once(std::uint64_t row);
  /// Selects these rows in the file; the space for them in memory, or a negative
  /// number.
  hid_t select(std::uint64_t first, std::uint64_t count);

  Hdf5Object dataset_;
  Hdf5Object type_;
  Hdf5Object file_space_;
  Hdf5Object memory_space_;
  std::uint64_t memory_rows_ = 1;  ///< that it has room for
  Layout layout_;
  std::size_t window_bytes_;
  std::uint64_t count_ = 1;
  std::vector<hsize_t> row_shape_;
  std::size_t row_size_ = 1;
  std::vector<hsize_t> selection_start_;
  std::vector<hsize_t> selection_count_;
  bool plain_ = false;  ///< neither compressed nor in other files
  bool share_chunks_ = false;

  hid_t memory_type_ = H5I_INVALID_HID;  ///< the last one asked for
  std::size_t row_bytes_ = 0;            ///< in that type
  bool as_stored_ = false;               ///< whether it is the type in the file
  DeferredReads deferred_;
  int problem_ = 0;  ///< the system's number for it

  /// Rows read ahead.
  struct Window {
    std::vector<char> values;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Window window_;

  /// Where rows are that follow each other.
  struct Located {
    DeferredReads reads;  ///< into `room`, where nothing is read
    std::unique_ptr<char[]> room;
    std::size_t room_bytes = 0;
    std::uint64_t first = 0;
    std::uint64_t count = 0;
  };
  Located located_;
  bool can_be_located_ = true;           ///< several at once, and it is worth while
  std::uint64_t run_begin_ = 0;          ///< of the rows that are read in order
  std::uint64_t last_run_ = 1;           ///< rows in the one before
  std::uint64_t next_row_ = UINT64_MAX;  ///< after the last that was asked for
  std::uint64_t at_once_ = 1;
};

}  // namespace starhist::io
