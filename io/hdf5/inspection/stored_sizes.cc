#include "io/hdf5/inspection/stored_sizes.hh"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <zlib.h>

extern "C" {
#include <lzf.h>
}

#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/lzf_filter.hh"

namespace starhist::io {
namespace {

struct Filter {
  H5Z_filter_t id = H5Z_FILTER_NONE;
  /// LZF: chunk size that its filter enforces; 0: unknown
  std::size_t chunk_bytes = 0;
};

/// Chunk properties stored with a dataset.
struct Chunks {
  double bytes = 0.0;  ///< size of a chunk according to shape and type
  std::vector<Filter> filters;
};

Hdf5Object owned_or_empty(hid_t id, Hdf5Object::Closer closer) {
  return id < 0 ? Hdf5Object() : Hdf5Object(id, closer);
}

std::vector<Filter> filters_of(hid_t properties) {
  std::vector<Filter> filters;
  const int count = H5Pget_nfilters(properties);
  for (int k = 0; k < count; ++k) {
    std::array<unsigned, 16> parameters{};
    std::size_t parameter_count = parameters.size();
    unsigned flags = 0;
    const H5Z_filter_t id =
        H5Pget_filter2(properties, static_cast<unsigned>(k), &flags, &parameter_count,
                       parameters.data(), 0, nullptr, nullptr);
    const bool tells_size = id == lzf_filter_id && parameter_count >= 3;
    filters.push_back({id, tells_size ? parameters[2] : 0});
  }
  return filters;
}

bool is_known(const Filter& filter) {
  return filter.id == H5Z_FILTER_DEFLATE || filter.id == H5Z_FILTER_SHUFFLE ||
         filter.id == H5Z_FILTER_FLETCHER32 || filter.id == lzf_filter_id;
}

/// Decompresses deflate, to at most `most` bytes; empty for damaged data.
std::string inflated(const std::string& data, std::size_t most) {
  std::string out(most, '\0');
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) {
    return {};
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<unsigned>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return status == Z_STREAM_END || status == Z_BUF_ERROR ? out : std::string();
}

std::string lzf_decompressed(const std::string& data, std::size_t most) {
  std::string out(most, '\0');
  out.resize(lzf_decompress(data.data(), static_cast<unsigned>(data.size()), out.data(),
                            static_cast<unsigned>(out.size())));
  return out;
}

/// Returns the size of the chunk stored as `data` [bytes]; 0 if it is unknown, as for
/// damaged data, which HDF5 refuses.
std::size_t unpacked_size(std::string data, const Chunks& chunks,
                          unsigned skipped_filters) {
  constexpr std::size_t checksum_bytes = 4;
  const std::size_t most = static_cast<std::size_t>(chunks.bytes) + checksum_bytes;
  for (std::size_t k = chunks.filters.size(); k-- > 0;) {
    const H5Z_filter_t id = chunks.filters[k].id;
    if ((skipped_filters >> k & 1U) != 0) {
      continue;
    }
    if (id == H5Z_FILTER_FLETCHER32) {
      data.resize(data.size() - std::min(data.size(), checksum_bytes));
    } else if (id == H5Z_FILTER_DEFLATE) {
      data = inflated(data, most);
    } else if (id == lzf_filter_id) {
      data = lzf_decompressed(data, most);
    }
  }
  return data.size();
}

#if H5_VERSION_GE(1, 10, 5)
/// Returns unpacked_size() of the first chunk in the file.
std::size_t first_chunk_size(hid_t dataset, hid_t space, const Chunks& chunks) {
  constexpr hsize_t longest = hsize_t{8} << 20U;
  std::array<hsize_t, H5S_MAX_RANK> offset{};
  unsigned skipped_filters = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  // The index may list a chunk at another address than the one that HDF5 reads it from;
  // use the size of the latter.
  if (H5Dget_chunk_info(dataset, space, 0, offset.data(), &skipped_filters, &address,
                        &size) < 0 ||
      H5Dget_chunk_storage_size(dataset, offset.data(), &size) < 0 || size > longest) {
    return 0;
  }
  std::string data(size, '\0');
  if (H5Dread_chunk(dataset, H5P_DEFAULT, offset.data(), &skipped_filters,
                    data.data()) < 0) {
    return 0;
  }
  return unpacked_size(std::move(data), chunks, skipped_filters);
}

/// Whether unfiltered chunks among the first 64 in the file have the required size.
bool chunks_without_filters_fit(hid_t dataset, hid_t space, hsize_t count,
                                const Chunks& chunks) {
  constexpr hsize_t most = 64;  // HDF5 scans the index for each chunk
  for (hsize_t k = 0; k < std::min(count, most); ++k) {
    std::array<hsize_t, H5S_MAX_RANK> offset{};
    unsigned skipped_filters = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info(dataset, space, k, offset.data(), &skipped_filters, &address,
                          &size) < 0) {
      return true;
    }
    const bool expands = [&] {
      for (std::size_t f = 0; f < chunks.filters.size(); ++f) {
        const H5Z_filter_t id = chunks.filters[f].id;
        if ((id == H5Z_FILTER_DEFLATE || id == lzf_filter_id) &&
            (skipped_filters >> f & 1U) == 0) {
          return true;
        }
      }
      return false;
    }();
    if (!expands && static_cast<double>(size) < chunks.bytes) {
      return false;
    }
  }
  return true;
}
#endif

}  // namespace

bool StoredSizes::fit(hid_t dataset) {
  silence_hdf5();
  const Hdf5Object properties = owned_or_empty(H5Dget_create_plist(dataset), H5Pclose);
  const Hdf5Object type = owned_or_empty(H5Dget_type(dataset), H5Tclose);
  const Hdf5Object space = owned_or_empty(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> shape{};
  if (!properties || !type || !space) {
    return true;
  }
  const H5D_layout_t layout = H5Pget_layout(properties.get());
  if (layout == H5D_COMPACT) {
    return static_cast<double>(H5Dget_storage_size(dataset)) >=
           static_cast<double>(H5Sget_simple_extent_npoints(space.get())) *
               static_cast<double>(H5Tget_size(type.get()));
  }
  if (layout != H5D_CHUNKED) {
    return true;
  }
  const int rank = H5Pget_chunk(properties.get(), H5S_MAX_RANK, shape.data());
  Chunks chunks{static_cast<double>(H5Tget_size(type.get())),
                filters_of(properties.get())};
  for (int axis = 0; axis < rank; ++axis) {
    chunks.bytes *= static_cast<double>(shape[static_cast<std::size_t>(axis)]);
  }
#if H5_VERSION_GE(1, 10, 5)
  hsize_t count = 0;
  if (H5Dget_num_chunks(dataset, space.get(), &count) < 0 || count == 0) {
    return true;
  }
  const auto stored = static_cast<double>(H5Dget_storage_size(dataset));
  const auto needed = static_cast<double>(count) * chunks.bytes;
  if (chunks.filters.empty()) {
    // Require equality: with a lower bound, an oversized chunk would compensate for
    // short ones.
    return stored == needed;
  }
  if (!std::all_of(chunks.filters.begin(), chunks.filters.end(), is_known)) {
    return true;
  }
  if (!chunks_without_filters_fit(dataset, space.get(), count, chunks)) {
    return false;
  }
  // Deflate, the densest of these filters, expands one byte to at most 1032.
  constexpr double densest_filter = 1032.0;
  if (stored * densest_filter < needed) {
    return false;
  }
  for (const Filter& filter : chunks.filters) {
    if (filter.chunk_bytes > 0) {
      return static_cast<double>(filter.chunk_bytes) >= chunks.bytes;
    }
  }
  if (chunks.bytes > static_cast<double>(left_)) {
    return true;
  }
  left_ -= static_cast<std::size_t>(chunks.bytes);
  const std::size_t size = first_chunk_size(dataset, space.get(), chunks);
  return size == 0 || static_cast<double>(size) >= chunks.bytes;
#else
  return true;
#endif
}

}  // namespace starhist::io
