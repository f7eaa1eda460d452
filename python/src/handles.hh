#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "driver/capi/starhist.h"

namespace starhist::python {

/// A function of libstarhist has returned this status; what() is its sentence, in the
/// words of Python's functions.
class StatusError : public std::runtime_error {
 public:
  StatusError(starhist_status status, const std::string& text);
  starhist_status status() const { return status_; }

 private:
  starhist_status status_;
};

/// Throws StatusError unless `status` is STARHIST_OK. To be called in the thread of the
/// call.
void check(starhist_status status);

/// StarPU, started with the first object and stopped with the last of these and of the
/// histograms.
class Context {
 public:
  Context(int cpu_workers, int gpus, const std::string& scheduler);
  starhist_context* get() const { return context_.get(); }
  std::size_t workers() const;
  void pause();

 private:
  std::unique_ptr<starhist_context, void (*)(starhist_context*)> context_;
};

}  // namespace starhist::python
