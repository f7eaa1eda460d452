#pragma once

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include <starpu.h>

#include "perfmodels/gpu_speeds.hh"
#include "perfmodels/task_times.hh"
#include "perfmodels/work_class.hh"

namespace starhist::perfmodels {

/// The choices, apart from the sizes of tasks, that determine the speed of a counting
/// codelet.
struct ModelKey {
  PairKind pairs = PairKind::like;
  Geometry geometry = Geometry::open;
  std::uint32_t bin_count = 10'000;
  std::string cpu_variant = "baseline";  ///< kernels::cpu::Variant::name
  int threads = 1;                       ///< threads of a CPU worker [>= 1]
  std::string cuda_variant = "auto";     ///< kernels::cuda::parse_variant()
  Order order = Order::any;

  /// Model symbol: count_pairs_<like|unlike>_<geometry>_<bin class>bins_<cpu
  /// variant>_<n>threads, then _<CUDA variant> unless it is "auto", then _tiled for
  /// particles in spatial order.
  std::string symbol() const;
};

/// A processor on which tasks run: a core, or one of the GPUs.
struct Processor {
  // NOLINTNEXTLINE(google-explicit-constructor): a kind is its first processor
  Processor(starpu_worker_archtype type, int number = 0) : kind(type), gpu(number) {}

  starpu_worker_archtype kind;
  int gpu;  ///< StarPU's number of the device; only for STARPU_CUDA_WORKER
};

/// Performance model of one counting codelet: predicts the time of a task from its
/// numbers of evaluated pairs and of frames.
///
/// The times come from StarPU's histories, files per machine in STARPU_PERF_MODEL_DIR:
/// <symbol> for tasks of one frame, <symbol>_32frames and <symbol>_8frames (TaskTimes).
/// Without a history of the symbol they come from the model of the other order and
/// usual ratios of the two; without that, from the properties of the GPU
/// (gpu_task_seconds()) or the speed of common processors. During a run observe()
/// corrects them, by a factor for cores and one for each kind of GPU, unless
/// STARPU_CALIBRATE=0 freezes the models. With STARPU_CALIBRATE=1 or 2 StarPU itself
/// records and predicts, for each exact size.
///
/// StarPU refers to the model until starpu_shutdown(), so this object must live longer.
class CountPairsModel : public starpu_perfmodel {
 public:
  /// Largest number of implementations of the codelet for one kind of worker.
  static constexpr unsigned most_implementations = 2;

  /// Reads STARPU_CALIBRATE.
  explicit CountPairsModel(const ModelKey& key);
  CountPairsModel(const CountPairsModel&) = delete;
  CountPairsModel& operator=(const CountPairsModel&) = delete;

  const std::string& name() const { return symbols_[0]; }  ///< the model symbol
  /// The model of tasks of measured_frames[k] frames, k > 0, while they are measured:
  /// StarPU's history of them.
  starpu_perfmodel& of_frames(std::size_t k) { return of_frames_[k]; }

  /// Reads StarPU's history for the running workers. `gpus`: properties of the GPUs by
  /// StarPU's numbers; equal ones share their times. workers_of_a_gpu: number of
  /// workers that share each GPU. Call it after starpu_init().
  void load(std::size_t workers_of_a_gpu, const std::map<int, GpuProperties>& gpus);
  /// Sets the model of the same work in the other order, which must live as long as
  /// this one.
  void fall_back_on(const CountPairsModel& other) { other_order_ = &other; }
  /// Basis of the predictions for a processor: this_run after eight tasks.
  SpeedSource source(Processor processor) const;

  /// Number of evaluated pairs of a task on a kind of worker.
  static double evaluated(const WorkSize& size, starpu_worker_archtype kind) {
    return static_cast<double>(kind == STARPU_CUDA_WORKER ? size.evaluated_by_gpu
                                                          : size.evaluated);
  }
  /// Predicted time of a task with `pairs` evaluated pairs in `frames` frames (>= 1) of
  /// about equal size [s], with one of the codelet's implementations.
  double seconds(Processor processor, unsigned implementation, double pairs,
                 std::uint32_t frames = 1) const;
  /// Predicted time with the fastest implementation [s].
  double seconds_of_fastest(Processor processor, double pairs,
                            std::uint32_t frames = 1) const;

  /// Corrects predictions after a task with `pairs` evaluated pairs in `frames` frames
  /// took `seconds`. Thread-safe. Has no effect on frozen models.
  void observe(Processor processor, unsigned implementation, double pairs,
               std::uint32_t frames, double seconds);

 private:
  /// Times on cores, or on GPUs of one kind.
  struct Times {
    GpuProperties gpu;                                     ///< not for cores
    std::array<TaskTimes, most_implementations> measured;  ///< by implementation
    // One correction for all implementations: with separate ones, an implementation
    // that was slow in the first tasks would never be tried again.
    std::atomic<int> observed{0};             ///< number of large tasks observed
    std::atomic<double> log_correction{0.0};  ///< natural logarithm of the factor
    std::atomic<double> longest{0.0};         ///< longest uncorrected time of these [s]
  };
  const Times& times_of(Processor processor) const {
    return times_[processor.kind != STARPU_CUDA_WORKER ? 0
                  : kinds_of_gpus_.contains(processor.gpu)
                      ? kinds_of_gpus_.at(processor.gpu)
                      : 1];
  }
  Times& times_of(Processor processor) {
    return const_cast<Times&>(std::as_const(*this).times_of(processor));
  }
  void find_kinds(const std::map<int, GpuProperties>& gpus);
  /// Adds StarPU's history of tasks of measured_frames[k] frames.
  void load_history(std::size_t k);
  /// Predicted time without observe()'s correction [s].
  double uncorrected(Processor processor, unsigned implementation, double pairs,
                     std::uint32_t frames) const;
  /// Natural logarithm of the factor that corrects uncorrected().
  double log_correction(Processor processor) const;
  /// Time of a task without measurements [s].
  double usual_seconds(Processor processor, unsigned implementation, double pairs,
                       std::uint32_t frames) const;
  /// StarPU's cost function [microseconds].
  static double cost(starpu_task* task, starpu_perfmodel_arch* arch,
                     unsigned implementation);

  ModelKey key_;
  double workers_of_a_gpu_ = 1.0;
  bool loaded_ = false;
  std::array<std::string, measured_frames.size()> symbols_;
  std::array<starpu_perfmodel, measured_frames.size()> of_frames_{};  // from 1 on
  const CountPairsModel* other_order_ = nullptr;
  bool frozen_ = false;                       ///< STARPU_CALIBRATE=0
  std::deque<Times> times_{2};                ///< of cores, then of each kind of GPU
  std::map<int, std::size_t> kinds_of_gpus_;  ///< places in times_, by StarPU's number
};

}  // namespace starhist::perfmodels
