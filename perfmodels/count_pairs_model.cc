#include "perfmodels/count_pairs_model.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace starhist::perfmodels {
namespace {

/// StarPU's key of tasks of the same size.
std::uint32_t footprint(starpu_task* task) {
  const auto& size = *static_cast<const WorkSize*>(task->cl_arg);
  std::uint32_t hash =
      starpu_hash_crc32c_be_n(&size.evaluated, sizeof(size.evaluated), 0);
  hash = starpu_hash_crc32c_be_n(&size.evaluated_by_gpu, sizeof(size.evaluated_by_gpu),
                                 hash);
  hash = starpu_hash_crc32c_be(size.bin_count, hash);
  return starpu_hash_crc32c_be(size.frame_count, hash);
}

/// Value of STARPU_CALIBRATE, or -1 if it is not set.
int calibrate_setting() {
  const char* text = std::getenv("STARPU_CALIBRATE");
  return text == nullptr ? -1 : std::atoi(text);
}

/// Default speeds without measurements [pairs/s]: of a thread that shares its core with
/// another, and of an H100, at 10 000 bins.
double usual_cpu_speed(Geometry geometry) {
  return geometry == Geometry::triclinic_far ? 0.6e9 : 1.2e9;
}
double usual_gpu_speed(Geometry geometry) {
  switch (geometry) {
    case Geometry::open:
      return 2.0e12;
    case Geometry::orthorhombic:
      return 1.05e12;
    case Geometry::triclinic:
      return 9.4e11;
    case Geometry::triclinic_far:
      return 3.8e11;
  }
  return 1e11;
}

/// Time of an evaluated pair in spatial order relative to any order. A GPU counts
/// clusters at about the same speed in all boxes; in any order, open boxes are faster
/// and image searches much slower (docs/benchmarks/kernels-gpu.md). CPUs search images
/// for few pairs of clusters (docs/benchmarks/kernels-cpu.md); the value is for AVX2.
double usual_cost_of_clusters(starpu_worker_archtype kind, Geometry geometry) {
  const bool gpu = kind == STARPU_CUDA_WORKER;
  switch (geometry) {
    case Geometry::open:
      return gpu ? 1.13 : 1.15;
    case Geometry::orthorhombic:
      return gpu ? 0.45 : 1.15;
    case Geometry::triclinic:
      return gpu ? 0.40 : 1.15;
    case Geometry::triclinic_far:
      return gpu ? 0.20 : 0.33;
  }
  return 1.0;
}

constexpr double usual_cpu_overhead = 5e-6;  // per task [s]
constexpr double usual_gpu_overhead = 2e-5;  // per task [s]
/// Time of an implementation that was never measured, relative to the first one, so
/// that the first one is tried first.
constexpr double unknown_implementation = 2.0;

}  // namespace

std::string ModelKey::symbol() const {
  return "count_pairs_" + to_string(pairs) + "_" + to_string(geometry) + "_" +
         std::to_string(bin_class(bin_count)) + "bins_" + cpu_variant + "_" +
         std::to_string(threads) + "threads" +
         (cuda_variant == "auto" ? "" : "_" + cuda_variant) +
         (order == Order::spatial ? "_tiled" : "");
}

CountPairsModel::CountPairsModel(const ModelKey& key) : starpu_perfmodel{}, key_(key) {
  const int calibrate = calibrate_setting();
  frozen_ = calibrate == 0;
  symbols_[0] = key.symbol();
  symbol = symbols_[0].c_str();
  starpu_perfmodel::footprint = perfmodels::footprint;
  if (calibrate > 0) {
    type = STARPU_HISTORY_BASED;
  } else {
    type = STARPU_PER_ARCH;
    arch_cost_function = cost;
  }
  for (std::size_t k = 1; k < measured_frames.size(); ++k) {
    symbols_[k] = symbols_[0] + "_" + std::to_string(measured_frames[k]) + "frames";
    of_frames_[k].symbol = symbols_[k].c_str();
    of_frames_[k].footprint = perfmodels::footprint;
    of_frames_[k].type = STARPU_HISTORY_BASED;
  }
}

void CountPairsModel::load(std::size_t workers_of_a_gpu) {
  workers_of_a_gpu_ = std::max(static_cast<double>(workers_of_a_gpu), 1.0);
  if (std::exchange(loaded_, true)) {
    return;
  }
  for (std::size_t k = 0; k < measured_frames.size(); ++k) {
    load_history(k);
  }
}

void CountPairsModel::load_history(std::size_t k) {
  starpu_perfmodel file{};
  if (starpu_perfmodel_load_symbol(symbols_[k].c_str(), &file) != 0) {
    return;
  }
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    const auto id = static_cast<int>(worker);
    Times& times = times_[row(starpu_worker_get_type(id))];
    for (unsigned implementation = 0; implementation < most_implementations;
         ++implementation) {
      SpeedTable& table = times.measured[implementation].of_frames(k);
      if (!table.empty()) {
        continue;  // an earlier worker was of the same kind
      }
      const starpu_perfmodel_per_arch* arch = starpu_perfmodel_get_model_per_arch(
          &file, starpu_worker_get_perf_archtype(id, STARPU_NMAX_SCHED_CTXS),
          implementation);
      for (const auto* item = arch == nullptr ? nullptr : arch->list; item != nullptr;
           item = item->next) {
        if (item->entry->nsample > 0) {
          table.add(item->entry->flops, 1e-6 * item->entry->mean);
        }
      }
    }
  }
  starpu_perfmodel_unload_model(&file);
}

bool CountPairsModel::known(starpu_worker_archtype kind) const {
  constexpr int enough = 8;
  const Times& times = times_[row(kind)];
  return !times.measured[0].empty() || times.observed >= enough;
}

double CountPairsModel::uncorrected(starpu_worker_archtype kind,
                                    unsigned implementation, double pairs,
                                    std::uint32_t frames) const {
  const TaskTimes& times = times_[row(kind)].measured[implementation];
  if (!times.empty()) {
    return times.seconds(pairs, frames);
  }
  if (implementation > 0) {
    return unknown_implementation * uncorrected(kind, 0, pairs, frames);
  }
  const bool clustered = key_.order == Order::spatial;
  const double cost = usual_cost_of_clusters(kind, key_.geometry);
  if (other_order_ != nullptr) {
    const TaskTimes& other = other_order_->times_[row(kind)].measured[0];
    if (!other.empty()) {
      return (clustered ? cost : 1.0 / cost) * other.seconds(pairs, frames);
    }
  }
  const double work = clustered ? cost * pairs : pairs;
  return kind == STARPU_CUDA_WORKER
             ? usual_gpu_overhead +
                   workers_of_a_gpu_ * work / usual_gpu_speed(key_.geometry)
             : usual_cpu_overhead +
                   work / (usual_cpu_speed(key_.geometry) * key_.threads);
}

double CountPairsModel::seconds(starpu_worker_archtype kind, unsigned implementation,
                                double pairs, std::uint32_t frames) const {
  return uncorrected(kind, implementation, pairs, frames) *
         std::exp(times_[row(kind)].log_correction.load());
}

void CountPairsModel::observe(starpu_worker_archtype kind, unsigned implementation,
                              double pairs, std::uint32_t frames, double seconds) {
  if (frozen_ || pairs <= 0.0 || seconds <= 0.0) {
    return;
  }
  // If two threads observe concurrently, one observation may be lost, which is
  // harmless.
  Times& times = times_[row(kind)];
  const double expected = uncorrected(kind, implementation, pairs, frames);
  const double error = std::log(seconds / expected) - times.log_correction.load();
  // The time of tiny tasks is overhead, whose error does not apply to large tasks.
  constexpr double much_longer = 4.0;
  if (expected > much_longer * times.longest) {
    times.observed = 0;
  }
  times.longest = std::max(times.longest.load(), expected);
  const double importance = std::min(much_longer * expected / times.longest, 1.0);
  // Earlier measurements are corrected only slowly, because the first tasks include
  // loading code. Without earlier measurements, the first observations move the
  // correction as far as needed, and later ones little, because a task may have been
  // interrupted.
  constexpr int first_ones = 4;
  const int observed = importance == 1.0 ? times.observed.fetch_add(1) : first_ones;
  const bool measured = !times.measured[0].empty();
  if (measured && observed < first_ones) {
    return;
  }
  const double weight = measured                ? 0.1
                        : observed < first_ones ? 1.0 / (1.0 + observed)
                                                : 0.2;
  const double most = measured ? 1.0 : observed < first_ones ? 3.0 : 0.5;
  times.log_correction = times.log_correction.load() +
                         importance * weight * std::clamp(error, -most, most);
}

double CountPairsModel::cost(starpu_task* task, starpu_perfmodel_arch* arch,
                             unsigned implementation) {
  constexpr double microseconds = 1e6;
  const auto* model = static_cast<const CountPairsModel*>(task->cl->model);
  const auto& size = *static_cast<const WorkSize*>(task->cl_arg);
  const starpu_worker_archtype kind = arch->devices[0].type;
  return microseconds *
         model->seconds(kind, implementation, evaluated(size, kind), size.frame_count);
}

}  // namespace starhist::perfmodels
