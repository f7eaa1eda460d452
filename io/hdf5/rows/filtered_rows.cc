#include "io/hdf5/rows/filtered_rows.hh"

#include <algorithm>
#include <cstring>
#include <new>
#include <system_error>
#include <type_traits>

#include "codelets/core/base/error.hh"
#include "io/hdf5/deferring_driver.hh"
#include "io/hdf5/hdf5_read.hh"

namespace starhist::io {
namespace {

constexpr double most_band_bytes = 1024.0 * 1024.0 * 1024.0;

const char* text_of(ChunkDamage damage) {
  switch (damage) {
    case ChunkDamage::checksum:
      return "the checksum of a chunk does not match, the file is damaged";
    case ChunkDamage::stream:
      return "a chunk cannot be decompressed, the file is damaged";
    case ChunkDamage::size:
      return "the size of a chunk does not match its shape, the file is damaged";
    case ChunkDamage::memory:
      return "not enough memory to decompress a chunk";
    default:
      return "";
  }
}

bool has_unfiltered_edges(hid_t properties) {
  unsigned options = 0;
  return H5Pget_chunk_opts(properties, &options) < 0 ||
         (options & H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0;
}

bool holds_numbers(hid_t type) {
  const H5T_class_t kind = H5Tget_class(type);
  return kind == H5T_INTEGER || kind == H5T_FLOAT || kind == H5T_ENUM;
}

/// Copies `count` pieces of `bytes` bytes.
void copy_pieces(const char* from, std::size_t from_stride, char* to,
                 std::size_t to_stride, hsize_t count, std::size_t bytes) {
  const auto copy = [&](auto piece_bytes) {
    for (hsize_t k = 0; k < count; ++k) {
      std::memcpy(to + k * to_stride, from + k * from_stride, piece_bytes);
    }
  };
  // Sizes known at compile time are several times as fast.
  if (bytes == sizeof(float)) {
    copy(std::integral_constant<std::size_t, sizeof(float)>());
  } else if (bytes == sizeof(double)) {
    copy(std::integral_constant<std::size_t, sizeof(double)>());
  } else {
    copy(bytes);
  }
}

}  // namespace

std::unique_ptr<FilteredRows> FilteredRows::of(hid_t dataset, std::size_t threads) {
  const Hdf5Object properties =
      own_hdf5<InputError>(H5Dget_create_plist(dataset), H5Pclose, dataset);
  const Hdf5Object type = own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset);
  const std::vector<hsize_t> shape = hdf5_shape(dataset);
  if (H5Pget_layout(properties.get()) != H5D_CHUNKED ||
      H5Pget_nfilters(properties.get()) <= 0 ||
      has_unfiltered_edges(properties.get()) || !holds_numbers(type.get()) ||
      !defers_reads(dataset)) {
    return nullptr;
  }
  std::vector<hsize_t> chunk(shape.size());
  check_hdf5<InputError>(
      H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()),
      dataset);
  const auto value_bytes = static_cast<double>(H5Tget_size(type.get()));
  double chunk_bytes = value_bytes * static_cast<double>(chunk[0]);
  double band_bytes = chunk_bytes;
  for (std::size_t axis = 1; axis < shape.size(); ++axis) {
    chunk_bytes *= static_cast<double>(chunk[axis]);
    band_bytes *= static_cast<double>(shape[axis]);
  }
  if (chunk_bytes > most_band_bytes || band_bytes > most_band_bytes) {
    return nullptr;
  }
  std::optional<ChunkFilters> filters =
      ChunkFilters::of(properties.get(), static_cast<std::size_t>(chunk_bytes));
  if (!filters) {
    return nullptr;
  }
  return std::unique_ptr<FilteredRows>(
      new FilteredRows(dataset, std::move(chunk), std::move(*filters), threads));
}

FilteredRows::FilteredRows(hid_t dataset, std::vector<hsize_t> chunk,
                           ChunkFilters filters, std::size_t threads)
    : dataset_(dataset),
      shape_(hdf5_shape(dataset)),
      chunk_(std::move(chunk)),
      filters_(std::move(filters)),
      threads_(threads),
      type_(own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset)),
      file_space_(own_hdf5<InputError>(H5Dget_space(dataset), H5Sclose, dataset)),
      chunk_stride_(shape_.size()),
      band_stride_(shape_.size()),
      room_(std::make_unique_for_overwrite<char[]>(filters_.most_stored_bytes())) {
  std::vector<hsize_t> band = shape_;
  band[0] = chunk_[0];
  band_space_ = own_hdf5<InputError>(
      H5Screate_simple(static_cast<int>(band.size()), band.data(), nullptr), H5Sclose,
      dataset);
  std::size_t chunk_stride = H5Tget_size(type_.get());
  std::size_t band_stride = chunk_stride;
  for (std::size_t axis = shape_.size(); axis-- > 0;) {
    chunk_stride_[axis] = chunk_stride;
    band_stride_[axis] = band_stride;
    chunk_stride *= chunk_[axis];
    band_stride *= shape_[axis];
    if (last_cut_ == 0 && chunk_[axis] != shape_[axis]) {
      last_cut_ = axis;
    }
  }
}

bool FilteredRows::read(std::uint64_t row, char* out) {
  const std::uint64_t band = row / chunk_[0];
  if (chunk_[0] == 1) {
    return read_band(band, out);
  }
  const std::size_t row_bytes = band_stride_[0];
  if (band != kept_) {
    if (kept_rows_ == nullptr) {
      kept_rows_ = std::make_unique_for_overwrite<char[]>(chunk_[0] * row_bytes);
    }
    kept_is_good_ = read_band(band, kept_rows_.get());
    kept_ = band;
  }
  if (kept_is_good_) {
    std::memcpy(out, kept_rows_.get() + row % chunk_[0] * row_bytes, row_bytes);
  }
  return kept_is_good_;
}

bool FilteredRows::read_band(std::uint64_t band, char* to) {
  kept_ = UINT64_MAX;  // until the read has succeeded, because memory may run out
  if (!locate(band, to)) {
    return false;
  }
  constexpr std::size_t worth_a_thread = 1U << 20U;  // takes two milliseconds
  const std::size_t chunk_bytes = chunk_stride_[0] * chunk_[0];
  in_parallel_slices(
      located_.size(), std::max<std::size_t>(worth_a_thread / chunk_bytes, 1),
      [&](std::size_t begin, std::size_t end) {
        Scratch own;
        for (std::size_t k = begin; k < end; ++k) {
          decode(located_[k], begin == 0 ? scratch_ : own, to);
        }
      },
      threads_);
  for (const Located& chunk : located_) {
    if (chunk.error != 0 || chunk.damage != ChunkDamage::none) {
      problem_ = chunk.error != 0 ? std::generic_category().message(chunk.error)
                                  : text_of(chunk.damage);
      return false;
    }
  }
  return true;
}

bool FilteredRows::locate(std::uint64_t band, char* to) {
  located_.clear();
  Offset offset(shape_.size(), 0);
  offset[0] = band * chunk_[0];
  bool all_lie_in_file = true;
  do {
    if (locate_chunk(offset)) {
      continue;
    }
    if (all_lie_in_file) {
      // HDF5 does not write to the memory of unwritten values without a fill value.
      std::memset(to, 0, chunk_[0] * band_stride_[0]);
      all_lie_in_file = false;
    }
    if (!hdf5_reads(offset, to)) {
      problem_ = hdf5_reason();
      return false;
    }
  } while (next_in_band(offset));
  return true;
}

bool FilteredRows::next_in_band(Offset& offset) const {
  for (std::size_t axis = shape_.size() - 1; axis > 0; --axis) {
    if (shape_[axis] - offset[axis] > chunk_[axis]) {
      offset[axis] += chunk_[axis];
      return true;
    }
    offset[axis] = 0;
  }
  return false;
}

bool FilteredRows::locate_chunk(const Offset& offset) {
  Located found;
  {
    const DeferringScope scope(found.bytes, room_.get(), filters_.most_stored_bytes());
    if (H5Dread_chunk(dataset_, H5P_DEFAULT, offset.data(), &found.skipped,
                      room_.get()) < 0) {
      return false;
    }
  }
  if (found.bytes.pieces() == 0) {
    return false;
  }
  found.offset = offset;
  located_.push_back(std::move(found));
  return true;
}

std::vector<hsize_t> FilteredRows::extents_at(const Offset& offset) const {
  std::vector<hsize_t> extents(shape_.size());
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    extents[axis] = std::min(chunk_[axis], shape_[axis] - offset[axis]);
  }
  return extents;
}

bool FilteredRows::hdf5_reads(const Offset& offset, char* to) {
  const std::vector<hsize_t> extents = extents_at(offset);
  Offset in_band = offset;
  in_band[0] = 0;
  return H5Sselect_hyperslab(file_space_.get(), H5S_SELECT_SET, offset.data(), nullptr,
                             extents.data(), nullptr) >= 0 &&
         H5Sselect_hyperslab(band_space_.get(), H5S_SELECT_SET, in_band.data(), nullptr,
                             extents.data(), nullptr) >= 0 &&
         H5Dread(dataset_, type_.get(), band_space_.get(), file_space_.get(),
                 H5P_DEFAULT, to) >= 0;
}

void FilteredRows::decode(Located& chunk, Scratch& scratch, char* to) const noexcept {
  try {
    std::vector<char>& stored = scratch.steps.here;
    const std::uint64_t size = chunk.bytes.bytes();
    if (size < filters_.least_stored_bytes()) {
      chunk.damage = ChunkDamage::size;  // before memory for its values is allocated
      return;
    }
    stored.resize(size);
    DeferredReads reads;
    chunk.bytes.find(room_.get(), stored.size(), stored.data(), reads);
    chunk.error = reads.read(1);
    if (chunk.error != 0) {
      return;
    }
    if (last_cut_ == 0) {
      chunk.damage = filters_.undo(scratch.steps, chunk.skipped, to);
      return;
    }
    scratch.chunk.resize(chunk_stride_[0] * chunk_[0]);
    chunk.damage = filters_.undo(scratch.steps, chunk.skipped, scratch.chunk.data());
    if (chunk.damage == ChunkDamage::none) {
      char* place = to;
      for (std::size_t axis = 1; axis < shape_.size(); ++axis) {
        place += chunk.offset[axis] * band_stride_[axis];
      }
      scatter(extents_at(chunk.offset), 0, scratch.chunk.data(), place);
    }
  } catch (const std::bad_alloc&) {
    chunk.damage = ChunkDamage::memory;
  }
}

void FilteredRows::scatter(const std::vector<hsize_t>& extents, std::size_t axis,
                           const char* values, char* to) const {
  if (axis + 1 == last_cut_) {
    copy_pieces(values, chunk_stride_[axis], to, band_stride_[axis], extents[axis],
                extents[last_cut_] * band_stride_[last_cut_]);
    return;
  }
  for (hsize_t k = 0; k < extents[axis]; ++k) {
    scatter(extents, axis + 1, values + k * chunk_stride_[axis],
            to + k * band_stride_[axis]);
  }
}

}  // namespace starhist::io
