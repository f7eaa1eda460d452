#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <starhist.h>

#include "codelets/core/counting/histogram.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist::testing {

/// Throws the library's message unless a call has succeeded.
inline void must(starhist_status status) {
  if (status != STARHIST_OK) {
    throw std::runtime_error(std::string(starhist_status_name(status)) + ": " +
                             starhist_last_error());
  }
}

inline constexpr std::uint64_t all_blocks = STARHIST_ALL_BLOCKS;

/// "STARHIST_BAD_BOX: the box is ...", or "STARHIST_OK" for a successful call.
inline std::string outcome(starhist_status status) {
  const std::string name = starhist_status_name(status);
  return status == STARHIST_OK ? name : name + ": " + starhist_last_error();
}

/// A context of two workers, in a separate environment.
class TestContext {
 public:
  explicit TestContext(unsigned flags = 0, int workers = 2, int gpus = 0) {
    must(starhist_context_create(workers, gpus, nullptr, flags, &context_));
  }
  ~TestContext() { starhist_context_destroy(context_); }
  TestContext(const TestContext&) = delete;
  TestContext& operator=(const TestContext&) = delete;

  starhist_context* get() const { return context_; }

 private:
  StarpuEnvironment environment_;
  starhist_context* context_ = nullptr;
};

class TestHistogram {
 public:
  TestHistogram(const TestContext& context, double r_max, std::uint64_t bins,
                starhist_box_kind kind) {
    must(starhist_histogram_create(context.get(), r_max, bins, kind, &histogram_));
  }
  ~TestHistogram() { starhist_histogram_destroy(histogram_); }
  TestHistogram(const TestHistogram&) = delete;
  TestHistogram& operator=(const TestHistogram&) = delete;

  starhist_histogram* get() const { return histogram_; }

  void set_species(const std::vector<std::string>& names) const {
    std::vector<const char*> texts;
    for (const std::string& name : names) {
      texts.push_back(name.c_str());
    }
    must(starhist_set_species(histogram_, texts.size(), texts.data()));
  }

  /// Adds a frame of one species in a box given by lengths.
  starhist_status add(const std::vector<double>& positions,
                      const std::array<double, 3>& lengths = {1.0, 1.0, 1.0}) const {
    return starhist_add_frame(histogram_, positions.size() / 3, positions.data(), 0, 0,
                              lengths.data());
  }

  std::uint64_t block_count() const {
    std::uint64_t blocks = 0;
    must(starhist_get_numbers(histogram_, nullptr, &blocks, nullptr, nullptr, nullptr));
    return blocks;
  }

  struct Counts {
    std::vector<std::uint64_t> bins;
    std::uint64_t out_of_range = 0;
    std::uint64_t pairs = 0;
    bool operator==(const Counts&) const = default;
  };
  Counts counts(std::uint64_t block, std::size_t pair) const {
    std::size_t bins = 0;
    must(starhist_get_numbers(histogram_, nullptr, nullptr, nullptr, nullptr, &bins));
    Counts result{std::vector<std::uint64_t>(bins)};
    must(starhist_get_counts(histogram_, block, pair, bins, result.bins.data(),
                             &result.out_of_range, &result.pairs));
    return result;
  }

 private:
  starhist_histogram* histogram_ = nullptr;
};

/// "" if block `number` of the histogram has the counts of `block`.
inline std::string block_difference(const TestHistogram& histogram,
                                    std::uint64_t number, const BlockCounts& block) {
  for (std::size_t p = 0; p < block.pairs.size(); ++p) {
    const TestHistogram::Counts expected{block.counts[p], block.out_of_range[p],
                                         block.pairs[p]};
    if (histogram.counts(number, p) != expected) {
      return "block " + std::to_string(number) + ", pair " + std::to_string(p);
    }
  }
  return "";
}

/// The edges of a box as 9 numbers, row by row.
inline std::array<double, 9> matrix_of(const Box& box) {
  std::array<double, 9> matrix{};
  for (std::size_t k = 0; k < 3; ++k) {
    matrix[3 * k] = box.edges()[k].x;
    matrix[3 * k + 1] = box.edges()[k].y;
    matrix[3 * k + 2] = box.edges()[k].z;
  }
  return matrix;
}

}  // namespace starhist::testing
