#include "io/files/parallel_slices.hh"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include <sched.h>

namespace starhist::io {

std::size_t threads_for_slices() {
  cpu_set_t allowed;
  const int cores =
      sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  return static_cast<std::size_t>(std::clamp(cores / 4, 1, 4));
}

void in_parallel_slices(std::size_t count, std::size_t least,
                        const std::function<void(std::size_t, std::size_t)>& work,
                        std::size_t threads) {
  const std::size_t parts = std::min(count / least, threads);
  if (parts < 2) {
    work(0, count);
    return;
  }
  // The first parts get one more `least` each until the remainder of units / parts is
  // used up.
  const std::size_t units = count / least;
  const auto begin_of = [&](std::size_t part) {
    return (units * part + parts - 1) / parts * least;
  };
  std::vector<std::jthread> others;
  std::size_t begin = 0;
  try {
    while (others.size() + 1 < parts) {
      const std::size_t end = begin_of(others.size() + 1);
      others.emplace_back([&work, begin, end] { work(begin, end); });
      begin = end;
    }
  } catch (const std::system_error&) {
    // No further thread could be started: this one does the rest.
  }
  work(begin, count);
}

}  // namespace starhist::io
