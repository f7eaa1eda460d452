#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <sys/types.h>

#include "tasks/runtime/runtime.hh"
#include "tasks/runtime/worker_rest.hh"

namespace starhist::capi {

/// StarPU for the histograms of a process. Histograms share it, so that StarPU stops
/// after the last of them.
class Context {
 public:
  /// See starhist_context_create(). Throws CallError, InputError and RunError.
  Context(int cpu_workers, int gpus, const std::string& scheduler, unsigned flags);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const tasks::Runtime& runtime() const { return *runtime_; }

  /// Throws CallError in a process that fork() created from the one that constructed
  /// this.
  void check_process() const;
  bool in_other_process() const;

  /// Held during every call.
  std::mutex& mutex() { return mutex_; }

  /// Keeps workers awake during its lifetime.
  class Use {
   public:
    explicit Use(Context& context) {
      if (context.rest_) {
        use_.emplace(*context.rest_);
      }
    }

   private:
    std::optional<tasks::WorkerRest::Use> use_;
  };

  /// See starhist_context_pause() and starhist_context_resume().
  void pause();
  void resume();

 private:
  /// Marks that the process has a context, during its lifetime. The constructor throws
  /// CallError if this process, or one that has forked it, has one already.
  class Only {
   public:
    Only();
    ~Only();
    Only(const Only&) = delete;
    Only& operator=(const Only&) = delete;
  };
  void check_own_starpu() const;

  Only only_;
  const pid_t process_;
  std::mutex mutex_;
  std::unique_ptr<tasks::Runtime> runtime_;
  std::unique_ptr<tasks::WorkerRest> rest_;  ///< null: workers stay awake
};

}  // namespace starhist::capi
