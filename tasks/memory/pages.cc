#include "tasks/memory/pages.hh"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>

#include <starpu.h>
#include <sys/mman.h>

#include "codelets/pin_memory.hh"

namespace starhist::tasks {
namespace {

constexpr std::size_t small_page = 4096;
constexpr std::size_t huge_page = std::size_t{1} << 21U;

std::size_t page_for(std::size_t bytes) {
  return bytes < huge_page ? small_page : huge_page;
}

/// Memory that StarPU allocated and that could be pinned.
std::mutex pinned_mutex;
std::set<void*> pinned;

int allocate_for_starpu(unsigned /*node*/, void** memory, std::size_t bytes,
                        int flags) {
  *memory = allocate_pages(bytes);
  if (*memory == nullptr) {
    return -ENOMEM;
  }
  if ((flags & STARPU_MALLOC_PINNED) != 0 &&
      codelets::pin_memory(*memory, whole_pages(bytes))) {
    const std::lock_guard lock(pinned_mutex);
    pinned.insert(*memory);
  }
  return 0;
}

int free_for_starpu(unsigned /*node*/, void* memory, std::size_t /*bytes*/,
                    int /*flags*/) {
  bool was_pinned = false;
  {
    const std::lock_guard lock(pinned_mutex);
    was_pinned = pinned.erase(memory) > 0;
  }
  if (was_pinned) {
    codelets::unpin_memory(memory);
  }
  free_pages(memory);
  return 0;
}

}  // namespace

std::size_t whole_pages(std::size_t bytes) {
  const std::size_t page = page_for(bytes);
  return std::max<std::size_t>((bytes + page - 1) / page, 1) * page;
}

void* allocate_pages(std::size_t bytes) {
  const std::size_t size = whole_pages(bytes);
  void* const memory = std::aligned_alloc(page_for(bytes), size);
  if (memory != nullptr && page_for(bytes) == huge_page) {
    madvise(memory, size, MADV_HUGEPAGE);  // only an optimization: failure is harmless
  }
  return memory;
}

void free_pages(void* memory) {
  std::free(memory);
}

void let_starpu_use_pages() {
  starpu_malloc_set_hooks(allocate_for_starpu, free_for_starpu);
}

}  // namespace starhist::tasks
