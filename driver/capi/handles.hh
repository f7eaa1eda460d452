#pragma once

#include <memory>
#include <mutex>

#include "driver/capi/call.hh"
#include "driver/capi/capi_histogram.hh"
#include "driver/capi/context.hh"

struct starhist_context {
  std::shared_ptr<starhist::capi::Context> context;
};

struct starhist_histogram {
  starhist::capi::Histogram histogram;
};

namespace starhist::capi {

/// guarded() for a function of a histogram: checks the handle and the process, and
/// excludes other threads.
template <class Body>
starhist_status with_histogram(starhist_histogram* handle, Body body) noexcept {
  return guarded([&] {
    check_pointer(handle, "histogram");
    Histogram& histogram = handle->histogram;
    histogram.context().check_process();
    const std::lock_guard lock(histogram.context().mutex());
    body(histogram);
  });
}

}  // namespace starhist::capi
