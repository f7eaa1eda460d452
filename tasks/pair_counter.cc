#include "tasks/pair_counter.hh"

#include <algorithm>
#include <utility>

#include "tasks/check.hh"
#include "tasks/tile_estimate.hh"

namespace starhist {

namespace {

/// The kind of the species pair with most pairs.
PairKind main_kind(const HistogramLayout& layout, const Frame& frame) {
  PairKind kind = PairKind::like;
  std::uint64_t most = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const std::uint64_t pairs = pair_count(layout, frame, PairId(p));
    if (pairs > most) {
      most = pairs;
      kind = layout.pairs[p].like() ? PairKind::like : PairKind::unlike;
    }
  }
  return kind;
}

}  // namespace

PairCounter::PairCounter(Runtime& runtime, const HistogramLayout& layout,
                         const CountingOptions& options, BlockSink sink)
    : runtime_(runtime),
      layout_(layout),
      options_(options),
      sink_(std::move(sink)),
      status_(runtime.workers().size()),
      submitter_(runtime, layout_, status_,
                 [this] { signal_.update([this] { --bundles_in_flight_; }); }) {
  if (options.record_tasks) {
    status_.keep_records();
  }
}

PairCounter::~PairCounter() {
  status_.stop();
  starpu_task_wait_for_all();
  // A block's reduction may be under way: its callback must come before it goes.
  signal_.wait_until([this] {
    return std::all_of(blocks_.begin(), blocks_.end(), [](const auto& block) {
      return block->complete() || !block->closed();
    });
  });
}

/// Of the largest species pair in a task of middling size: the plan needs no more than
/// the ratio.
void PairCounter::add_speeds(const Frame& frame, WorkEstimate& work) const {
  constexpr double cpu_pairs = 1e8;
  constexpr double gpu_pairs = 1e9;
  const Geometry geometry = geometry_of(frame.box, layout_.bins.r_max);
  const CountPairsModel& model =
      runtime_.count_pairs(main_kind(layout_, frame), geometry).model();
  work.workers = runtime_.cpu_workers();
  work.gpus = runtime_.cuda_workers();
  work.speeds_known = model.known(STARPU_CPU_WORKER) && model.known(STARPU_CUDA_WORKER);
  work.worker_speed = cpu_pairs / model.seconds(STARPU_CPU_WORKER, 0, cpu_pairs);
  work.gpu_speed = gpu_pairs / model.seconds(STARPU_CUDA_WORKER, 0, gpu_pairs);
}

void PairCounter::make_plan(const Frame& frame) {
  WorkEstimate work;
  work.pair_kinds = layout_.pairs.size();
  work.frames = options_.frames;
  work.frames_per_block = options_.frames_per_block;
  work.bins = layout_.bins.count;
  work.gpu_memory = runtime_.gpu_memory();
  add_speeds(frame, work);
  work.threads_per_worker = static_cast<std::uint64_t>(runtime_.threads_per_worker());
  work.pairs_per_frame = pair_count(layout_, frame);
  for (const auto& positions : frame.positions) {
    work.particles += positions.size() / 3;
  }
  const TileEstimate tiles = estimate_tiles(
      layout_, frame, work.workers, static_cast<double>(work.gpus) * work.gpu_speed);
  work.tiled = options_.tiles == Tiles::automatic ? tiles.worth_while
                                                  : options_.tiles == Tiles::on;
  work.evaluated_share = work.tiled ? tiles.evaluated_share : 1.0;
  plan_ = plan_work(work, options_.memory_bytes, options_.most_pairs_per_task);
}

void PairCounter::add(Frame&& frame) {
  if (!plan_) {
    make_plan(frame);
  }
  if (!bundle_.empty() && bundle_.front().box.kind() != frame.box.kind()) {
    submit_bundle();
  }
  if (!last_block_open_) {
    wait_until_blocks(plan_->open_blocks - 1);
    blocks_.push_back(
        std::make_unique<BlockInFlight>(layout_, BlockIndex(next_block_++), signal_));
    last_block_open_ = true;
  }
  blocks_.back()->add_frame(layout_, frame);
  bundle_.push_back(std::move(frame));
  const bool block_full = blocks_.back()->frame_count() == options_.frames_per_block;
  if (block_full || bundle_.size() == plan_->frames_per_bundle) {
    submit_bundle();
  }
  if (block_full) {
    close_block();
  }
  deliver();
}

void PairCounter::submit_bundle() {
  if (bundle_.empty()) {
    return;
  }
  signal_.wait_until([this] { return bundles_in_flight_ < plan_->bundles_in_flight; });
  status_.rethrow_error();
  signal_.update([this] { ++bundles_in_flight_; });
  if (runtime_.cuda_workers() > 0) {
    WorkEstimate work;  // speeds become known as the run goes on
    add_speeds(bundle_.front(), work);
    plan_->cpu_share = cpu_share(work);
  }
  // Emptied first: what cannot be submitted must not be submitted again.
  const std::vector<Frame> frames = std::exchange(bundle_, {});
  submitter_.submit(frames, *plan_, *blocks_.back());
}

void PairCounter::close_block() {
  blocks_.back()->close();
  last_block_open_ = false;
}

void PairCounter::deliver() {
  while (!blocks_.empty()) {
    bool ready = false;
    signal_.update([&] { ready = blocks_.front()->complete(); });
    if (!ready) {
      return;
    }
    status_.rethrow_error();
    BlockCounts counts = blocks_.front()->take();
    blocks_.pop_front();
    sink_(std::move(counts));
  }
}

void PairCounter::wait_until_blocks(std::size_t most_open) {
  while (blocks_.size() > most_open) {
    signal_.wait_until([this] { return blocks_.front()->complete(); });
    deliver();
  }
}

void PairCounter::finish() {
  submit_bundle();
  if (last_block_open_) {
    close_block();
  }
  wait_until_blocks(0);
  check_starpu(starpu_task_wait_for_all(), "wait for its tasks");
  status_.rethrow_error();
}

}  // namespace starhist
