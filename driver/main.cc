#include "driver/commands/command.hh"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // Keep the memory of frames: getting pages from the system again would take longer
  // than reading a frame.
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
  mallopt(M_TRIM_THRESHOLD, 512 * mebibyte);
#endif
  return static_cast<int>(starhist::driver::run_program(argc, argv));
}
