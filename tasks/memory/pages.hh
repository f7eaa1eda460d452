#pragma once

#include <cstddef>

namespace starhist::tasks {

/// Returns whole_pages(bytes) bytes of main memory, aligned to a page and not
/// initialized: huge pages for 2 MiB or more, otherwise pages of 4 KiB. Huge pages
/// cause fewer page faults and are pinned in a tenth of the time. Null if there is no
/// memory.
void* allocate_pages(std::size_t bytes);
/// Frees what allocate_pages() returned; null is allowed.
void free_pages(void* memory);
/// `bytes` rounded up to whole pages, at least one.
std::size_t whole_pages(std::size_t bytes);

/// Makes StarPU allocate its main memory with allocate_pages() and pin it if GPUs use
/// it. Call it before starpu_init(). Memory that cannot be pinned is used unpinned.
void let_starpu_use_pages();

}  // namespace starhist::tasks
