#include "tasks/memory/pages.hh"

#include <algorithm>
#include <cstdint>

#include "tasks/runtime/data_handle.hh"
#include "tasks/runtime/runtime.hh"
#include "tests/support/catch.hh"
#include "tests/support/starpu_environment.hh"

namespace starhist {
namespace {

TEST_CASE("pages: whole ones, huge ones from 2 MiB on") {
  constexpr std::size_t huge = std::size_t{1} << 21U;
  CHECK(tasks::whole_pages(0) == 4096);
  CHECK(tasks::whole_pages(4096) == 4096);
  CHECK(tasks::whole_pages(4097) == 8192);
  CHECK(tasks::whole_pages(huge - 1) == huge);
  CHECK(tasks::whole_pages(huge + 1) == 2 * huge);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{5000}, 3 * huge + 1}) {
    char* const memory = static_cast<char*>(tasks::allocate_pages(bytes));
    REQUIRE(memory != nullptr);
    const std::size_t alignment = bytes < huge ? 4096 : huge;
    CHECK(reinterpret_cast<std::uintptr_t>(memory) % alignment == 0);
    std::fill_n(memory, tasks::whole_pages(bytes), 'x');
    tasks::free_pages(memory);
  }
}

TEST_CASE("StarPU's own memory can come from whole pages") {
  tasks::let_starpu_use_pages();
  const testing::StarpuEnvironment environment;
  tasks::Runtime runtime(tasks::CpuMode::core);
  for (const std::size_t size : {std::size_t{1}, std::size_t{1'000'000}}) {
    const tasks::DataHandle handle = tasks::make_vector_handle<double>(size);
    double* data = nullptr;
    {
      const tasks::AcquiredVector<double> vector(handle, STARPU_W, "write");
      data = vector.data();
      CHECK(reinterpret_cast<std::uintptr_t>(data) % 4096 == 0);
      std::fill_n(data, size, 1.5);
    }
    const tasks::AcquiredVector<double> vector(handle, STARPU_R, "read");
    CHECK(std::count(vector.data(), vector.data() + size, 1.5) ==
          static_cast<long>(size));
  }
}

}  // namespace
}  // namespace starhist
