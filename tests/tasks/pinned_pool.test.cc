#include "tasks/memory/pinned_pool.hh"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

TEST_CASE("memory for transfers is reused unless it is much too large") {
  const testing::StarpuEnvironment environment;
  tasks::Runtime runtime(tasks::CpuMode::core);
  tasks::PinnedPool memory(true);
  constexpr std::size_t small = 100'000;
  constexpr std::size_t large = 24'000'000;
  const char* at_small = nullptr;
  const char* at_large = nullptr;
  {
    const tasks::PinnedPool::Piece a = memory.take(small);
    const tasks::PinnedPool::Piece b = memory.take(large);
    for (const auto& [piece, bytes] : {std::pair(&a, small), std::pair(&b, large)}) {
      char* const data = (*piece)->data<char>();
      CHECK(reinterpret_cast<std::uintptr_t>(data) % 128 == 0);
      CHECK((*piece)->bytes() >= bytes);
      std::fill_n(data, bytes, 'x');
      CHECK((*piece)->pin());
      CHECK_FALSE((*piece)->pin());  // once is enough
      CHECK(std::count(data, data + bytes, 'x') == static_cast<long>(bytes));
    }
    at_small = a->data<char>();
    at_large = b->data<char>();
    CHECK(at_small != at_large);
  }
  const tasks::PinnedPool::Piece again = memory.take(small / 2);
  CHECK(again->data<char>() == at_small);
  const tasks::PinnedPool::Piece another = memory.take(small / 2);
  CHECK(another->data<char>() != at_small);
  CHECK(another->data<char>() != at_large);
  const tasks::PinnedPool::Piece less = memory.take(large - 5'000'000);
  CHECK(less->data<char>() == at_large);
  const tasks::PinnedPool::Piece none = memory.take(0);
  CHECK(none->data<char>() != nullptr);
}

TEST_CASE("memory for transfers: threads that share a pool get different blocks") {
  tasks::PinnedPool memory(false);
  std::atomic<int> shared{0};
  std::vector<std::thread> threads;
  for (char own = 'a'; own < 'e'; ++own) {
    threads.emplace_back([&, own] {
      for (int k = 0; k < 2000; ++k) {
        const tasks::PinnedPool::Piece piece = memory.take(64);
        std::fill_n(piece->data<char>(), 64, own);
        std::this_thread::yield();
        shared += std::count(piece->data<char>(), piece->data<char>() + 64, own) != 64;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(shared == 0);
}

TEST_CASE("memory for transfers: growing frames do not leave blocks of all sizes") {
  tasks::PinnedPool memory(false);
  for (std::size_t bytes = 10'000'000; bytes < 50'000'000; bytes += 3'000'000) {
    memory.take(bytes);
    CHECK(memory.free_bytes() >= bytes);
    CHECK(memory.free_bytes() < 2 * bytes);
  }
}

}  // namespace
}  // namespace starhist
