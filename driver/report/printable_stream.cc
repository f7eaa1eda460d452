#include "driver/report/printable_stream.hh"

#include <array>
#include <cstdio>
#include <streambuf>

namespace starhist::driver {
namespace {

/// First byte of U+0080 to U+00BF in UTF-8, of which those up to U+009F are controls.
constexpr unsigned latin_lead = 0xc2;

}  // namespace

class PrintableStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* target) : target_(target) {}

  /// Writes a first byte that no second one has followed.
  void finish() {
    if (held_) {
      held_ = false;
      target_->sputc(static_cast<char>(latin_lead));
    }
  }

 protected:
  int_type overflow(int_type character) override {
    if (traits_type::eq_int_type(character, traits_type::eof())) {
      return traits_type::not_eof(character);
    }
    return put(static_cast<unsigned char>(character)) ? character : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    for (std::streamsize k = 0; k < size; ++k) {
      if (!put(static_cast<unsigned char>(text[k]))) {
        return k;
      }
    }
    return size;
  }
  int sync() override { return target_->pubsync(); }

 private:
  bool put(unsigned byte) {
    const bool second = held_;
    held_ = false;
    if (second && byte >= 0x80 && byte < 0xa0) {
      return put_escaped(byte);
    }
    if (second && !put_byte(latin_lead)) {
      return false;
    }
    if (byte == latin_lead) {
      held_ = true;
      return true;
    }
    const bool control = (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
    return control ? put_escaped(byte) : put_byte(byte);
  }
  bool put_byte(unsigned byte) {
    return !traits_type::eq_int_type(target_->sputc(static_cast<char>(byte)),
                                     traits_type::eof());
  }
  bool put_escaped(unsigned byte) {
    std::array<char, 8> text{};
    const int size = std::snprintf(text.data(), text.size(), "\\x%02x", byte);
    return target_->sputn(text.data(), size) == size;
  }

  std::streambuf* target_;
  bool held_ = false;  ///< latin_lead came last and is not written yet
};

PrintableStream::PrintableStream(std::ostream& stream)
    : stream_(stream),
      buffer_(std::make_unique<Buffer>(stream.rdbuf())),
      before_(stream.rdbuf(buffer_.get())) {}

PrintableStream::~PrintableStream() {
  buffer_->finish();
  const std::ios::iostate state = stream_.rdstate();  // rdbuf() forgets it
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
