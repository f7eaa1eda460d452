#include "tasks/runtime/completion_monitor.hh"

#include <cstring>
#include <string>

#include <starpu.h>

#include "codelets/core/base/error.hh"

namespace starhist::tasks {
namespace {

void check(int code, const char* call) {
  if (code != 0) {
    throw InternalError(std::string(call) + ": " + std::strerror(code));
  }
}

}  // namespace

struct CompletionMonitor::State {
  starpu_pthread_mutex_t mutex;
  starpu_pthread_cond_t condition;
};

CompletionMonitor::CompletionMonitor() : state_(std::make_unique<State>()) {
  check(starpu_pthread_mutex_init(&state_->mutex, nullptr),
        "starpu_pthread_mutex_init");
  check(starpu_pthread_cond_init(&state_->condition, nullptr),
        "starpu_pthread_cond_init");
}

// Unlocking and destroying fail only for invalid locks.
CompletionMonitor::~CompletionMonitor() {
  starpu_pthread_cond_destroy(&state_->condition);
  starpu_pthread_mutex_destroy(&state_->mutex);
}

void CompletionMonitor::lock() {
  check(starpu_pthread_mutex_lock(&state_->mutex), "starpu_pthread_mutex_lock");
}

void CompletionMonitor::unlock() {
  starpu_pthread_mutex_unlock(&state_->mutex);
}

void CompletionMonitor::wake() {
  check(starpu_pthread_cond_broadcast(&state_->condition),
        "starpu_pthread_cond_broadcast");
}

void CompletionMonitor::sleep() {
  check(starpu_pthread_cond_wait(&state_->condition, &state_->mutex),
        "starpu_pthread_cond_wait");
}

}  // namespace starhist::tasks
