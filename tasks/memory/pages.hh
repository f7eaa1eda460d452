#pragma once

#include <cstddef>

namespace starhist::tasks {

/// Whole pages of main memory, huge ones where they fit: fewer page faults, and pinned
/// in a tenth of the time. Null where memory lacks.
void* allocate_pages(std::size_t bytes);
/// As std::free.
void free_pages(void* memory);
/// Bytes that allocate_pages() takes for so many.
std::size_t whole_pages(std::size_t bytes);

/// Lets StarPU allocate, and pin for GPUs, its own main memory in the same way. Before
/// starpu_init.
void let_starpu_use_pages();

}  // namespace starhist::tasks
