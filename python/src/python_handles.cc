#include "python/src/python_handles.hh"

#include <array>
#include <utility>

namespace starhist::python {
namespace {

/// C functions named in messages of libstarhist, and their counterparts in Python.
constexpr std::array<std::pair<const char*, const char*>, 5> words{{
    {"starhist_set_frames_per_block(histogram, 1)", "frames_per_block=1"},
    {"starhist_set_periodic", "periodic="},
    {"starhist_set_memory", "memory="},
    {"call starhist_reset", "call reset()"},
    {"STARHIST_BOX_NONE", "box=None"},
}};

std::string in_words_of_python(std::string text) {
  for (const auto& [of_c, of_python] : words) {
    for (std::size_t at = text.find(of_c); at != std::string::npos;
         at = text.find(of_c, at)) {
      text.replace(at, std::string(of_c).size(), of_python);
    }
  }
  return text;
}

}  // namespace

StatusError::StatusError(starhist_status status, const std::string& text)
    : std::runtime_error(in_words_of_python(text)), status_(status) {}

void check(starhist_status status) {
  if (status != STARHIST_OK) {
    throw StatusError(status, starhist_last_error());
  }
}

Context::Context(int cpu_workers, int gpus, const std::string& scheduler)
    : context_(nullptr, starhist_context_destroy) {
  starhist_context* created = nullptr;
  check(starhist_context_create(
      cpu_workers, gpus, scheduler.empty() ? nullptr : scheduler.c_str(), 0, &created));
  context_.reset(created);
}

std::size_t Context::workers() const {
  std::size_t cpu_workers = 0;
  std::size_t gpu_workers = 0;
  check(starhist_context_workers(get(), &cpu_workers, &gpu_workers, nullptr));
  return cpu_workers + gpu_workers;
}

}  // namespace starhist::python
