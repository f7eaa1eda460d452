#pragma once

#include <starpu.h>

namespace starhist::codelets {

/// The numbers of a vector handle, in the memory of the worker that has the task.
template <class Number>
Number* pointer_to(void* buffer) {
  return reinterpret_cast<Number*>(STARPU_VECTOR_GET_PTR(buffer));
}

}  // namespace starhist::codelets
