#pragma once

#include <memory>
#include <ostream>
#include <string>

namespace starhist::driver {

/// While it lives, control characters that are written to a stream become text, as
/// \x1b: names of species and of files come from others, and a terminal would obey
/// them. Newlines and tabs stay, and so does UTF-8.
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

/// The message, or its begin and end if it has more than `most` characters, with the
/// number of those between.
std::string shortened(const std::string& message, std::size_t most = 4000);

}  // namespace starhist::driver
