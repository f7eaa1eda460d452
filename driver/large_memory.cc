// Large blocks of memory in huge pages, for the whole program: a frame of a million
// particles would else take its time for 10 000 page faults. Sanitizers have operators
// of their own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

void* operator new(std::size_t size) {
  constexpr std::size_t huge_page = std::size_t{1} << 21U;
  constexpr std::size_t worth_it = 2 * huge_page;
  if (size > SIZE_MAX - huge_page) {
    throw std::bad_alloc();
  }
  const bool large = size >= worth_it;
  const std::size_t whole_pages = (size + huge_page - 1) / huge_page * huge_page;
  void* const memory = large ? std::aligned_alloc(huge_page, whole_pages)
                             : std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (large) {
    madvise(memory, whole_pages, MADV_HUGEPAGE);  // without them it is only slower
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
