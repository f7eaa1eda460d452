#include "io/parts.hh"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

namespace starhist {

std::size_t threads_for_parts() {
  return std::clamp(std::thread::hardware_concurrency() / 4, 1U, 4U);
}

void in_parts(std::size_t count, std::size_t least,
              const std::function<void(std::size_t, std::size_t)>& work,
              std::size_t threads) {
  const std::size_t parts = std::min(count / least, threads);
  if (parts < 2) {
    work(0, count);
    return;
  }
  const std::size_t size = count / least / parts * least;
  std::vector<std::jthread> others;
  std::size_t begin = 0;
  try {
    while (others.size() + 1 < parts) {
      others.emplace_back([&work, begin, size] { work(begin, begin + size); });
      begin += size;
    }
  } catch (const std::system_error&) {
    // What no thread could be had for is done here.
  }
  work(begin, count);
}

}  // namespace starhist
