#include <vector>

#include "codelets/kernels/cpu/cpu_merge_counts.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("counts are added and zeroed within their bounds") {
  for (const std::size_t size : {0U, 1U, 7U, 1000U}) {
    std::vector<std::uint64_t> sum(size + 1, 1ULL << 40U);
    std::vector<std::uint64_t> terms(size + 1, 5);
    kernels::cpu::merge_counts(sum.data(), terms.data(), size);
    std::vector<std::uint64_t> expected(size + 1, (1ULL << 40U) + 5);
    expected.back() = 1ULL << 40U;
    CHECK(sum == expected);
    CHECK(terms == std::vector<std::uint64_t>(size + 1, 5));

    kernels::cpu::zero_counts(sum.data(), size);
    expected.assign(size + 1, 0);
    expected.back() = 1ULL << 40U;
    CHECK(sum == expected);
  }
}

}  // namespace
}  // namespace starhist
