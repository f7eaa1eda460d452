#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace starhist::driver {

/// During its lifetime, control characters written to a stream are escaped, as in \x1b:
/// names of species and files may come from strangers, and a terminal would interpret
/// them. Newlines, tabs and UTF-8 are kept.
class PrintableStream {
 public:
  explicit PrintableStream(std::ostream& stream);
  ~PrintableStream();
  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  class Buffer;
  std::ostream& stream_;
  std::unique_ptr<Buffer> buffer_;
  std::streambuf* before_;
};

/// The message; if it has more than `most` characters, its start and end with the
/// number of characters omitted between them.
std::string shortened(const std::string& message, std::size_t most = 4000);

}  // namespace starhist::driver
