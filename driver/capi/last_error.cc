#include <array>
#include <cstring>

#include "driver/capi/call.hh"

namespace starhist::capi {
namespace {

constexpr std::size_t longest_text = 2048;
thread_local std::array<char, longest_text> text_of_last_error{};

}  // namespace

void keep_error(const char* text) noexcept {
  std::strncpy(text_of_last_error.data(), text, longest_text - 1);
}

const char* last_error() noexcept {
  return text_of_last_error.data();
}

}  // namespace starhist::capi
