// Large blocks of memory in huge pages, for the whole program: a frame of a million
// particles would else take its time for 10 000 page faults. Sanitizers have operators
// of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cstdint>
#include <cstdlib>
#include <new>

#include "tasks/memory/pages.hh"

void* operator new(std::size_t size) {
  constexpr std::size_t large = std::size_t{1} << 22U;
  if (size > SIZE_MAX - large) {  // whole pages would be more than there is
    throw std::bad_alloc();
  }
  void* const memory = size < large ? std::malloc(size > 0 ? size : 1)
                                    : starhist::tasks::allocate_pages(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
