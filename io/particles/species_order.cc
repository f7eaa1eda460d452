#include "io/particles/species_order.hh"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <tuple>

namespace starhist::io {
namespace {

std::optional<std::int64_t> whole_number(const std::string& name) {
  std::int64_t value = 0;
  const char* end = name.data() + name.size();
  const auto parsed = std::from_chars(name.data(), end, value);
  return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(value)
                                                       : std::nullopt;
}

bool comes_before(const std::string& a, const std::string& b) {
  const auto number_a = whole_number(a);
  const auto number_b = whole_number(b);
  return std::tuple(!number_a, number_a.value_or(0), a) <
         std::tuple(!number_b, number_b.value_or(0), b);
}

}  // namespace

void sort_species(std::vector<std::string>& names) {
  std::sort(names.begin(), names.end(), comes_before);
  names.erase(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace starhist::io
