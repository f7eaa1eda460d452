#include "io/hdf5/rows/hdf5_rows.hh"

#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <system_error>

#include "codelets/core/base/error.hh"
#include "io/hdf5/deferring_driver.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

/// The chunks of a dataset of rows (along its first dimension).
class RowChunks {
 public:
  /// Throws InputError when the dataset cannot be read.
  explicit RowChunks(hid_t dataset)
      : shape_(hdf5_shape(dataset)), plain_(hdf5_is_plain(dataset)) {
    const Hdf5Object properties =
        own_hdf5<InputError>(H5Dget_create_plist(dataset), H5Pclose, dataset);
    if (H5Pget_layout(properties.get()) != H5D_CHUNKED) {
      return;
    }
    chunk_.resize(shape_.size());
    check_hdf5<InputError>(
        H5Pget_chunk(properties.get(), static_cast<int>(chunk_.size()), chunk_.data()),
        dataset);
    const Hdf5Object type =
        own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset);
    value_bytes_ = H5Tget_size(type.get());
    constexpr std::size_t worth_a_read = 512;
    read_in_pieces_ = plain_ && piece_bytes() >= worth_a_read;
  }

  /// Whether chunks hold several rows and are read as a whole: true for compressed
  /// chunks, and for chunks in which a row consists of many small pieces.
  bool shared() const { return !chunk_.empty() && chunk_[0] > 1 && !read_in_pieces_; }

  /// Whether each chunk is exactly one row, without filters.
  bool are_plain_rows() const {
    return plain_ && !chunk_.empty() && chunk_[0] == 1 &&
           std::equal(chunk_.begin() + 1, chunk_.end(), shape_.begin() + 1);
  }

  /// Returns the size of a chunk cache that keeps all chunks of a row until the last
  /// row that shares them has been read [bytes]. 0 if a cache would only add a copy,
  /// because each chunk belongs to one row or rows are read piece by piece, or would
  /// need more than 1 GiB.
  std::size_t useful_cache() const {
    if (chunk_.empty() || read_in_pieces_) {
      return 0;
    }
    const bool row_in_pieces =
        !std::equal(chunk_.begin() + 1, chunk_.end(), shape_.begin() + 1);
    if (chunk_[0] <= 1 && (!plain_ || !row_in_pieces)) {
      return 0;
    }
    constexpr double most = 1024.0 * 1024.0 * 1024.0;
    double bytes = static_cast<double>(value_bytes_) * static_cast<double>(chunk_[0]);
    for (std::size_t axis = 1; axis < shape_.size(); ++axis) {
      const hsize_t chunks =
          shape_[axis] / chunk_[axis] + (shape_[axis] % chunk_[axis] != 0);
      bytes *= static_cast<double>(chunks) * static_cast<double>(chunk_[axis]);
    }
    return bytes > most ? 0 : static_cast<std::size_t>(bytes);
  }

 private:
  /// Returns the number of consecutive bytes of a row in a chunk.
  std::size_t piece_bytes() const {
    std::size_t bytes = value_bytes_;
    for (std::size_t axis = shape_.size() - 1; axis > 0; --axis) {
      bytes *= std::min(chunk_[axis], shape_[axis]);
      if (chunk_[axis] != shape_[axis]) {
        break;
      }
    }
    return bytes;
  }

  std::vector<hsize_t> shape_;
  std::vector<hsize_t> chunk_;   ///< shape of a chunk; empty without chunks
  std::size_t value_bytes_ = 0;  ///< size of a value in the file
  bool plain_ = false;           ///< hdf5_is_plain()
  bool read_in_pieces_ = false;  ///< HDF5 reads only the required part of a chunk
};

constexpr std::size_t most_located_bytes = 1U << 23U;

/// Null also for a single row, which is read only once.
std::unique_ptr<FilteredRows> filtered_rows(hid_t dataset, Hdf5Rows::Layout layout) {
  return layout == Hdf5Rows::Layout::many_rows && !hdf5_shape(dataset).empty()
             ? FilteredRows::of(dataset)
             : nullptr;
}

Hdf5Object open_with_cache(hid_t parent, const std::string& path,
                           Hdf5Rows::Layout layout) {
  Hdf5Object dataset = open_hdf5_dataset(parent, path);
  check_hdf5_filters(dataset.get());
  const std::size_t bytes = filtered_rows(dataset.get(), layout) != nullptr
                                ? 0  // FilteredRows keeps the chunks
                                : RowChunks(dataset.get()).useful_cache();
  constexpr std::size_t default_bytes = 1024 * 1024;
  if (bytes > 0 && bytes <= default_bytes) {
    return dataset;
  }
  constexpr std::size_t slots = 12421;
  constexpr double drop_read_chunks_first = 1.0;
  const Hdf5Object access =
      own_hdf5<InputError>(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, parent, path);
  // A dataset that is open already would keep its cache.
  check_hdf5<InputError>(dataset.close(), parent, path);
  check_hdf5<InputError>(
      H5Pset_chunk_cache(access.get(), slots, bytes, drop_read_chunks_first), parent,
      path);
  return own_hdf5<InputError>(H5Dopen2(parent, path.c_str(), access.get()), H5Dclose,
                              parent, path);
}

hid_t make_space(const std::vector<hsize_t>& shape) {
  return shape.empty()
             ? H5Screate(H5S_SCALAR)
             : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
}

}  // namespace

Hdf5Rows::Hdf5Rows(hid_t parent, const std::string& path, Layout layout,
                   std::size_t window_bytes)
    : dataset_(open_with_cache(parent, path, layout)),
      layout_(layout),
      window_bytes_(window_bytes) {
  const hid_t id = dataset_.get();
  type_ = own_hdf5<InputError>(H5Dget_type(id), H5Tclose, id);
  type_bytes_ = H5Tget_size(type_.get());
  row_shape_ = hdf5_shape(id);
  selection_start_.assign(row_shape_.size(), 0);
  selection_count_ = row_shape_;
  if (layout == Layout::many_rows) {
    if (row_shape_.empty()) {
      throw InputError(hdf5_location(id) +
                       ": is a single value, but one per frame is required");
    }
    count_ = row_shape_.front();
    selection_count_.front() = 1;
    row_shape_.erase(row_shape_.begin());
  }
  for (const hsize_t extent : row_shape_) {
    if (extent != 0 && row_size_ > std::numeric_limits<std::uint32_t>::max() / extent) {
      throw InputError(hdf5_location(id) + ": has rows of more than 2^32 values");
    }
    row_size_ *= extent;
  }
  // A writer may have reserved rows that it did not fill.
  constexpr double reserved = 1000.0;
  const auto row_values = static_cast<double>(row_size_);
  check_hdf5_extent(id, row_values);
  check_hdf5_extent(id, static_cast<double>(count_) * row_values / reserved);
  file_space_ = own_hdf5<InputError>(H5Dget_space(id), H5Sclose, id);
  // Same shape as in the file: otherwise HDF5 copies value by value.
  memory_space_ = own_hdf5<InputError>(make_space(selection_count_), H5Sclose, id);
  plain_ = hdf5_is_plain(id);
  if (row_size_ > 0) {
    filtered_ = filtered_rows(id, layout);
  }
  if (layout == Layout::many_rows) {
    const RowChunks chunks(id);
    share_chunks_ = chunks.shared();
    chunk_is_row_ = chunks.are_plain_rows() && defers_reads(id);
  }
}

void Hdf5Rows::read(std::uint64_t row, hid_t memory_type, void* out) {
  if (row_size_ == 0) {
    return;
  }
  silence_hdf5();
  set_memory_type(memory_type);
  if (filtered_ != nullptr) {
    read_filtered(row, static_cast<char*>(out));
    return;
  }
  if (row != next_row_) {
    last_run_ = next_row_ > count_ ? 1 : next_row_ - run_begin_;
    run_begin_ = row;
  }
  const std::uint64_t count = rows_at_once(row);
  const bool in_order = row == next_row_;
  next_row_ = row + 1;
  if (try_to_read_located(row, in_order, out)) {
    return;
  }
  const auto window_has = [&] { return row - window_.first < window_.count; };
  if (!window_has() && count > 1) {
    window_.count = 0;
    window_.values.resize(count * row_bytes_);
    if (try_to_read(row, count, window_.values.data())) {
      window_.first = row;
      window_.count = count;
    }  // otherwise rows are read one by one, to report the failing one
  }
  if (window_has()) {
    std::memcpy(out, &window_.values[(row - window_.first) * row_bytes_], row_bytes_);
  } else if (!try_to_read(row, 1, out)) {
    refuse(row,
           problem_ != 0 ? std::generic_category().message(problem_) : hdf5_reason());
  }
}

void Hdf5Rows::read_filtered(std::uint64_t row, char* out) {
  if (as_stored_) {
    if (!filtered_->read(row, out)) {
      refuse(row, filtered_->problem());
    }
    return;
  }
  stored_row_.resize(row_size_ * std::max(type_bytes_, row_bytes_ / row_size_));
  if (!filtered_->read(row, stored_row_.data())) {
    refuse(row, filtered_->problem());
  }
  if (H5Tconvert(type_.get(), memory_type_, row_size_, stored_row_.data(), nullptr,
                 H5P_DEFAULT) < 0) {
    refuse(row, hdf5_reason());
  }
  std::memcpy(out, stored_row_.data(), row_bytes_);
}

void Hdf5Rows::set_memory_type(hid_t memory_type) {
  if (memory_type == memory_type_) {
    return;  // avoid calls of HDF5, which wait for its lock
  }
  memory_type_ = memory_type;
  row_bytes_ = row_size_ * H5Tget_size(memory_type);
  as_stored_ = H5Tequal(memory_type, type_.get()) > 0;
  window_.count = 0;
  located_.count = 0;
}

std::uint64_t Hdf5Rows::rows_at_once(std::uint64_t row) {
  if (row - window_.first < window_.count) {
    return 1;
  }
  const std::uint64_t fit = plain_ && row == next_row_
                                ? std::max<std::uint64_t>(window_bytes_ / row_bytes_, 1)
                                : 1;
  at_once_ = std::min({2 * at_once_, fit, count_ - row});
  return at_once_;
}

hid_t Hdf5Rows::select(std::uint64_t first, std::uint64_t count) {
  if (layout_ == Layout::one_row) {
    return memory_space_.get();
  }
  selection_start_.front() = first;
  selection_count_.front() = count;
  if (H5Sselect_hyperslab(file_space_.get(), H5S_SELECT_SET, selection_start_.data(),
                          nullptr, selection_count_.data(), nullptr) < 0) {
    return H5I_INVALID_HID;
  }
  if (count != memory_rows_) {
    memory_space_ = Hdf5Object(make_space(selection_count_), H5Sclose);
    memory_rows_ = count;
  }
  return memory_space_.get();
}

bool Hdf5Rows::hdf5_reads(std::uint64_t first, std::uint64_t count, void* out) {
  const hid_t memory_space = select(first, count);
  return memory_space >= 0 && H5Dread(dataset_.get(), memory_type_, memory_space,
                                      file_space_.get(), H5P_DEFAULT, out) >= 0;
}

/// H5Dread prepares a selection for each chunk, which takes four times as long as
/// looking up the chunk.
bool Hdf5Rows::list_chunks(std::uint64_t first, std::uint64_t count, void* out) const {
  // At each collision, a thread that waits for HDF5's lock sleeps: one thread at a time
  // calls HDF5 for all its rows.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::vector<hsize_t> offset(selection_start_.size(), 0);
  auto* to = static_cast<char*>(out);
  for (offset.front() = first; offset.front() < first + count; ++offset.front()) {
    unsigned skipped_filters = 0;
    if (H5Dread_chunk(dataset_.get(), H5P_DEFAULT, offset.data(), &skipped_filters,
                      to) < 0) {
      return false;
    }
    to += row_bytes_;
  }
  return true;
}

bool Hdf5Rows::try_to_read(std::uint64_t first, std::uint64_t count, void* out) {
  problem_ = 0;
  deferred_.clear();
  if (!plain_ || !as_stored_) {
    return hdf5_reads(first, count, out);
  }
  bool listed = false;
  if (chunk_is_row_) {
    const DeferringScope scope(deferred_, out, count * row_bytes_);
    listed = list_chunks(first, count, out) && deferred_.bytes() == count * row_bytes_;
  }
  if (!listed) {
    deferred_.clear();
    const DeferringScope scope(deferred_, out, count * row_bytes_);
    if (!hdf5_reads(first, count, out)) {
      return false;
    }
  }
  problem_ = deferred_.read();
  return problem_ == 0;
}

bool Hdf5Rows::try_to_read_located(std::uint64_t row, bool in_order, void* out) {
  if (!can_be_located_ || !plain_ || !as_stored_ || layout_ == Layout::one_row ||
      row_bytes_ <= window_bytes_ / 2) {
    return false;
  }
  if (row - located_.first >= located_.count) {
    // A reader that takes turns with others reads runs of similar length.
    const std::uint64_t most =
        std::max<std::uint64_t>(most_located_bytes / row_bytes_, 1);
    const std::uint64_t wanted = in_order ? 2 * located_.count : last_run_;
    locate(row, std::min({std::max<std::uint64_t>(wanted, 1), most, count_ - row}));
  }
  deferred_.clear();
  problem_ = 0;
  if (located_.reads.pieces() == 0 ||
      !located_.reads.find(located_.room.get() + (row - located_.first) * row_bytes_,
                           row_bytes_, static_cast<char*>(out), deferred_)) {
    return false;
  }
  problem_ = deferred_.read();
  return problem_ == 0;
}

void Hdf5Rows::locate(std::uint64_t first, std::uint64_t count) {
  constexpr std::size_t most_pieces_per_row = 8;  // with more pieces it saves no time
  located_.reads.clear();
  located_.count = 0;
  if (count > 1) {  // try_to_read() reads a single row
    if (located_.room_bytes < count * row_bytes_) {
      located_.room_bytes = 0;
      located_.room = std::make_unique_for_overwrite<char[]>(count * row_bytes_);
      located_.room_bytes = count * row_bytes_;
    }
    const DeferringScope scope(located_.reads, located_.room.get(), count * row_bytes_);
    const bool found = hdf5_reads(first, count, located_.room.get());
    const std::size_t pieces = located_.reads.pieces();
    if (!found || pieces == 0 || pieces > most_pieces_per_row * count) {
      located_.reads.clear();
      can_be_located_ = false;  // read rows one by one from now on
    }
  }
  located_.first = first;
  located_.count = count;
}

void Hdf5Rows::refuse(std::uint64_t row, const std::string& reason) const {
  throw InputError(hdf5_location(dataset_.get()) + ": row " + std::to_string(row) +
                   " cannot be read (" + reason + ")");
}

}  // namespace starhist::io
