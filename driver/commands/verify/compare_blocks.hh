#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/base/text.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/report/verification.hh"

namespace starhist::driver {

/// "bin 57 (0.285 to 0.29 nm)"
inline std::string bin_text(const HistogramLayout& layout, std::uint32_t bin) {
  const auto edge = [&](std::uint32_t k) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", layout.bins.edge(k));
    return std::string(text);
  };
  return "bin " + std::to_string(bin) + " (" + edge(bin) + " to " + edge(bin + 1) +
         unit_suffix(layout.length_unit) + ")";
}

/// Compares numbers of a result with their recounts and adds each difference.
class Comparison {
 public:
  /// `block`: number of the block; empty: numbers of the whole result.
  Comparison(std::optional<std::uint64_t> block, Differences& differences)
      : block_(block), differences_(differences) {}

  bool is_equal(std::uint64_t recorded, std::uint64_t recounted) {
    ++numbers_;
    return recorded == recounted;
  }

  void integer(const std::string& subject, std::uint64_t recorded,
               std::uint64_t recounted) {
    if (!is_equal(recorded, recounted)) {
      add(subject, std::to_string(recorded), std::to_string(recounted));
    }
  }

  /// Sums of doubles may be rounded differently by another compiler.
  void real(const std::string& subject, double recorded, double recounted) {
    ++numbers_;
    const bool equal = recorded == recounted ||
                       (std::isnan(recorded) && std::isnan(recounted)) ||
                       (std::isfinite(recounted) &&
                        std::abs(recorded - recounted) <= 1e-12 * std::abs(recounted));
    if (!equal) {
      add(subject, number_text(recorded), number_text(recounted));
    }
  }

  void add(const std::string& subject, const std::string& recorded,
           const std::string& recounted) {
    differences_.add({block_, subject, recorded, recounted});
  }

  /// Number of compared numbers.
  std::uint64_t numbers() const { return numbers_; }

 private:
  std::optional<std::uint64_t> block_;
  Differences& differences_;
  std::uint64_t numbers_ = 0;
};

/// Compares the list of frames and the numbers of particles of a block with its
/// recount. `species`: number in `recount` of each species of `layout`.
void compare_frames(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    Comparison& comparison);

/// Compares a block of a result with its recount. Integers and frames must be equal,
/// real numbers within 1e-12 of their size. `pair_names`: names of the pairs of
/// `layout` for messages.
void compare_blocks(const HistogramLayout& layout, const BlockCounts& block,
                    const BlockCounts& recount, const std::vector<std::size_t>& species,
                    const std::vector<std::string>& pair_names, Comparison& comparison);

}  // namespace starhist::driver
