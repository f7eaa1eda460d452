// Functions of starhist.h for library and context.
#include <mutex>

#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

const char* starhist_version() {
  return STARHIST_VERSION;
}

const char* starhist_status_name(int status) {
#define STARHIST_CASE(name) \
  case name:                \
    return #name
  switch (status) {
    STARHIST_CASE(STARHIST_OK);
    STARHIST_CASE(STARHIST_NULL_POINTER);
    STARHIST_CASE(STARHIST_BAD_ARGUMENT);
    STARHIST_CASE(STARHIST_UNKNOWN_PAIR);
    STARHIST_CASE(STARHIST_BAD_POSITION);
    STARHIST_CASE(STARHIST_BAD_BOX);
    STARHIST_CASE(STARHIST_BAD_COUNT);
    STARHIST_CASE(STARHIST_BAD_LABEL);
    STARHIST_CASE(STARHIST_BAD_SIZE);
    STARHIST_CASE(STARHIST_WRONG_STATE);
    STARHIST_CASE(STARHIST_NO_VOLUME);
    STARHIST_CASE(STARHIST_NO_FRAMES);
    STARHIST_CASE(STARHIST_OUT_OF_MEMORY);
    STARHIST_CASE(STARHIST_STARPU_FAILED);
    STARHIST_CASE(STARHIST_STARPU_SHARED);
    STARHIST_CASE(STARHIST_FORKED);
    STARHIST_CASE(STARHIST_FILE_ERROR);
    STARHIST_CASE(STARHIST_BROKEN);
    STARHIST_CASE(STARHIST_INTERNAL_ERROR);
    STARHIST_CASE(STARHIST_NO_GPU);
    default:
      return "unknown status";
  }
#undef STARHIST_CASE
}

const char* starhist_last_error() {
  return last_error();
}

void starhist_set_last_error(const char* text) {
  keep_error(text == nullptr ? "" : text);
}

starhist_status starhist_context_create(int cpu_workers, int gpus,
                                        const char* scheduler, unsigned flags,
                                        starhist_context** context) {
  return guarded([&] {
    check_pointer(context, "context");
    auto created = std::make_shared<Context>(
        cpu_workers, gpus, scheduler == nullptr ? "" : scheduler, flags);
    *context = new starhist_context{std::move(created)};
  });
}

void starhist_context_destroy(starhist_context* context) {
  if (context != nullptr && !context->context->in_other_process()) {
    static_cast<void>(guarded([&] { delete context; }));
  }
}

starhist_status starhist_context_workers(const starhist_context* context,
                                         size_t* cpu_workers, size_t* gpu_workers,
                                         int* shared) {
  return guarded([&] {
    check_pointer(context, "context");
    context->context->check_process();
    const tasks::Runtime& runtime = context->context->runtime();
    if (cpu_workers != nullptr) {
      *cpu_workers = runtime.cpu_workers();
    }
    if (gpu_workers != nullptr) {
      *gpu_workers = runtime.cuda_workers();
    }
    if (shared != nullptr) {
      *shared = runtime.shared() ? 1 : 0;
    }
  });
}

starhist_status starhist_context_pause(starhist_context* context) {
  return guarded([&] {
    check_pointer(context, "context");
    context->context->check_process();
    const std::lock_guard lock(context->context->mutex());
    context->context->pause();
  });
}

starhist_status starhist_context_resume(starhist_context* context) {
  return guarded([&] {
    check_pointer(context, "context");
    context->context->check_process();
    const std::lock_guard lock(context->context->mutex());
    context->context->resume();
  });
}
