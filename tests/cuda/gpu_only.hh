#pragma once

#include "tests/cuda/device_kernel.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {

/// Returns true, and notifies CTest, if a test needs a GPU and there is none.
inline bool skipped() {
  if (!has_gpu()) {
    WARN("SKIPPED: no GPU");
    return true;
  }
  return false;
}

}  // namespace starhist::testing
