#include "driver/capi/capi_histogram.hh"

#include <algorithm>
#include <new>
#include <numeric>
#include <set>
#include <utility>

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/machine_memory.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "codelets/core/counting/default_block_length.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "codelets/core/geometry/empty_parts.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "driver/capi/call.hh"
#include "driver/capi/second_axis_rules.hh"

namespace starhist::capi {
namespace {

constexpr std::uint64_t default_expected_frames = 1000;

starhist_box_kind checked_kind(int kind) {
  for (const starhist_box_kind known : {STARHIST_BOX_NONE, STARHIST_BOX_LENGTHS,
                                        STARHIST_BOX_ANGLES, STARHIST_BOX_MATRIX}) {
    if (kind == known) {
      return known;
    }
  }
  throw CallError(STARHIST_BAD_ARGUMENT, "box kind " + std::to_string(kind) +
                                             " is unknown (see "
                                             "starhist_box_kind)");
}

}  // namespace

Histogram::Histogram(std::shared_ptr<Context> context, double r_max, std::uint64_t bins,
                     int box_kind)
    : context_(std::move(context)),
      equal_bins_(make_bins(r_max, bins)),
      boxes_(checked_kind(box_kind)) {
  layout_.bins = equal_bins_;
  options_.frames = default_expected_frames;
  options_.memory_bytes = machine_memory() / 2;
  set_species({"all"});
}

Histogram::~Histogram() {
  const Context::Use use(*context_);
  end_counting();
  gpu_frames_.reset();
  runtime_.reset();
}

void Histogram::check_no_frames() const {
  if (frames_ > 0 || !problem_.empty()) {
    throw CallError(STARHIST_WRONG_STATE,
                    "frames have already been added (set it before the first frame, or "
                    "call starhist_reset)");
  }
}

/// Throws CallError unless the histogram counts pairs within frames, as `setting`
/// needs.
void Histogram::check_within_frames(const std::string& setting) const {
  if (lags_ || neighbours_) {
    throw CallError(STARHIST_WRONG_STATE,
                    std::string("the histogram counts ") +
                        (lags_ ? "between frames" : "neighbours") + ", and " + setting +
                        " for pairs within frames only (use another histogram)");
  }
}

/// Throws CallError if a setting for pairs within frames does not suit `counts`.
void Histogram::check_default_distances(const std::string& counts) const {
  const char* const set = !layout_.bins.uniform() ? "edges (starhist_set_edges) are"
                          : layout_.plane != Plane::none
                              ? "a plane (starhist_set_plane) is"
                          : second_ ? "a second axis (starhist_set_second_axis) is"
                                    : nullptr;
  if (set != nullptr) {
    throw CallError(STARHIST_WRONG_STATE,
                    std::string(set) +
                        " for pairs within frames only (use another histogram for " +
                        counts + ")");
  }
}

/// Sets the pairs of all lags, and their names. Clears them if neighbours are counted.
void Histogram::repeat_pairs() {
  layout_.pairs.clear();
  pair_names_.clear();
  if (neighbours_) {
    return;
  }
  for (std::size_t lag = 0; lag < (lags_ ? lags_->lags().size() : 1); ++lag) {
    for (const SpeciesPair& pair : pairs_) {
      layout_.pairs.push_back(pair);
      pair_names_.push_back(starhist::pair_name(pair, layout_.species));
    }
  }
}

void Histogram::set_species(std::vector<std::string> names) {
  check_no_frames();
  if (names.empty()) {
    throw CallError(STARHIST_BAD_ARGUMENT, "no species are given (give at least one)");
  }
  for (std::size_t k = 0; k < names.size(); ++k) {
    names[k].erase(names[k].find_last_not_of(' ') + 1);  // Fortran pads with blanks
    if (names[k].empty()) {
      throw CallError(STARHIST_BAD_ARGUMENT,
                      "species " + std::to_string(k) + " has no name");
    }
  }
  std::set<std::string> different;
  for (const std::string& name : names) {
    if (!different.insert(name).second) {
      throw CallError(STARHIST_BAD_ARGUMENT,
                      "two species have the name '" + name + "'");
    }
  }
  layout_.species = std::move(names);
  pairs_ = all_pairs(layout_.species.size());
  listed_pairs_.clear();
  neighbours_.reset();
  membership_.clear(layout_.species.size());
  repeat_pairs();
}

void Histogram::set_pairs(const std::string& pairs) {
  check_no_frames();
  std::vector<SpeciesPair> parsed;
  try {
    parsed = parse_pairs(pairs, layout_.species);
  } catch (const InputError& error) {
    throw CallError(STARHIST_UNKNOWN_PAIR,
                    "'" + pairs + "' is not a list of pairs of the species " +
                        join(layout_.species, ", ") +
                        " (write A-B,C-D): " + error.what());
  }
  if (second_) {
    check_pair_order(*second_, pairs, layout_.species);
  }
  pairs_ = std::move(parsed);
  listed_pairs_ = pairs;
  repeat_pairs();
}

void Histogram::set_lags(std::optional<LagCounting> lags) {
  check_no_frames();
  if (lags && neighbours_) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the histogram counts neighbours, which are of single frames (use "
                    "another one for lags)");
  }
  if (lags) {
    check_default_distances("lags");
  }
  lags_ = std::move(lags);
  repeat_pairs();
}

void Histogram::set_shells(std::vector<NeighbourShell> shells) {
  check_no_frames();
  if (lags_ && !shells.empty()) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the histogram counts between frames, and neighbours are of single "
                    "frames (use another one for shells)");
  }
  if (!shells.empty()) {
    check_default_distances("shells");
  }
  neighbours_.reset();
  if (!shells.empty()) {
    const tasks::Runtime& runtime = context_->runtime();
    const std::size_t threads = runtime.cpu_workers() * runtime.threads_per_worker();
    neighbours_.emplace(std::move(shells),
                        static_cast<unsigned>(std::max<std::size_t>(threads, 1)));
  }
  repeat_pairs();
}

void Histogram::set_edges(const std::vector<double>& edges) {
  check_no_frames();
  if (!edges.empty()) {
    check_within_frames("edges are");
    if (context_->runtime().cpu_workers() == 0) {
      throw CallError(STARHIST_WRONG_STATE,
                      "the context has no CPU worker, and GPUs count in bins of equal "
                      "width only (create the context with cpu_workers of 1 or more)");
    }
  }
  const UniformBins bins = edges.empty() ? equal_bins_ : make_bins_between(edges);
  const Context::Use use(*context_);
  runtime_.reset();  // its kernels depend on the number of bins
  layout_.bins = bins;
}

void Histogram::set_plane(Plane plane) {
  check_no_frames();
  if (plane != Plane::none) {
    check_within_frames("a plane is");
  }
  if (second_ && plane != layout_.plane) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the second axis depends on the plane (call starhist_set_plane "
                    "before starhist_set_second_axis)");
  }
  boxes_.set_plane(plane);
  layout_.plane = plane;
}

void Histogram::set_second_axis(const std::optional<SecondAxis>& axis) {
  check_no_frames();
  if (axis) {
    check_within_frames("a second axis is");
    if (context_->runtime().threads_per_worker() > 1) {
      throw CallError(STARHIST_WRONG_STATE,
                      "a second axis is counted by single cores, not by teams (create "
                      "the context without STARHIST_TEAMS)");
    }
    check_plane(*axis, layout_.plane);
    check_pair_order(*axis, listed_pairs_, layout_.species);
  }
  second_ = axis;
  layout_.second = axis;
}

const NeighbourCounting& Histogram::neighbours() const {
  if (!neighbours_) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the histogram counts pairs (call starhist_set_shells before the "
                    "first frame to count neighbours)");
  }
  return *neighbours_;
}

const LagCounting& Histogram::lags() const {
  if (!lags_) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the histogram counts within frames (call starhist_set_lags before "
                    "the first frame to count between frames)");
  }
  return *lags_;
}

Membership& Histogram::membership() {
  if (lags_ && frames_ > 0) {
    throw CallError(STARHIST_WRONG_STATE,
                    "frames have already been added, and with lags particles are "
                    "followed from frame to frame (set their species before the first "
                    "frame, or call starhist_reset)");
  }
  return membership_;
}

void Histogram::set_periodic(const std::array<bool, 3>& periodic) {
  check_no_frames();
  if (boxes_.kind() == STARHIST_BOX_NONE) {
    throw CallError(STARHIST_WRONG_STATE,
                    "the histogram has no box that could be periodic "
                    "(STARHIST_BOX_NONE)");
  }
  boxes_.set_periodic(periodic);
}

void Histogram::set_frames_per_block(std::uint32_t frames) {
  check_no_frames();
  if (frames == 0) {
    throw CallError(STARHIST_BAD_ARGUMENT, "a block must contain at least 1 frame");
  }
  options_.frames_per_block = frames;
  chooses_blocks_ = false;
}

void Histogram::set_expected_frames(std::uint64_t frames) {
  check_no_frames();
  options_.frames = frames;
  if (chooses_blocks_ && frames > 0) {
    options_.frames_per_block = default_block_length(frames);
  }
}

void Histogram::set_memory(std::uint64_t bytes) {
  check_no_frames();
  if (bytes == 0) {
    throw CallError(STARHIST_BAD_ARGUMENT, "a memory limit of 0 bytes is not enough");
  }
  options_.memory_bytes = bytes;
}

void Histogram::set_units(const std::string& length, const std::string& time) {
  check_no_frames();
  const std::string length_name =
      length.empty() ? "" : parse_length_unit("length", length);
  layout_.time_unit = time.empty() ? "" : parse_time_unit("time", time);
  layout_.length_unit = length_name;
}

void Histogram::set_time(std::int64_t step, double time) {
  step_ = step;
  time_ = time;
}

void Histogram::start_counting(const Frame& first) {
  if (counter_) {
    return;
  }
  HistogramLayout counted = layout_;
  tasks::CountingOptions options = options_;
  if (lags_) {
    counted.pairs = pairs_;
    counted = lags_->start(counted, first, options);
  }
  if (second_) {
    if (layout_.plane != Plane::none) {
      layout_.second = with_range(*second_, first.period);
    }
    counted.second.reset();
    static const PairExclusions none;
    second_counter_ = std::make_unique<driver::SecondAxisCounter>(
        layout_, none, nullptr, options_.memory_bytes);
  }
  if (!layout_.bins.uniform()) {
    options.labels = tasks::Labelling::off;  // that loop would sort each distance
  }
  if (!runtime_) {
    runtime_ = std::make_unique<tasks::Runtime>(
        context_->runtime(),
        tasks::KernelChoice{layout_.bins.count_from_zero(), "auto", ""});
  }
  auto counter = std::make_unique<tasks::PairCounter>(
      *runtime_, counted, options,
      [this](BlockCounts&& block) { add_block(std::move(block), true); });
  const std::lock_guard lock(counter_exists_);
  counter_ = std::move(counter);
}

void Histogram::add_block(BlockCounts&& block, bool full) {
  if (open_) {  // its first part
    blocks_.pop_back();
    if (lags_) {
      displacements_.pop_back();
    }
  }
  open_ = !full;
  if (lags_) {
    LaggedBlock lagged = lags_->finish(std::move(block), full);
    displacements_.push_back(std::move(lagged.displacements));
    block = std::move(lagged.pairs);
  }
  if (second_counter_) {
    second_counter_->complete(block, full);
  }
  blocks_.push_back(std::move(block));
}

void Histogram::end_counting() {
  std::unique_lock lock(counter_exists_);
  const std::unique_ptr<tasks::PairCounter> ended = std::move(counter_);
  lock.unlock();  // the destructor may wait for tasks
}

void Histogram::interrupt() noexcept {
  const std::lock_guard lock(counter_exists_);
  if (counter_) {
    counter_->cancel(std::make_exception_ptr(RunError("it was interrupted")));
  }
}

template <class Array>
void Histogram::check_frame(const Array& positions) const {
  const std::size_t particles = positions.particles;
  if (!problem_.empty()) {
    throw CallError(STARHIST_BROKEN, problem_);
  }
  membership_.check(particles);
  if ((positions.component_stride == 0 && positions.particle_stride != 0 &&
       particles > 0) ||
      (positions.particle_stride == 0 && positions.component_stride != 0 &&
       particles > 1)) {
    throw CallError(
        STARHIST_BAD_ARGUMENT,
        "only one of the strides is 0, so positions would repeat (give both in bytes, "
        "or 0 and 0 for contiguous x, y, z of each particle)");
  }
  if (lags_) {
    const std::vector<std::uint64_t> numbers = membership_.numbers(particles);
    lags_->check(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
  }
  if (particles > 0) {
    check_pointer(positions.data, "positions");
  }
}

/// Sets the box and its period.
void Histogram::set_box(const double* box, Frame& frame) {
  frame.box = boxes_.make(box);
  if (neighbours_) {
    neighbours_->check(layout_, frame.box);
  } else if (frames_ == 0) {
    check_range(layout_, frame.box);
  }
  if (second_ && layout_.plane != Plane::none) {
    frame.period = boxes_.period();
    if (frames_ == 0) {
      with_range(*second_, frame.period);  // throws if it is unknown
    }
  }
}

void Histogram::add(const PositionArray& positions, const double* box) {
  check_frame(positions);
  Frame frame;
  if (!used_.empty()) {
    frame = std::move(used_.back());
    used_.pop_back();
  }
  set_box(box, frame);
  fill_positions(positions, membership_, layout_, frame);
  count(std::move(frame));
}

void Histogram::add(const GpuArray& positions, const double* box) {
  if (positions.particles == 0) {
    add(PositionArray{}, box);
    return;
  }
  check_frame(positions);
  Frame frame;
  set_box(box, frame);
  const Context::Use use(*context_);
  take_from_gpu(positions, frame);
  count(std::move(frame));
}

void Histogram::take_from_gpu(const GpuArray& positions, Frame& frame) {
  if (!gpu_frames_) {
    gpu_frames_.emplace(context_->runtime());
  }
  if (ordered_ != membership_.version()) {
    gpu_frames_->set_order(membership_.order());
    ordered_ = membership_.version();
  }
  bool finite = false;
  try {
    finite =
        gpu_frames_->take(positions, membership_.numbers(positions.particles), frame);
  } catch (const tasks::NoGpuError& error) {
    throw CallError(STARHIST_NO_GPU, error.what());
  } catch (const std::bad_alloc&) {
    throw CallError(STARHIST_OUT_OF_MEMORY,
                    "the GPU has no memory for a copy of the "
                    "positions");
  }
  frame.coordinate_bound = 0.0;
  for (const GpuPositions::Extent& extent : frame.on_gpu->extents) {
    for (const double x : {-extent.low.x, extent.high.x, -extent.low.y, extent.high.y,
                           -extent.low.z, extent.high.z}) {
      frame.coordinate_bound = std::max(frame.coordinate_bound, x);
    }
  }
  if (!finite || !all_near(layout_, frame)) {
    Frame in_main_memory;
    in_main_memory.box = frame.box;
    in_main_memory.period = frame.period;
    in_main_memory.positions = gpu_frames_->fetch(frame);
    check_each_position(membership_, layout_, in_main_memory);
  }
}

/// Projects positions onto the plane, and keeps the heights above it that a second axis
/// needs. Fetches positions from GPUs unless their workers can count them there.
void Histogram::prepare(Frame& frame) {
  numbers_change_ = numbers_change_ && frames_ > 0;
  numbers_.resize(layout_.species.size());
  for (std::uint32_t s = 0; s < numbers_.size(); ++s) {
    const std::uint64_t number = frame.particle_count(SpeciesId(s));
    numbers_change_ = numbers_change_ || (frames_ > 0 && number != numbers_[s]);
    numbers_[s] = number;
  }
  const bool in_plane = layout_.plane != Plane::none;
  if (frames_ == 0) {
    vacuum_ =
        in_plane ? std::array<double, 3>{} : empty_parts(frame.box, frame.positions);
    flat_ = two_dimensional(frame.box, frame.positions);
  }
  if (frame.on_gpu &&
      (lags_ || neighbours_ || second_ || !layout_.bins.uniform() || in_plane)) {
    frame.positions = gpu_frames_->fetch(frame);
    frame.on_gpu.reset();
  }
  if (in_plane && second_) {
    frame.heights = heights_of(layout_.plane, frame.positions);
  }
  if (in_plane) {
    project(layout_.plane, frame.positions);
    if (frames_ == 0) {
      flat_ = plane_seen_edge_on(layout_.plane, frame.positions);
    }
  }
}

void Histogram::count(Frame&& frame) {
  std::optional<Context::Use> use;
  if (!neighbours_) {  // StarPU's workers do not count them
    use.emplace(*context_);
  }
  frame.index = FrameIndex(frames_);
  frame.step = std::exchange(step_, 0);
  frame.time = std::exchange(time_, {}).value_or(lags_ || neighbours_ ? no_time : 0.0);
  try {
    prepare(frame);
    if (neighbours_) {
      count_neighbours(std::move(frame));
    } else {
      count_pairs(std::move(frame));
    }
    ++frames_;
  } catch (...) {
    break_off();
  }
}

void Histogram::count_pairs(Frame&& frame) {
  start_counting(frame);
  counted_ = false;
  shells_.reset();
  if (lags_) {
    frame = lags_->pair(std::move(frame), frames_);
  }
  if (second_counter_) {
    second_counter_->add(frame, frames_ / options_.frames_per_block);
  }
  counter_->add(std::move(frame));
  constexpr std::size_t most_kept = 64;
  for (Frame& used : counter_->take_used_frames()) {
    if (used_.size() < most_kept && !lags_) {  // sets of all lags are large
      used_.push_back(std::move(used));
    }
  }
}

void Histogram::count_neighbours(Frame&& frame) {
  const bool new_block = frames_ % options_.frames_per_block == 0;
  if (new_block) {
    blocks_.push_back(empty_block(layout_, BlockIndex(blocks_.size())));
  }
  add_frame(layout_.region, facts_of(layout_, {}, frame), blocks_.back());
  neighbours_->add(frame, membership_, new_block);
  if (used_.empty()) {
    used_.push_back(std::move(frame));
  }
}

bool Histogram::hides_changing_numbers(PairId pair) {
  const SpeciesPair& wanted = layout_.pairs[pair.index()];
  return numbers_change_ && !wanted.like() &&
         !(analysis::counts_like_pair(layout_, wanted.first) &&
           analysis::counts_like_pair(layout_, wanted.second)) &&
         std::any_of(blocks().begin(), blocks().end(),
                     [](const BlockCounts& block) { return block.frames > 1; });
}

void Histogram::forget_counts() {
  blocks_.clear();
  displacements_.clear();
  if (lags_) {
    lags_->stop();
  }
  if (neighbours_) {
    neighbours_->clear();
  }
  second_counter_.reset();
  shells_.reset();
  open_ = false;
  counted_ = true;
}

/// After an error in mid-count the counts are lost: PairCounter can only be destroyed.
void Histogram::break_off() {
  end_counting();
  forget_counts();
  try {
    throw;
  } catch (const InputError& error) {  // thrown by the plan
    problem_ = std::string(
                   "there is too little memory for these bins, pairs and "
                   "workers (see starhist_set_memory): ") +
               error.what();
    throw CallError(STARHIST_OUT_OF_MEMORY, problem_);
  } catch (const std::exception& error) {
    problem_ = std::string(
                   "an earlier call has failed, and the counts are lost (call "
                   "starhist_reset to start over): ") +
               error.what();
    throw;
  }
}

void Histogram::reset() {
  const Context::Use use(*context_);
  end_counting();
  forget_counts();
  layout_.second = second_;  // the first frame may set another range
  frames_ = 0;
  step_ = 0;
  time_.reset();
  problem_.clear();
}

void Histogram::check_counts_pairs() const {
  if (neighbours_) {
    throw CallError(STARHIST_UNKNOWN_PAIR,
                    "the histogram counts neighbours, not pairs (call "
                    "starhist_get_shell for its shells)");
  }
}

std::size_t Histogram::find_pair(const std::string& name) const {
  check_counts_pairs();
  std::vector<SpeciesPair> found;
  try {
    found = parse_pairs(name, layout_.species);
  } catch (const InputError& error) {
    throw CallError(STARHIST_UNKNOWN_PAIR,
                    "'" + name + "' is not a pair of the species " +
                        join(layout_.species, ", ") + ": " + error.what());
  }
  const auto at = std::find(layout_.pairs.begin(), layout_.pairs.end(), found.front());
  if (found.size() != 1 || at == layout_.pairs.end()) {
    std::vector<std::string> names = pair_names_;
    names.resize(std::min(names.size(), pairs_.size()));  // of one lag
    throw CallError(STARHIST_UNKNOWN_PAIR,
                    "'" + name + "' is not one of the pairs that are counted (" +
                        join(names, ", ") + ")");
  }
  return static_cast<std::size_t>(at - layout_.pairs.begin());
}

PairId Histogram::pair(std::size_t number) const {
  check_counts_pairs();
  check_number(number, layout_.pairs.size(), "pair", STARHIST_UNKNOWN_PAIR);
  return PairId(static_cast<std::uint32_t>(number));
}

const std::string& Histogram::error_warning() {
  error_warning_.clear();
  if (blocks().size() > 1 && !neighbours_) {
    std::vector<PairId> pairs;
    for (std::size_t p = 0; p < layout_.pairs.size(); ++p) {
      pairs.emplace_back(static_cast<std::uint32_t>(p));
    }
    error_warning_ = analysis::error_caveat(layout_, blocks_, pairs);
    const std::string option = "--block";
    if (const auto at = error_warning_.find(option); at != std::string::npos) {
      error_warning_.replace(at, option.size(), "starhist_set_frames_per_block");
    }
  }
  std::string wrong = lags_ ? lags_->warning() : "";
  if (flat_ != Plane::none && wrong.empty() && !neighbours_) {
    const std::string flat = to_string(flat_);
    wrong = "the particles lie in the plane " + flat +
            (layout_.plane == Plane::none
                 ? ", where g(r) of space has no meaning"
                 : ", which the plane " + to_string(layout_.plane) +
                       " sees as a line, so g(r) has no meaning") +
            ": count distances in the plane " + flat;
  }
  if (!wrong.empty()) {
    error_warning_ += (error_warning_.empty() ? "" : "; ") + wrong;
  }
  return error_warning_;
}

const std::vector<std::pair<std::string, std::string>>& Histogram::provenance() {
  const tasks::Runtime& runtime = context_->runtime();
  provenance_ = {{"program", "libstarhist"},
                 {"version", STARHIST_VERSION},
                 {"scheduler", runtime.scheduler()},
                 {"workers", std::to_string(runtime.workers().size())},
                 {"threads per worker", std::to_string(runtime.threads_per_worker())},
                 {"cpu variant", runtime.kernels().cpu_variant}};
  for (const tasks::Worker& worker : runtime.workers()) {
    const std::pair<std::string, std::string> entry{"GPU " + std::to_string(worker.gpu),
                                                    worker.device};
    if (worker.cuda && std::find(provenance_.begin(), provenance_.end(), entry) ==
                           provenance_.end()) {  // a GPU may have several workers
      provenance_.push_back(entry);
    }
  }
  if (lags_ && lags_->options().every_origin > 1) {  // `starhist merge` compares both
    provenance_.emplace_back("option --every-origin",
                             std::to_string(lags_->options().every_origin));
  }
  if (lags_ && lags_->options().unwrapped) {
    provenance_.emplace_back("option --unwrapped", "");
  }
  return provenance_;
}

std::size_t Histogram::species(std::size_t number) const {
  check_number(number, layout_.species.size(), "species", STARHIST_BAD_ARGUMENT);
  return number;
}

const std::vector<BlockCounts>& Histogram::blocks() {
  if (!problem_.empty()) {
    throw CallError(STARHIST_BROKEN, problem_);
  }
  if (!counted_) {
    const Context::Use use(*context_);
    try {
      counter_->pause([this](const BlockCounts& part, std::uint64_t) {
        add_block(BlockCounts(part), false);
      });
    } catch (...) {
      break_off();
    }
    counted_ = true;
  }
  return blocks_;
}

const analysis::ShellVolumes& Histogram::shells() {
  if (blocks().empty()) {
    throw CallError(STARHIST_NO_FRAMES, "no frame has been counted yet");
  }
  for (const BlockCounts& block : blocks_) {
    if (!(block.volume > 0.0)) {
      throw CallError(STARHIST_NO_VOLUME,
                      layout_.plane == Plane::none
                          ? "g(r) needs a volume, but the boxes are not periodic along "
                            "all three axes (counts and coordination numbers are "
                            "available)"
                          : "g(r) in a plane needs an area, but the boxes are not "
                            "periodic (counts and coordination numbers are available)");
    }
  }
  if (!shells_) {
    shells_.emplace(layout_, blocks_);
  }
  return *shells_;
}

}  // namespace starhist::capi
