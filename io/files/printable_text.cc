#include "io/files/printable_text.hh"

#include <array>
#include <cstdio>

namespace starhist::io {
namespace {

std::string escape(unsigned code) {
  std::array<char, 12> text{};
  std::snprintf(text.data(), text.size(), code < 0x100 ? "\\x%02x" : "\\u%04x", code);
  return text.data();
}

unsigned byte_of(char c) {
  return static_cast<unsigned char>(c);
}

/// Returns the code point of a character of two or three bytes.
unsigned code_of(std::string_view bytes) {
  unsigned code = byte_of(bytes[0]) & (bytes.size() == 2 ? 0x1fU : 0x0fU);
  for (const char c : bytes.substr(1)) {
    code = code << 6U | (byte_of(c) & 0x3fU);
  }
  return code;
}

bool is_replaced(unsigned code) {
  return (code >= 0x80 && code < 0xa0) || code == 0x61c || code == 0x200e ||
         code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

/// Whether a character that must be replaced may begin with these bytes.
bool may_begin(std::string_view bytes) {
  return bytes == "\xc2" || bytes == "\xd8" || bytes == "\xe2" || bytes == "\xe2\x80" ||
         bytes == "\xe2\x81";
}

}  // namespace

void PrintableText::add(char byte, std::string& out) {
  if (!begun_.empty()) {
    begun_ += byte;
    if ((byte_of(byte) & 0xc0U) == 0x80U) {
      if (may_begin(begun_)) {
        return;
      }
      const bool complete = begun_.size() == (begun_[0] == '\xe2' ? 3U : 2U);
      const unsigned code = code_of(begun_);
      out += complete && is_replaced(code) ? escape(code) : begun_;
      begun_.clear();
      return;
    }
    begun_.pop_back();
    finish(out);
  }
  if (may_begin({&byte, 1})) {
    begun_ = byte;
  } else if ((byte_of(byte) < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f) {
    out += escape(byte_of(byte));
  } else {
    out += byte;
  }
}

void PrintableText::finish(std::string& out) {
  out += begun_;
  begun_.clear();
}

std::string printable_line(std::string_view text) {
  PrintableText printable;
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\t') {
      printable.finish(out);
      out += escape(byte_of(c));
    } else {
      printable.add(c, out);
    }
  }
  printable.finish(out);
  return out;
}

}  // namespace starhist::io
