#include "io/hdf5/deferred_reads.hh"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace starhist::io {
namespace {

int read_piece(int file, std::uint64_t offset, std::size_t size, char* to) {
  while (size > 0) {
    const ssize_t count = ::pread(file, to, size, static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return errno;
    }
    if (count == 0) {
      std::memset(to, 0, size);
      return 0;
    }
    const auto bytes = static_cast<std::size_t>(count);
    offset += bytes;
    to += bytes;
    size -= bytes;
  }
  return 0;
}

}  // namespace

void DeferredReads::add(int file, std::uint64_t offset, std::size_t size, char* to) {
  if (!pieces_.empty()) {
    Piece& last = pieces_.back();
    if (last.file == file && last.offset + last.size == offset &&
        last.to + last.size == to) {
      last.size += size;
      return;
    }
  }
  pieces_.push_back({file, offset, size, to});
}

std::uint64_t DeferredReads::bytes() const {
  std::uint64_t sum = 0;
  for (const Piece& piece : pieces_) {
    sum += piece.size;
  }
  return sum;
}

bool DeferredReads::find(const char* from, std::size_t size, char* to,
                         DeferredReads& other) const {
  std::size_t found = 0;
  for (const Piece& piece : pieces_) {
    const char* const begin = std::max<const char*>(piece.to, from);
    const char* const end = std::min<const char*>(piece.to + piece.size, from + size);
    if (begin < end) {
      const auto length = static_cast<std::size_t>(end - begin);
      other.add(piece.file, piece.offset + static_cast<std::uint64_t>(begin - piece.to),
                length, to + (begin - from));
      found += length;
    }
  }
  return found == size;
}

int DeferredReads::read(std::size_t threads) {
  constexpr std::size_t least = 1U << 21U;  // takes half a millisecond
  std::atomic<int> problem = 0;
  for (const Piece& piece : pieces_) {
    in_parallel_slices(
        piece.size, least,
        [&](std::size_t begin, std::size_t end) {
          const int own = read_piece(piece.file, piece.offset + begin, end - begin,
                                     piece.to + begin);
          if (own != 0) {
            problem = own;
          }
        },
        threads);
    if (problem != 0) {
      break;
    }
  }
  pieces_.clear();
  return problem;
}

}  // namespace starhist::io
