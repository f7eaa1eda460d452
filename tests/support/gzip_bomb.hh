#pragma once

#include <string>

#include <zlib.h>

#include "tests/support/file_bytes.hh"

namespace starhist::testing {

/// A gzip file of `head` and then `copies` times 16 MiB of repeated `filling`: 16 kB of
/// file for each. gzip files may be concatenated.
inline void write_gzip_bomb(const std::string& path, const std::string& head,
                            const std::string& filling, int copies) {
  const auto packed = [&path](const std::string& text) {
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return read_bytes(path);
  };
  const std::string first = packed(head);
  std::string block;
  while (block.size() < 16U << 20U) {
    block += filling;
  }
  const std::string rest = packed(block);
  std::string all = first;
  for (int copy = 0; copy < copies; ++copy) {
    all += rest;
  }
  write_bytes(path, all);
}

}  // namespace starhist::testing
