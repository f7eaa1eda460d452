#pragma once

#include <memory>
#include <string>

#include "io/compression/byte_source.hh"

struct gzFile_s;

namespace starhist::io {

/// A gzip-compressed or plain file, read with zlib.
class GzipSource : public ByteSource {
 public:
  /// Throws InputError when the file cannot be opened.
  explicit GzipSource(const std::string& path);

  const char* compression() const override;
  std::size_t read(char* bytes, std::size_t size) override;
  bool damaged() const override { return damaged_; }
  std::uint64_t taken() const override;
  bool go_to(std::uint64_t offset) override;

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Close> file_;
  bool damaged_ = false;
};

}  // namespace starhist::io
