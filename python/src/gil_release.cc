#include "python/src/gil_release.hh"

#include <chrono>
#include <thread>

namespace starhist::python {

int GilRelease::calls_ = 0;
bool GilRelease::ending_ = false;

void GilRelease::wait_for_calls() {
  ending_ = true;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (calls_ > 0 && std::chrono::steady_clock::now() < end) {
    const nanobind::gil_scoped_release released;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace starhist::python
