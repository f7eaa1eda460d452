#include "tasks/runtime/worker_tasks.hh"

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include <starpu.h>

#include "tasks/runtime/check.hh"
#include "tasks/runtime/completion_monitor.hh"

namespace starhist::tasks {
namespace {

/// A call of run_on_workers(). It lives until all of its tasks have ended.
class WorkerCall {
 public:
  WorkerCall(std::size_t count, const std::function<void(std::size_t)>& work,
             const std::function<void()>& gpu_work)
      : count_(count), work_(work), gpu_work_(gpu_work) {}
  ~WorkerCall() { wait(); }
  WorkerCall(const WorkerCall&) = delete;
  WorkerCall& operator=(const WorkerCall&) = delete;

  /// Submits a task for this CPU worker, or this CUDA worker. Schedulers might give two
  /// tasks to one worker.
  void submit_to_cpu(int worker) { submit(cpu_codelet(), worker); }
  void submit_to_gpu(int worker) { submit(gpu_codelet(), worker); }

  /// Calls work() with the next indices, up to the last one, or until an exception.
  void work_on() noexcept {
    guarded([this] {
      for (std::size_t k = 0; !failed_ && (k = next_++) < count_;) {
        work_(k);
      }
    });
  }

  void wait() {
    monitor_.wait_until([this] { return running_ == 0; });
  }
  void rethrow_error() const {
    if (error_) {
      std::rethrow_exception(error_);
    }
  }

 private:
  void submit(starpu_codelet* codelet, int worker) {
    monitor_.update([this] { ++running_; });
    starpu_task* task = starpu_task_create();
    task->cl = codelet;
    task->cl_arg = this;
    task->execute_on_a_specific_worker = 1;
    task->workerid = static_cast<unsigned>(worker);
    const int code = starpu_task_submit(task);
    if (code != 0) {
      task->destroy = 0;
      starpu_task_destroy(task);
      end();
      check_starpu(code, "submit a task");
    }
  }

  static starpu_codelet* cpu_codelet() {
    static starpu_codelet codelet = [] {
      starpu_codelet c;
      starpu_codelet_init(&c);
      c.name = "work";
      c.cpu_funcs[0] = [](void** /*buffers*/, void* call) {
        static_cast<WorkerCall*>(call)->work_on();
        static_cast<WorkerCall*>(call)->end();
      };
      return c;
    }();
    return &codelet;
  }

  static starpu_codelet* gpu_codelet() {
    static starpu_codelet codelet = [] {
      starpu_codelet c;
      starpu_codelet_init(&c);
      c.name = "work on a GPU";
      c.cuda_funcs[0] = [](void** /*buffers*/, void* call) {
        auto& own = *static_cast<WorkerCall*>(call);
        own.guarded(own.gpu_work_);
        own.end();
      };
      return c;
    }();
    return &codelet;
  }

  /// Calls `function` and keeps the first exception.
  void guarded(const std::function<void()>& function) noexcept {
    try {
      function();
    } catch (...) {
      failed_ = true;
      monitor_.update([this] {
        if (!error_) {
          error_ = std::current_exception();
        }
      });
    }
  }

  /// The call may be destroyed as soon as the update ends.
  void end() {
    monitor_.update([this] { --running_; });
  }

  const std::size_t count_;
  const std::function<void(std::size_t)>& work_;
  const std::function<void()>& gpu_work_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> failed_ = false;
  CompletionMonitor monitor_;
  std::size_t running_ = 0;  ///< number of tasks that have not ended
  std::exception_ptr error_;
};

std::vector<int> workers_of_type(starpu_worker_archtype type) {
  std::vector<int> workers(STARPU_NMAXWORKERS);
  const unsigned count =
      starpu_worker_get_ids_by_type(type, workers.data(), STARPU_NMAXWORKERS);
  workers.resize(count);
  return workers;
}

/// The workers of a GPU share one thread of StarPU.
std::vector<int> one_worker_of_each_gpu() {
  std::vector<int> workers;
  for (const int worker : workers_of_type(STARPU_CUDA_WORKER)) {
    const int gpu = starpu_worker_get_devid(worker);
    if (starpu_worker_get_by_devid(STARPU_CUDA_WORKER, gpu) == worker) {
      workers.push_back(worker);
    }
  }
  return workers;
}

}  // namespace

std::size_t gpus_with_workers() {
  return one_worker_of_each_gpu().size();
}

void run_on_workers(std::size_t count, const std::function<void(std::size_t)>& work,
                    const std::function<void()>& gpu_work) {
  WorkerCall call(count, work, gpu_work);
  if (gpu_work) {
    for (const int worker : one_worker_of_each_gpu()) {
      call.submit_to_gpu(worker);
    }
  }
  std::vector<int> cpus = workers_of_type(STARPU_CPU_WORKER);
  if (cpus.empty()) {
    call.work_on();
  }
  cpus.resize(std::min(count, cpus.size()));
  for (const int worker : cpus) {
    call.submit_to_cpu(worker);
  }
  call.wait();
  call.rethrow_error();
}

}  // namespace starhist::tasks
