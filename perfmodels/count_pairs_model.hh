#pragma once

#include <array>
#include <atomic>
#include <string>

#include <starpu.h>

#include "perfmodels/speed_table.hh"
#include "perfmodels/work_class.hh"

namespace starhist::perfmodels {

/// All that sets the speed of a counting codelet, besides the sizes of its tasks.
struct ModelKey {
  PairKind pairs = PairKind::like;
  Geometry geometry = Geometry::open;
  std::uint32_t bin_count = 10'000;
  std::string cpu_variant = "baseline";
  int threads = 1;
  std::string cuda_variant = "auto";
  Order order = Order::any;

  /// count_pairs_<like|unlike>_<geometry>_<bin class>bins_<cpu variant>_<n>threads, the
  /// CUDA variant if one is forced, and tiled for particles in spatial order.
  std::string symbol() const;
};

/// Performance model of one counting codelet: seconds from the pairs that are
/// evaluated.
///
/// The times come from the history that StarPU keeps for the symbol, a file per machine
/// in STARPU_PERF_MODEL_DIR; without one, from that of the other order, and what
/// clusters cost on common hardware; without any, from rough speeds of such. While a
/// run goes on, observe() corrects them, a factor per kind of worker, unless
/// STARPU_CALIBRATE=0 asks for frozen models. With STARPU_CALIBRATE=1 or 2 StarPU
/// itself records and predicts, by exact size.
///
/// StarPU keeps the models until starpu_shutdown: this object must live longer.
class CountPairsModel : public starpu_perfmodel {
 public:
  /// Implementations of the codelet for one kind of worker.
  static constexpr unsigned most_implementations = 2;

  explicit CountPairsModel(const ModelKey& key);
  CountPairsModel(const CountPairsModel&) = delete;
  CountPairsModel& operator=(const CountPairsModel&) = delete;

  const std::string& name() const { return symbol_; }

  /// Reads what StarPU knows about the workers that run, so many of which share each
  /// GPU. Call it after starpu_init.
  void load(std::size_t workers_of_a_gpu);
  /// Of the same work in the other order, which has to live as long.
  void fall_back_on(const CountPairsModel& other) { other_order_ = &other; }
  /// Whether predictions for such workers rest on measurements in this order, earlier
  /// ones or those of this run.
  bool known(starpu_worker_archtype kind) const;

  /// What the time of a task goes by, on such workers.
  static double evaluated(const WorkSize& size, starpu_worker_archtype kind) {
    return static_cast<double>(kind == STARPU_CUDA_WORKER ? size.evaluated_by_gpu
                                                          : size.evaluated);
  }
  /// Predicted time of a task of so many evaluated pairs.
  double seconds(starpu_worker_archtype kind, unsigned implementation,
                 double pairs) const;

  /// A task of so many evaluated pairs took `seconds`. From any thread.
  void observe(starpu_worker_archtype kind, unsigned implementation, double pairs,
               double seconds);

 private:
  struct Times {
    std::array<SpeedTable, most_implementations> table;
    // Of all implementations, or one that was slow at first, when others were not
    // tried, would never be tried again.
    std::atomic<int> observed{0};
    std::atomic<double> log_correction{0.0};
    std::atomic<double> longest{0.0};  ///< of the observed: seconds, uncorrected
  };
  static std::size_t row(starpu_worker_archtype kind) {
    return kind == STARPU_CUDA_WORKER ? 1 : 0;
  }
  double uncorrected(starpu_worker_archtype kind, unsigned implementation,
                     double pairs) const;
  static double cost(starpu_task* task, starpu_perfmodel_arch* arch,
                     unsigned implementation);

  ModelKey key_;
  double workers_of_a_gpu_ = 1.0;
  std::string symbol_;
  const CountPairsModel* other_order_ = nullptr;
  bool frozen_ = false;
  std::array<Times, 2> times_;  // by row()
};

}  // namespace starhist::perfmodels
