#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/counting/histogram.hh"
#include "driver/axes/second_axis_counter.hh"
#include "driver/capi/context.hh"
#include "driver/capi/frame_builder.hh"
#include "driver/capi/lag_counting.hh"
#include "driver/capi/neighbour_counting.hh"
#include "tasks/pair_counter.hh"
#include "tasks/positions/gpu_frames.hh"

namespace starhist::capi {

/// A histogram that is counted frame by frame: settings, then frames, then results, in
/// any number of rounds. Functions throw in the cases in which functions of starhist.h
/// return an error. One thread at a time, which holds Context::mutex().
class Histogram {
 public:
  Histogram(std::shared_ptr<Context> context, double r_max, std::uint64_t bins,
            int box_kind);
  ~Histogram();
  Histogram(const Histogram&) = delete;
  Histogram& operator=(const Histogram&) = delete;

  Context& context() const { return *context_; }
  const std::shared_ptr<Context>& shared_context() const { return context_; }
  /// Pairs of species; with lags, these pairs lag by lag (channels_of()); empty with
  /// shells.
  const HistogramLayout& layout() const { return layout_; }
  bool has_lags() const { return lags_.has_value(); }
  /// Throws CallError unless the histogram counts between frames.
  const LagCounting& lags() const;

  void set_species(std::vector<std::string> names);
  void set_pairs(const std::string& pairs);
  /// Counts within frames if `lags` is empty.
  void set_lags(std::optional<LagCounting> lags);
  /// Counts between these edges; empty: in the bins of the constructor. Throws
  /// InputError for unusable edges.
  void set_edges(const std::vector<double>& edges);
  /// Plane in which distances are measured.
  void set_plane(Plane plane);
  /// Second axis of pairs; its range along the normal of a plane may be unset. Empty:
  /// by distance only.
  void set_second_axis(const std::optional<SecondAxis>& axis);
  /// Empty: counts pairs. Throws CallError for invalid shells.
  void set_shells(std::vector<NeighbourShell> shells);
  /// Throws CallError unless the histogram counts neighbours.
  const NeighbourCounting& neighbours() const;
  void set_periodic(const std::array<bool, 3>& periodic);
  void set_frames_per_block(std::uint32_t frames);
  void set_expected_frames(std::uint64_t frames);
  void set_memory(std::uint64_t bytes);
  void set_units(const std::string& length, const std::string& time);

  /// Returns it for changes. Throws CallError after the first frame if particles are
  /// followed.
  Membership& membership();
  void set_time(std::int64_t step, double time);
  void add(const PositionArray& positions, const double* box);
  void add(const GpuArray& positions, const double* box);
  void reset();
  /// May be called while another thread is in one of these functions: if that thread
  /// waits for counts, it soon throws RunError, and the counts are lost.
  void interrupt() noexcept;

  const std::string& pair_name(std::size_t pair) const { return pair_names_[pair]; }
  /// Number of the pair with this name.
  std::size_t find_pair(const std::string& name) const;
  /// The pair with this number. Throws CallError if it does not exist.
  PairId pair(std::size_t number) const;
  /// Returns `number`. Throws CallError if there is no such species.
  std::size_t species(std::size_t number) const;

  std::uint64_t frames() const { return frames_; }
  /// True if numbers of particles of an unlike pair change, which its blocks do not
  /// show, because like pairs are not counted.
  bool hides_changing_numbers(PairId pair);
  /// Waits until all frames are counted, and returns the blocks. The last one may be
  /// partly filled.
  const std::vector<BlockCounts>& blocks();
  /// Displacements of each of blocks(), with lags.
  const std::vector<std::vector<DisplacementCounts>>& displacements() const {
    return displacements_;
  }
  /// Throws CallError unless there is a frame and boxes have volumes.
  const analysis::ShellVolumes& shells();
  /// analysis::error_caveat() of all pairs with functions of starhist.h as remedies, if
  /// there are two blocks, and with lags LagCounting::warning(). "" without either.
  const std::string& error_warning();
  /// empty_parts() of the first frame; zeros if its positions are in GPU memory.
  const std::array<double, 3>& vacuum() const { return vacuum_; }
  const tasks::CountingOptions& options() const { return options_; }
  /// Names and values that document how the histogram is counted.
  const std::vector<std::pair<std::string, std::string>>& provenance();

 private:
  void check_no_frames() const;
  void check_counts_pairs() const;
  void check_within_frames(const std::string& setting) const;
  void check_default_distances(const std::string& counts) const;
  template <class Array>
  void check_frame(const Array& positions) const;
  void set_box(const double* box, Frame& frame);
  void take_from_gpu(const GpuArray& positions, Frame& frame);
  void prepare(Frame& frame);
  void start_counting(const Frame& first);
  void add_block(BlockCounts&& block, bool full);
  void count(Frame&& frame);
  void count_pairs(Frame&& frame);
  void count_neighbours(Frame&& frame);
  void end_counting();
  void forget_counts();
  void repeat_pairs();
  [[noreturn]] void break_off();

  std::shared_ptr<Context> context_;
  HistogramLayout layout_;
  UniformBins equal_bins_;          ///< bins without set_edges()
  std::vector<SpeciesPair> pairs_;  ///< of each lag
  std::string listed_pairs_;        ///< names of set_pairs(); "": all pairs
  std::optional<LagCounting> lags_;
  std::optional<NeighbourCounting> neighbours_;
  std::optional<SecondAxis> second_;  ///< of set_second_axis()
  std::vector<std::string> pair_names_;
  BoxBuilder boxes_;
  Membership membership_;
  tasks::CountingOptions options_;
  bool chooses_blocks_ = true;  ///< set_expected_frames() sets their length

  std::int64_t step_ = 0;
  std::optional<double> time_;  ///< empty: not set
  std::uint64_t frames_ = 0;
  std::vector<std::uint64_t> numbers_;  ///< of particles per species in the last frame
  bool numbers_change_ = false;         ///< they differ between frames
  std::array<double, 3> vacuum_{};
  /// Plane in which the particles of the first frame lie, if counting by distances in
  /// space, or in the plane of the layout, then has no meaning.
  Plane flat_ = Plane::none;
  std::string problem_;  ///< why the counts are lost; "": they are valid

  std::vector<Frame> used_;  ///< frames whose memory is reused
  /// Full blocks, followed by a partly filled one if `open_` is true.
  std::vector<BlockCounts> blocks_;
  std::vector<std::vector<DisplacementCounts>> displacements_;  ///< with lags, by block
  bool open_ = false;
  bool counted_ = true;                           ///< all frames are in blocks_
  std::optional<analysis::ShellVolumes> shells_;  ///< shells of blocks_
  std::vector<std::pair<std::string, std::string>> provenance_;
  std::string error_warning_;
  std::unique_ptr<tasks::Runtime> runtime_;
  std::optional<tasks::GpuFrames> gpu_frames_;  ///< set by the first frame on a GPU
  std::uint64_t ordered_ = 0;  ///< Membership::version() known to gpu_frames_
  std::mutex counter_exists_;  ///< guards the pointer counter_
  std::unique_ptr<tasks::PairCounter> counter_;  ///< null before the first frame
  /// Counts by second axis, if there is one; null before the first frame.
  std::unique_ptr<driver::SecondAxisCounter> second_counter_;
};

}  // namespace starhist::capi
