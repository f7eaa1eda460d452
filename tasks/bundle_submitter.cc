#include "tasks/bundle_submitter.hh"

#include <algorithm>
#include <atomic>
#include <bit>

#include "codelets/kernels/count_pairs.hh"
#include "tasks/check.hh"
#include "tasks/row_split.hh"

namespace starhist {

/// Counts the tasks of a bundle down to on_done.
struct BundleSubmitter::Ticket {
  std::atomic<std::size_t> tasks;
  const std::function<void()>* on_done;
};

/// A task to be.
struct BundleSubmitter::Job {
  PairId pair;
  std::uint64_t pairs = 0;
  std::vector<FramePart> parts;
};

namespace {

std::uint64_t pairs_of(const FramePart& part, bool like) {
  return pairs_before(part.row_end, part.second_count, like) -
         pairs_before(part.row_begin, part.second_count, like);
}

/// Positions of one species in all frames of the bundle, one after the other.
DataHandle register_positions(const std::vector<Frame>& frames, SpeciesId species) {
  std::size_t size = 0;
  for (const Frame& frame : frames) {
    size += frame.positions[species.index()].size();
  }
  if (size == 0) {
    return {};
  }
  DataHandle handle = make_vector_handle<double>(size);
  check_starpu(starpu_data_acquire(handle.get(), STARPU_W), "allocate a frame");
  auto* target = reinterpret_cast<double*>(starpu_vector_get_local_ptr(handle.get()));
  for (const Frame& frame : frames) {
    const auto& positions = frame.positions[species.index()];
    target = std::copy(positions.begin(), positions.end(), target);
  }
  starpu_data_release(handle.get());
  return handle;
}

/// StarPU's schedulers compare small integers; the number of pairs has 64 bits.
int priority(std::uint64_t pairs) {
  return std::clamp(static_cast<int>(std::bit_width(pairs)),
                    starpu_sched_get_min_priority(), starpu_sched_get_max_priority());
}

}  // namespace

BundleSubmitter::BundleSubmitter(Runtime& runtime, const HistogramLayout& layout,
                                 RunStatus& status, std::function<void()> on_done)
    : runtime_(runtime),
      layout_(layout),
      status_(status),
      on_done_(std::move(on_done)) {
  for (const SpeciesPair& pair : layout.pairs) {
    pair_names_.push_back(pair_name(pair, layout.species));
  }
}

std::vector<BundleSubmitter::Job> BundleSubmitter::jobs(
    const std::vector<Frame>& frames, const WorkPlan& plan) const {
  std::vector<Job> jobs;
  for (std::uint32_t p = 0; p < layout_.pairs.size(); ++p) {
    const SpeciesPair& pair = layout_.pairs[p];
    Job small{PairId(p), 0, {}};  // the frames that need no splitting, in one task
    std::uint64_t first_offset = 0;
    std::uint64_t second_offset = 0;
    for (const Frame& frame : frames) {
      FramePart part;
      part.image = frame.box.minimum_image();
      part.first_offset = first_offset;
      part.first_count = frame.particle_count(pair.first);
      part.second_offset = second_offset;
      part.second_count = frame.particle_count(pair.second);
      first_offset += part.first_count;
      second_offset += part.second_count;
      const std::uint64_t pairs = pair_count(pair, part.first_count, part.second_count);
      const std::uint64_t pieces = pairs / plan.most_pairs_per_task + 1;
      for (const RowRange rows :
           split_rows(part.first_count, part.second_count, pair.like(), pieces)) {
        part.row_begin = rows.begin;
        part.row_end = rows.end;
        const std::uint64_t part_pairs = pairs_of(part, pair.like());
        if (pieces == 1) {
          small.parts.push_back(part);
          small.pairs += part_pairs;
        } else {
          jobs.push_back({PairId(p), part_pairs, {part}});
        }
      }
    }
    if (small.pairs > 0) {
      jobs.push_back(std::move(small));
    }
  }
  std::stable_sort(jobs.begin(), jobs.end(),
                   [](const Job& a, const Job& b) { return a.pairs > b.pairs; });
  return jobs;
}

void BundleSubmitter::submit(const std::vector<Frame>& frames, const WorkPlan& plan,
                             BlockInFlight& block) {
  const std::vector<Job> work = jobs(frames, plan);
  if (work.empty()) {
    on_done_();
    return;
  }
  std::vector<DataHandle> positions;
  for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
    positions.push_back(register_positions(frames, SpeciesId(s)));
  }
  auto* ticket = new Ticket{work.size(), &on_done_};  // task_ended deletes it
  for (const Job& job : work) {
    submit_job(job, positions, frames.front().box.kind(), block, ticket);
  }
  for (DataHandle& handle : positions) {
    handle.release_after_use();
  }
}

void BundleSubmitter::submit_job(const Job& job,
                                 const std::vector<DataHandle>& positions, BoxKind box,
                                 BlockInFlight& block, Ticket* ticket) {
  const SpeciesPair& pair = layout_.pairs[job.pair.index()];
  CountPairsArgs args;
  args.size = {job.pairs, layout_.bins.count,
               static_cast<std::uint32_t>(job.parts.size())};
  args.bins = layout_.bins;
  args.kind = pair.like() ? PairKind::like : PairKind::unlike;
  args.threads = runtime_.threads_per_worker();
  args.status = &status_;

  starpu_task* task = starpu_task_create();
  task->cl = runtime_.count_pairs(args.kind, box);
  task->name = pair_names_[job.pair.index()].c_str();
  task->cl_arg = make_count_pairs_args(args, job.parts);
  task->cl_arg_size = sizeof(CountPairsArgs) + job.parts.size() * sizeof(FramePart);
  task->cl_arg_free = 1;
  int buffer = 0;
  task->handles[buffer++] = positions[pair.first.index()].get();
  if (!pair.like()) {
    task->handles[buffer++] = positions[pair.second.index()].get();
  }
  task->handles[buffer] = block.counts_handle(job.pair);
  task->priority = priority(job.pairs);
  task->flops =
      static_cast<double>(job.pairs);  // so that StarPU's GFlop/s are Gpairs/s
  task->callback_func = task_ended;
  task->callback_arg = ticket;
  const int code = starpu_task_submit(task);
  if (code != 0) {
    task->destroy = 0;
    starpu_task_destroy(task);
    check_starpu(code, "submit the counting of " + pair_names_[job.pair.index()]);
  }
}

void BundleSubmitter::task_ended(void* argument) noexcept {
  auto* ticket = static_cast<Ticket*>(argument);
  if (ticket->tasks.fetch_sub(1) == 1) {
    (*ticket->on_done)();
    delete ticket;
  }
}

}  // namespace starhist
