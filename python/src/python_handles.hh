#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "driver/capi/starhist.h"

namespace starhist::python {

/// Thrown when a function of libstarhist returns a status other than STARHIST_OK.
/// what() is libstarhist's message, with Python's names of functions.
class StatusError : public std::runtime_error {
 public:
  StatusError(starhist_status status, const std::string& text);
  starhist_status status() const { return status_; }

 private:
  starhist_status status_;
};

/// Throws StatusError unless `status` is STARHIST_OK. Must run in the thread that made
/// the call, because libstarhist keeps its message per thread.
void check(starhist_status status);

/// Starts StarPU with the first Context; StarPU stops when the last Context and the
/// last Histogram are gone.
class Context {
 public:
  Context(int cpu_workers, int gpus, const std::string& scheduler);
  starhist_context* get() const { return context_.get(); }
  std::size_t workers() const;

 private:
  std::unique_ptr<starhist_context, void (*)(starhist_context*)> context_;
};

}  // namespace starhist::python
