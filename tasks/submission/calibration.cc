#include "tasks/submission/calibration.hh"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>

#include "codelets/core/base/error.hh"
#include "codelets/count_pairs_codelet.hh"
#include "codelets/kernels/clusters/spatial_order.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/planning/cluster_cost.hh"
#include "tasks/runtime/check.hh"
#include "tasks/runtime/data_handle.hh"

namespace starhist::tasks {
namespace {

/// Collects the times of tasks from StarPU's threads.
struct Stopwatch {
  std::mutex mutex;
  std::vector<double> seconds;

  static void task_ended(void* stopwatch) noexcept {
    auto& self = *static_cast<Stopwatch*>(stopwatch);
    if (const auto record = codelets::record_of(*starpu_task_get_current())) {
      const std::lock_guard lock(self.mutex);
      self.seconds.push_back(record->end - record->start);
    }
  }
};

DataHandle register_positions(const CalibrationWork& work,
                              std::span<const double> positions, bool gpus) {
  const std::size_t size = positions.size();
  return make_filled_vector<double>(
      size * work.frames(), "allocate positions", [&](double* target) {
        if (work.order == perfmodels::Order::spatial) {
          kernels::copy_in_spatial_order(
              {positions.data(), positions.size() / 3}, work.box.minimum_image(),
              gpus ? kernels::ClusterAxes::cartesian : kernels::ClusterAxes::lattice,
              target);
        } else {
          std::copy(positions.begin(), positions.end(), target);
        }
        for (std::uint32_t frame = 1; frame < work.frames(); ++frame) {
          std::copy_n(target, size, target + frame * size);
        }
      });
}

perfmodels::WorkSize size_of(const CalibrationWork& work) {
  const std::uint64_t pairs = work.frames() * work.pair_count();
  perfmodels::WorkSize size{pairs, pairs, pairs, work.bins.count, work.frames()};
  if (work.order == perfmodels::Order::spatial) {
    Frame frame;
    frame.box = work.box;
    frame.positions.emplace_back(work.first.begin(), work.first.end());
    frame.positions.emplace_back(work.second.begin(), work.second.end());
    const std::size_t first = work.first.size() / 3;
    const std::size_t second =
        work.pairs == perfmodels::PairKind::like ? first : work.second.size() / 3;
    ClusterCostModel(frame, work.bins.r_max)
        .set_evaluated(work.pairs, first, second, size);
  }
  return size;
}

/// The sum of all counts.
std::uint64_t sum_of(starpu_data_handle_t counts) {
  check_starpu(starpu_data_acquire(counts, STARPU_R), "collect counts");
  const auto* begin =
      reinterpret_cast<const std::uint64_t*>(starpu_vector_get_local_ptr(counts));
  const std::uint64_t sum =
      std::accumulate(begin, begin + starpu_vector_get_nx(counts), std::uint64_t{0});
  starpu_data_release(counts);
  return sum;
}

std::vector<codelets::FrameSlice> slices_of(const CalibrationWork& work) {
  codelets::FrameSlice slice;
  slice.image = work.box.minimum_image();
  slice.first_count = work.first.size() / 3;
  slice.row_end = slice.first_count;
  slice.bounds.add({work.first.data(), slice.first_count}, 0, slice.first_count);
  slice.second_count = slice.first_count;
  if (work.pairs == perfmodels::PairKind::unlike) {
    slice.second_count = work.second.size() / 3;
    slice.bounds.add({work.second.data(), slice.second_count}, 0, slice.second_count);
  }
  std::vector<codelets::FrameSlice> slices;
  for (std::uint32_t frame = 0; frame < work.frames(); ++frame) {
    slices.push_back(slice);
    slice.first_offset += slice.first_count;
    slice.second_offset += slice.second_count;
  }
  return slices;
}

}  // namespace

std::uint64_t CalibrationWork::pair_count() const {
  const std::uint64_t n = first.size() / 3;
  return pairs == perfmodels::PairKind::like
             ? n * (n - std::min<std::uint64_t>(n, 1)) / 2
             : n * (second.size() / 3);
}

std::vector<double> time_tasks(Runtime& runtime, const CalibrationWork& work,
                               std::span<const int> workers, unsigned implementation,
                               int repeat) {
  const std::vector<codelets::FrameSlice> slices = slices_of(work);
  codelets::RunStatus status(runtime.workers().size());
  codelets::CountPairsArgs args;
  const bool gpus = runtime.gpus() > 0;
  args.size = size_of(work);
  args.bins = work.bins;
  args.kind = work.pairs;
  args.threads = runtime.threads_per_worker();
  args.status = &status;
  const bool clustered = work.order == perfmodels::Order::spatial;
  args.clustered = clustered ? 1 : 0;
  codelets::CountPairsCodelet& counting = runtime.count_pairs(
      work.pairs, perfmodels::geometry_of(work.box, work.bins), work.order);
  starpu_codelet* codelet =
      work.measurement > 0 ? counting.of_frames(work.measurement) : counting.get();
  std::optional<codelets::GpuScratch> scratch;
  if (clustered && gpus) {
    args.scratch = &scratch.emplace(codelets::GpuScratch::bytes_for(
        work.frames(), slices.front().first_count, work.second.size() / 3));
  }

  Stopwatch stopwatch;
  struct Guard {  // even after an exception, tasks must end before their data
    ~Guard() { starpu_task_wait_for_all(); }
  } const guard;
  std::vector<DataHandle> handles;
  handles.push_back(register_positions(work, work.first, gpus));
  if (work.pairs == perfmodels::PairKind::unlike) {
    handles.push_back(register_positions(work, work.second, gpus));
  }
  handles.push_back(make_vector_handle<std::uint64_t>(work.bins.count + 1ULL));
  starpu_data_set_reduction_methods(handles.back().get(),
                                    codelets::merge_counts_codelet(),
                                    codelets::zero_counts_codelet());
  for (int round = 0; round < repeat; ++round) {
    for (const int worker : workers) {
      starpu_task* task = starpu_task_create();
      task->cl = codelet;
      codelets::set_task_args(*task, args, slices);
      for (std::size_t k = 0; k < handles.size(); ++k) {
        task->handles[k] = handles[k].get();
      }
      task->flops =
          perfmodels::CountPairsModel::evaluated(args.size, STARPU_CUDA_WORKER);
      task->execute_on_a_specific_worker = 1;
      task->workerid = static_cast<unsigned>(worker);
      task->callback_func = Stopwatch::task_ended;
      task->callback_arg = &stopwatch;
      starpu_task_set_implementation(task, implementation);
      check_starpu(starpu_task_submit(task), "submit a measurement");
    }
  }
  const std::uint64_t counted = sum_of(handles.back().get());
  check_starpu(starpu_task_wait_for_all(), "wait for its tasks");
  status.rethrow_error();
  const std::uint64_t expected =
      args.size.pairs * workers.size() * static_cast<std::uint64_t>(repeat);
  if (counted != expected) {
    throw InternalError("measurements counted " + std::to_string(counted) + " of " +
                        std::to_string(expected) + " pairs");
  }
  return stopwatch.seconds;
}

}  // namespace starhist::tasks
