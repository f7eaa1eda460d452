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

/// Usual speed of a thread that shares its core with another, at 10 000 bins [pairs/s].
double usual_cpu_speed(Geometry geometry) {
  return is_far(geometry) ? 0.6e9 : 1.2e9;
}

/// Time of an evaluated pair on a CPU in spatial order relative to any order. Images
/// are searched for few pairs of clusters (docs/benchmarks/kernels-cpu.md); the value
/// is for AVX2.
double usual_cost_of_clusters(Geometry geometry) {
  return is_far(geometry) ? 0.33 : 1.15;
}

/// True if the codelet has a second implementation for GPUs, with the fixed-point
/// kernel (add_cuda_implementations()).
bool has_two_gpu_kernels(const ModelKey& key) {
  return key.cuda_variant == "auto" && key.geometry == Geometry::open &&
         key.order == Order::any;
}

/// Kernel of a GPU implementation of the codelet.
GpuKernel gpu_kernel(const ModelKey& key, unsigned implementation) {
  const bool tensor = key.cuda_variant == "auto" || key.cuda_variant == "tensor";
  if (!tensor || implementation > 0) {
    return GpuKernel::fixed_point;
  }
  return key.order == Order::spatial      ? GpuKernel::clusters
         : key.geometry == Geometry::open ? GpuKernel::tensor
                                          : GpuKernel::fixed_point;
}

constexpr double usual_cpu_overhead = 5e-6;  // per task [s]
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

void CountPairsModel::load(std::size_t workers_of_a_gpu,
                           const std::map<int, GpuProperties>& gpus) {
  workers_of_a_gpu_ = std::max(static_cast<double>(workers_of_a_gpu), 1.0);
  if (std::exchange(loaded_, true)) {
    return;
  }
  find_kinds(gpus);
  for (std::size_t k = 0; k < measured_frames.size(); ++k) {
    load_history(k);
  }
}

void CountPairsModel::find_kinds(const std::map<int, GpuProperties>& gpus) {
  for (const auto& [number, gpu] : gpus) {
    std::size_t kind = 1;
    while (!kinds_of_gpus_.empty() && kind < times_.size() && times_[kind].gpu != gpu) {
      ++kind;
    }
    if (kind == times_.size()) {
      times_.emplace_back();
    }
    times_[kind].gpu = gpu;
    kinds_of_gpus_[number] = kind;
  }
}

void CountPairsModel::load_history(std::size_t k) {
  starpu_perfmodel file{};
  if (starpu_perfmodel_load_symbol(symbols_[k].c_str(), &file) != 0) {
    return;
  }
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker) {
    const auto id = static_cast<int>(worker);
    Times& times = times_of({starpu_worker_get_type(id), starpu_worker_get_devid(id)});
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

SpeedSource CountPairsModel::source(Processor processor) const {
  constexpr int enough = 8;
  const Times& times = times_of(processor);
  if (!times.measured[0].empty()) {
    return SpeedSource::history;
  }
  if (times.observed >= enough) {
    return SpeedSource::this_run;
  }
  return other_order_ != nullptr &&
                 !other_order_->times_of(processor).measured[0].empty()
             ? SpeedSource::other_order
             : SpeedSource::properties;
}

double CountPairsModel::uncorrected(Processor processor, unsigned implementation,
                                    double pairs, std::uint32_t frames) const {
  const Times& times = times_of(processor);
  if (!times.measured[implementation].empty()) {
    return times.measured[implementation].seconds(pairs, frames);
  }
  const bool rated = processor.kind == STARPU_CUDA_WORKER && has_two_gpu_kernels(key_);
  if (implementation > 0 && (!times.measured[0].empty() || !rated)) {
    return unknown_implementation * uncorrected(processor, 0, pairs, frames);
  }
  const double usual = usual_seconds(processor, implementation, pairs, frames);
  if (other_order_ != nullptr) {
    const TaskTimes& other = other_order_->times_of(processor).measured[0];
    if (!other.empty()) {
      return usual / other_order_->usual_seconds(processor, 0, pairs, frames) *
             other.seconds(pairs, frames);
    }
  }
  return usual;
}

double CountPairsModel::usual_seconds(Processor processor, unsigned implementation,
                                      double pairs, std::uint32_t frames) const {
  if (processor.kind == STARPU_CUDA_WORKER) {
    return gpu_task_seconds(times_of(processor).gpu, gpu_kernel(key_, implementation),
                            key_.geometry, key_.bin_count, pairs, frames,
                            workers_of_a_gpu_);
  }
  const double cost =
      key_.order == Order::spatial ? usual_cost_of_clusters(key_.geometry) : 1.0;
  return usual_cpu_overhead +
         cost * pairs / (usual_cpu_speed(key_.geometry) * key_.threads);
}

/// Returns the other order's correction if neither order has a history and this one has
/// no tasks yet: the table is wrong for the whole GPU or processor.
double CountPairsModel::log_correction(Processor processor) const {
  const Times& times = times_of(processor);
  const bool borrowed = other_order_ != nullptr && times.observed == 0 &&
                        times.measured[0].empty() &&
                        other_order_->times_of(processor).measured[0].empty();
  return borrowed ? other_order_->times_of(processor).log_correction.load()
                  : times.log_correction.load();
}

double CountPairsModel::seconds(Processor processor, unsigned implementation,
                                double pairs, std::uint32_t frames) const {
  return uncorrected(processor, implementation, pairs, frames) *
         std::exp(log_correction(processor));
}

double CountPairsModel::seconds_of_fastest(Processor processor, double pairs,
                                           std::uint32_t frames) const {
  double least = seconds(processor, 0, pairs, frames);
  if (processor.kind == STARPU_CUDA_WORKER && has_two_gpu_kernels(key_)) {
    least = std::min(least, seconds(processor, 1, pairs, frames));
  }
  return least;
}

void CountPairsModel::observe(Processor processor, unsigned implementation,
                              double pairs, std::uint32_t frames, double seconds) {
  if (frozen_ || pairs <= 0.0 || seconds <= 0.0) {
    return;
  }
  // If two threads observe concurrently, one observation may be lost, which is
  // harmless.
  Times& times = times_of(processor);
  const double expected = uncorrected(processor, implementation, pairs, frames);
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
  const Processor processor(arch->devices[0].type, arch->devices[0].devid);
  return microseconds * model->seconds(processor, implementation,
                                       evaluated(size, processor.kind),
                                       size.frame_count);
}

}  // namespace starhist::perfmodels
