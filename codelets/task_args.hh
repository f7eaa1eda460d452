#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>

#include <starpu.h>

namespace starhist::codelets {

/// Copies `header`, followed by `slices`, as the arguments of `task`, into memory from
/// malloc that StarPU frees. Of the header's members it sets only slice_count. Throws
/// std::bad_alloc.
template <class Header>
void set_task_args(starpu_task& task, const Header& header,
                   std::span<const typename Header::Slice> slices) {
  static_assert(sizeof(Header) % alignof(typename Header::Slice) == 0);
  const std::size_t size = sizeof(Header) + slices.size_bytes();
  void* memory = std::malloc(size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  auto* copy = new (memory) Header(header);
  copy->slice_count = static_cast<std::uint32_t>(slices.size());
  std::memcpy(static_cast<void*>(copy + 1), slices.data(), slices.size_bytes());
  task.cl_arg = memory;
  task.cl_arg_size = size;
  task.cl_arg_free = 1;
}

}  // namespace starhist::codelets
