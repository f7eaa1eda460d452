#include "io/hdf5/rows/chunk_filters.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>

// The published header lacks this declaration of C linkage.
extern "C" {
#include <lzf.h>
}

#include "io/hdf5/lzf_filter.hh"

namespace starhist::io {
namespace {

constexpr std::size_t checksum_bytes = 4;

/// zlib and LZF count bytes in this type.
constexpr std::size_t longest_stream = std::numeric_limits<unsigned>::max();

ChunkDamage lzf_to(const std::vector<char>& in, char* out, std::size_t size) {
  const unsigned length = lzf_decompress(in.data(), static_cast<unsigned>(in.size()),
                                         out, static_cast<unsigned>(size));
  if (length == 0) {
    return ChunkDamage::stream;
  }
  return length == size ? ChunkDamage::none : ChunkDamage::size;
}

/// Applies unshuffle() to `count` values of the size of Word, with vector instructions.
template <class Word>
void unshuffle_values(const char* in, char* out, std::size_t count) {
  constexpr std::size_t width = sizeof(Word);
  // Number of values in a block; constant, so that the compiler vectorizes the loops.
  constexpr std::size_t block = 32;
  const auto shift_of = [](std::size_t byte) {
    return 8 * (std::endian::native == std::endian::little ? byte : width - 1 - byte);
  };
  std::array<Word, block> words;
  const auto put_together = [&](std::size_t first, std::size_t number) {
    for (std::size_t k = 0; k < number; ++k) {
      words[k] = 0;
    }
    for (std::size_t byte = 0; byte < width; ++byte) {
      const char* const bytes = in + byte * count + first;
      for (std::size_t k = 0; k < number; ++k) {
        words[k] |= static_cast<Word>(static_cast<unsigned char>(bytes[k]))
                    << shift_of(byte);
      }
    }
    std::memcpy(out + first * width, words.data(), number * width);
  };
  std::size_t first = 0;
  for (; first + block <= count; first += block) {
    put_together(first, block);
  }
  put_together(first, count - first);
}

/// Reassembles values of `width` bytes from `in`, which has all first bytes, then all
/// second bytes and so on. Remaining bytes stay at the end.
void unshuffle(const char* in, char* out, std::size_t size, std::size_t width) {
  const std::size_t count = size / width;
  if (width == sizeof(std::uint32_t)) {
    unshuffle_values<std::uint32_t>(in, out, count);
  } else if (width == sizeof(std::uint64_t)) {
    unshuffle_values<std::uint64_t>(in, out, count);
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t byte = 0; byte < width; ++byte) {
        out[k * width + byte] = in[byte * count + k];
      }
    }
  }
  std::memcpy(out + count * width, in + count * width, size - count * width);
}

/// Returns the checksum of HDF5's filter: Fletcher-32 of big-endian 16-bit words.
std::uint32_t fletcher32(const char* data, std::size_t size) {
  // Largest number of words whose sums fit into 32 bits.
  constexpr std::size_t most_words = 360;
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(data[k]));
  };
  const auto folded = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16U); };
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  const std::size_t words = size / 2;
  for (std::size_t begin = 0; begin < words; begin += most_words) {
    const std::size_t end = std::min(begin + most_words, words);
    for (std::size_t k = begin; k < end; ++k) {
      low += byte(2 * k) << 8U | byte(2 * k + 1);
      high += low;
    }
    low = folded(low);
    high = folded(high);
  }
  if (size % 2 != 0) {
    low = low + (byte(size - 1) << 8U);
    high = folded(high + low);
    low = folded(low);
  }
  return folded(high) << 16U | folded(low);
}

/// Whether the checksum at the end of `data` matches the data before it. HDF5 before
/// 1.6.3 stored it with the bytes of each half swapped, and still accepts that.
bool checksum_fits(const std::vector<char>& data) {
  const std::size_t size = data.size() - checksum_bytes;
  std::uint32_t stored = 0;
  for (std::size_t k = 0; k < checksum_bytes; ++k) {
    stored |= static_cast<std::uint32_t>(static_cast<unsigned char>(data[size + k]))
              << 8U * k;
  }
  const std::uint32_t sum = fletcher32(data.data(), size);
  const std::uint32_t exchanged = (sum & 0x00ff00ff) << 8U | (sum >> 8U & 0x00ff00ff);
  return stored == sum || stored == exchanged;
}

}  // namespace

std::optional<ChunkFilters> ChunkFilters::of(hid_t properties,
                                             std::size_t chunk_bytes) {
  ChunkFilters all(chunk_bytes);
  const int count = H5Pget_nfilters(properties);
  if (count < 0 || chunk_bytes == 0 || chunk_bytes > longest_stream - checksum_bytes) {
    return std::nullopt;
  }
  bool compressed = false;
  for (unsigned k = 0; k < static_cast<unsigned>(count); ++k) {
    std::array<unsigned, 8> parameters{};
    std::size_t parameter_count = parameters.size();
    unsigned flags = 0;
    const H5Z_filter_t id = H5Pget_filter2(properties, k, &flags, &parameter_count,
                                           parameters.data(), 0, nullptr, nullptr);
    constexpr unsigned highest_level = 9;
    Filter filter{};
    if (id == H5Z_FILTER_DEFLATE && parameter_count == 1 &&
        parameters[0] <= highest_level && !compressed) {
      filter.kind = Kind::deflate;
      compressed = true;
    } else if (id == lzf_filter_id && !compressed) {
      filter.kind = Kind::lzf;
      compressed = true;
    } else if (id == H5Z_FILTER_SHUFFLE && parameter_count == 1 && parameters[0] > 0) {
      filter = {Kind::shuffle, parameters[0]};
    } else if (id == H5Z_FILTER_FLETCHER32) {
      filter.kind = Kind::fletcher32;
    } else {
      return std::nullopt;
    }
    all.filters_.push_back(filter);
  }
  return all;
}

/// Returns the size of a chunk after the filters before this one were applied. If this
/// is a compression, only checksums change the size.
std::size_t ChunkFilters::bytes_before(std::size_t filter, unsigned skipped) const {
  std::size_t bytes = chunk_bytes_;
  for (std::size_t k = 0; k < filter; ++k) {
    if (filters_[k].kind == Kind::fletcher32 && (skipped >> k & 1U) == 0) {
      bytes += checksum_bytes;
    }
  }
  return bytes;
}

ChunkDamage ChunkFilters::undo(Scratch& scratch, unsigned skipped, char* out) const {
  std::vector<char>& here = scratch.here;
  bool is_out = false;  // the values are already in `out`
  const auto step_to = [&](std::size_t k, std::size_t bytes) {
    const unsigned before = (1U << k) - 1;
    is_out = (skipped & before) == before && bytes == chunk_bytes_;
    if (is_out) {
      return out;
    }
    scratch.there.resize(bytes);
    return scratch.there.data();
  };
  for (std::size_t k = filters_.size(); k-- > 0;) {
    if ((skipped >> k & 1U) != 0) {
      continue;
    }
    const Filter& filter = filters_[k];
    if (filter.kind == Kind::fletcher32) {
      if (here.size() < checksum_bytes) {
        return ChunkDamage::size;
      }
      if (!checksum_fits(here)) {
        return ChunkDamage::checksum;
      }
      here.resize(here.size() - checksum_bytes);
      continue;
    }
    if (filter.kind == Kind::shuffle) {
      unshuffle(here.data(), step_to(k, here.size()), here.size(), filter.value_bytes);
    } else {
      const std::size_t bytes = bytes_before(k, skipped);
      char* const to = step_to(k, bytes);
      const ChunkDamage damage = filter.kind == Kind::deflate
                                     ? scratch.inflater.inflate(here, to, bytes)
                                     : lzf_to(here, to, bytes);
      if (damage != ChunkDamage::none) {
        return damage;
      }
    }
    if (!is_out) {
      here.swap(scratch.there);
    }
  }
  if (!is_out) {
    if (here.size() != chunk_bytes_) {
      return ChunkDamage::size;
    }
    std::memcpy(out, here.data(), chunk_bytes_);
  }
  return ChunkDamage::none;
}

}  // namespace starhist::io
