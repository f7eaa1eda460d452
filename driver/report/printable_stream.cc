#include "driver/report/printable_stream.hh"

#include <streambuf>

#include "io/files/printable_text.hh"

namespace starhist::driver {
class PrintableStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* target) : target_(target) {}

  /// Writes the pending bytes of an incomplete character.
  void finish() {
    std::string rest;
    text_.finish(rest);
    write(rest);
  }

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    const char byte = traits_type::to_char_type(character);
    return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::string shown;
    for (std::streamsize k = 0; k < size; ++k) {
      text_.add(text[k], shown);
    }
    return write(shown) ? size : 0;
  }
  int sync() override { return target_->pubsync(); }

 private:
  bool write(const std::string& text) {
    const auto size = static_cast<std::streamsize>(text.size());
    return target_->sputn(text.data(), size) == size;
  }

  std::streambuf* target_;
  io::PrintableText text_;
};

PrintableStream::PrintableStream(std::ostream& stream)
    : stream_(stream),
      buffer_(std::make_unique<Buffer>(stream.rdbuf())),
      before_(stream.rdbuf(buffer_.get())) {}

PrintableStream::~PrintableStream() {
  buffer_->finish();
  const std::ios::iostate state = stream_.rdstate();  // rdbuf() resets the state
  stream_.rdbuf(before_);
  stream_.clear(state);
}

std::string shortened(const std::string& message, std::size_t most) {
  if (message.size() <= most) {
    return message;
  }
  const std::size_t end = most / 4;
  const std::size_t begin = most - end;
  return message.substr(0, begin) + " [... " + std::to_string(message.size() - most) +
         " characters left out ...] " + message.substr(message.size() - end);
}

}  // namespace starhist::driver
