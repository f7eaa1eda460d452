#include <string>
#include <vector>

#include "driver/commands/command.hh"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Frames come and go: their memory is kept, as pages that are given back to the
  // system cost more to get again than reading a frame does.
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
  mallopt(M_TRIM_THRESHOLD, 512 * mebibyte);
#endif
  return static_cast<int>(
      starhist::driver::run_program(std::vector<std::string>(argv + 1, argv + argc)));
}
