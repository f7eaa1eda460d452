#include "io/particles/species_order.hh"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>
#include <tuple>
#include <unordered_set>

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
  // Only distinct names are sorted: there may be a name per particle, but few distinct
  // ones.
  std::unordered_set<std::string> distinct(std::make_move_iterator(names.begin()),
                                           std::make_move_iterator(names.end()));
  names.assign(distinct.begin(), distinct.end());
  std::sort(names.begin(), names.end(), comes_before);
}

}  // namespace starhist::io
