#include "io/files/passed_on.hh"

#include <algorithm>
#include <functional>
#include <limits>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

void add(const std::string& name, const std::vector<double>& values,
         std::vector<double>& sum) {
  if (values.size() != sum.size()) {
    throw InputError(name + ": has " + std::to_string(values.size()) +
                     " numbers, but in frames before " + std::to_string(sum.size()) +
                     " (they are added up, which needs equally many)");
  }
  std::transform(values.begin(), values.end(), sum.begin(), sum.begin(), std::plus<>());
}

}  // namespace

void append(PassedOn& to, const PassedOn& after) {
  for (const auto& [name, text] : after.texts) {
    to.texts[name] = text;
  }
  to.constants.insert(after.constants.begin(), after.constants.end());
  for (const auto& [name, values] : after.sums) {
    const auto [sum, is_new] = to.sums.try_emplace(name, values);
    if (!is_new) {
      add(name, values, sum->second);
    }
  }
  for (const auto& [name, values] : after.series) {
    auto& all = to.series.try_emplace(name, to.frames, no_number).first->second;
    all.insert(all.end(), values.begin(), values.end());
  }
  to.frames += after.frames;
  for (auto& [name, values] : to.series) {
    values.resize(to.frames, no_number);
  }
}

}  // namespace starhist::io
