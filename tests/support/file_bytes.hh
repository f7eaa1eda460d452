#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace starhist::testing {

/// The contents of a file as bytes.
inline std::string read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)),
                    std::istreambuf_iterator<char>());
  if (!file) {
    throw std::runtime_error("cannot read " + path);
  }
  return bytes;
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << bytes;
  if (!file.flush()) {
    throw std::runtime_error("cannot write " + path);
  }
}

}  // namespace starhist::testing
