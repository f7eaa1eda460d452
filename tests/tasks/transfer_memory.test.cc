#include "tasks/position_memory.hh"

#include <algorithm>
#include <cstdint>

#include "tasks/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

TEST_CASE("memory for positions is used again: the smallest piece that is enough") {
  const testing::StarpuEnvironment environment;
  Runtime runtime(CpuMode::core);
  PositionMemory memory(true);
  constexpr std::size_t small = 1000;
  constexpr std::size_t large = 3'000'000;
  const double* at_small = nullptr;
  const double* at_large = nullptr;
  {
    const PositionMemory::Piece a = memory.take(small);
    const PositionMemory::Piece b = memory.take(large);
    for (const auto& [piece, numbers] : {std::pair(&a, small), std::pair(&b, large)}) {
      double* const data = (*piece)->data();
      CHECK(reinterpret_cast<std::uintptr_t>(data) % 128 == 0);
      std::fill_n(data, numbers, 2.5);
      (*piece)->pin();
      (*piece)->pin();  // once is enough
      CHECK(std::count(data, data + numbers, 2.5) == static_cast<long>(numbers));
    }
    at_small = a->data();
    at_large = b->data();
    CHECK(at_small != at_large);
  }
  const PositionMemory::Piece again = memory.take(small / 2);
  CHECK(again->data() == at_small);
  const PositionMemory::Piece both_taken = memory.take(small / 2);
  CHECK(both_taken->data() == at_large);
  const PositionMemory::Piece none = memory.take(0);
  CHECK(none->data() != nullptr);
}

}  // namespace
}  // namespace starhist
