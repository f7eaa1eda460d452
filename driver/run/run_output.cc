#include "driver/run/run_output.hh"

#include <algorithm>
#include <chrono>
#include <limits>
#include <numeric>
#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

template <class Layout>
std::unique_ptr<io::ResultWriter> make_writer(const TrajectoryRunSpec& spec,
                                              const Layout& layout,
                                              const io::RunRecord& record,
                                              const std::optional<ResumePoint>& point) {
  return point ? std::make_unique<io::ResultWriter>(spec.output, layout, record,
                                                    spec.overwrite, point->blocks)
               : std::make_unique<io::ResultWriter>(spec.output, layout, record,
                                                    spec.overwrite);
}

}  // namespace

void check_outputs(const TrajectoryRunSpec& spec, const io::TrajectoryInfo& info) {
  using enum io::PathUse;
  if (spec.output.empty()) {
    throw InputError("the result file has no name");
  }
  std::vector<io::UsedPath> paths = io::external_paths(info.external_files);
  for (const std::string& input : spec.inputs) {
    paths.push_back({input, read, ""});
  }
  paths.insert(paths.end(), {{spec.reading.structure, read, "--structure"},
                             {spec.reading.index, read, "--index"},
                             {spec.reading.aliases, read, "--aliases"},
                             {spec.reading.box_file, read, "--box"},
                             {spec.output, grown, "--output"}});
  paths.insert(paths.end(), spec.written_later.begin(), spec.written_later.end());
  io::check_path_conflicts(paths);
}

RunOutput::RunOutput(const TrajectoryRunSpec& spec, const RunSpec& run,
                     const std::optional<LagPlan>& lags,
                     const std::optional<ResumePoint>& point,
                     const io::RunRecord& record, RunSummary& summary)
    : spec_(spec),
      whole_blocks_(lags || run.layout.second),
      summary_(summary),
      writer_(lags ? make_writer(spec, lags->layout, record, point)
                   : make_writer(spec, run.layout, record, point)),
      written_(point ? point->blocks : 0),
      in_blocks_(point ? point->frames - (point->begun ? point->begun->frames : 0) : 0),
      farthest_(point ? std::numeric_limits<double>::infinity() : 0.0),
      empty_frames_(run.layout.selections.size()) {
  if (point) {
    summary_.frames_before = point->frames;
    summary_.skipped_before = point->next_number - point->frames;
    summary_.inscribed_radius = point->inscribed_radius;
    summary_.boxes_change = point->boxes_change;
    std::copy(point->empty_frames.begin(), point->empty_frames.end(),
              empty_frames_.begin());
  }
  summary_.frames_kept = summary_.frames_before;
  blocks_.emplace(*writer_,
                  std::min<std::size_t>(1U << 25U, spec.counting.memory_bytes / 32));
}

void RunOutput::note(const BlockCounts& block) {
  ++written_;
  counted_.add(block.counted);
  farthest_ = std::max(farthest_, block.box ? block.box->covering_radius()
                                            : std::numeric_limits<double>::infinity());
  summary_.covering_radius = farthest_;
  summary_.inscribed_radius =
      std::min(summary_.inscribed_radius, block.inscribed_radius);
  summary_.boxes_change =
      summary_.boxes_change ||
      (spec_.region.shape == Region::Shape::box && block.volume > 0.0 && !block.box);
  summary_.without_volume =
      summary_.without_volume || (block.volume == 0.0 && !spec_.reading.box);
  in_blocks_ += block.frames;
  for (std::size_t p = 0; p < block.pairs.size(); ++p) {
    pairs_ += block.pairs[p];
    outside_ += block.out_of_range[p] + block.underflow[p];
  }
  for (std::size_t s = 0; s < empty_frames_.size(); ++s) {
    empty_frames_[s] += block.empty_frames[s];
  }
}

void RunOutput::append(BlockCounts&& block) {
  note(block);
  counts_pairs_ = true;
  for (const std::vector<std::uint64_t>& counts : block.counts) {
    const auto begin = counts.begin();
    first_ += counts.front();
    next_ = std::accumulate(
        begin + 1, begin + std::min<std::ptrdiff_t>(10, std::ssize(counts)), next_);
  }
  blocks_->append(std::move(block));
}

void RunOutput::append(const LaggedBlock& block) {
  note(block.pairs);
  writer_->append(block);
}

RunHooks RunOutput::with_checkpoints(const RunHooks& hooks) {
  RunHooks own = hooks;
  if (whole_blocks_) {
    own.checkpoint_interval = std::chrono::hours(24 * 365);
    own.checkpoint = [this](const BlockCounts&, std::uint64_t) {
      blocks_->wait();
      writer_->keep();
      summary_.frames_kept = in_blocks_;
    };
    return own;
  }
  own.checkpoint_interval = std::chrono::milliseconds(
      std::max(1LL, static_cast<long long>(1e3 * spec_.checkpoint_seconds)));
  own.checkpoint = [this](const BlockCounts& block, std::uint64_t next_number) {
    blocks_->wait();
    writer_->save_open_block(block, next_number);
    summary_.frames_kept = in_blocks_ + block.frames;
  };
  return own;
}

void RunOutput::end_blocks() {
  blocks_->wait();
  blocks_.reset();
  summary_.blocks_kept = written_;
  summary_.no_pair_in_bins = pairs_ > 0 && outside_ == pairs_;
  summary_.no_pair = counts_pairs_ && pairs_ == 0;
  summary_.coincident = next_ == 0 ? first_ : 0;
  // A cancelled run without a checkpoint was stopped between two blocks.
  if (!summary_.cancelled || summary_.frames_kept < in_blocks_) {
    summary_.frames_kept = in_blocks_;
  }
}

}  // namespace starhist::driver
