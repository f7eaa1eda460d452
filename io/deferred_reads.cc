#include "io/deferred_reads.hh"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace starhist {
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

int DeferredReads::read() {
  int problem = 0;
  for (const Piece& piece : pieces_) {
    problem = read_piece(piece.file, piece.offset, piece.size, piece.to);
    if (problem != 0) {
      break;
    }
  }
  pieces_.clear();
  return problem;
}

}  // namespace starhist
