#include "tasks/block_in_flight.hh"

#include <algorithm>

#include "codelets/core/error.hh"
#include "codelets/merge_counts_codelet.hh"
#include "tasks/check.hh"

namespace starhist {

BlockInFlight::BlockInFlight(const HistogramLayout& layout, BlockIndex index,
                             ProgressSignal& signal)
    : signal_(signal),
      counts_(empty_block(layout, index)),
      counted_(layout.pairs.size(), false) {
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    handles_.push_back(make_vector_handle<std::uint64_t>(layout.bins.count + 1ULL));
    starpu_data_set_reduction_methods(handles_.back().get(), merge_counts_codelet(),
                                      zero_counts_codelet());
    collectors_.push_back({this, p});
  }
}

void BlockInFlight::add_frame(const HistogramLayout& layout, const Frame& frame) {
  if (counts_.frames == 0) {
    counts_.first_frame = frame.index;
    if (frame.box.has_volume()) {
      counts_.box = frame.box;
    }
  } else if (counts_.box && *counts_.box != frame.box) {
    counts_.box.reset();
  }
  ++counts_.frames;
  counts_.last_frame = frame.index;
  counts_.last_step = frame.step;
  counts_.last_time = frame.time;
  counts_.inscribed_radius =
      std::min(counts_.inscribed_radius, frame.box.inscribed_radius());
  const double inverse_volume = frame.box.has_volume() ? 1.0 / frame.box.volume() : 0.0;
  counts_.volume += frame.box.volume();
  counts_.inverse_volume += inverse_volume;
  for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
    counts_.particle_number[s] += frame.particle_count(SpeciesId(s));
  }
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const std::uint64_t pairs = pair_count(layout, frame, PairId(p));
    counts_.pairs[p] += pairs;
    counts_.pairs_over_volume[p] += static_cast<double>(pairs) * inverse_volume;
  }
}

starpu_data_handle_t BlockInFlight::counts_handle(PairId pair) {
  counted_[pair.index()] = true;
  return handles_[pair.index()].get();
}

void BlockInFlight::close() {
  const auto tasks =
      static_cast<std::size_t>(std::count(counted_.begin(), counted_.end(), true));
  signal_.update([&] {
    closed_ = true;
    pending_ = tasks;
  });
  for (std::size_t p = 0; p < handles_.size(); ++p) {
    if (counted_[p]) {
      check_starpu(
          starpu_data_acquire_cb(handles_[p].get(), STARPU_R, collect, &collectors_[p]),
          "collect the counts of a block");
    }
  }
}

void BlockInFlight::collect(void* collector) noexcept {
  const auto [block, pair] = *static_cast<Collector*>(collector);
  const starpu_data_handle_t handle = block->handles_[pair].get();
  // Not the local pointer: a thread that drives a GPU may be the one that calls.
  const auto* counted = static_cast<const std::uint64_t*>(
      starpu_data_handle_to_pointer(handle, STARPU_MAIN_RAM));
  std::vector<std::uint64_t>& bins = block->counts_.counts[pair];
  std::copy_n(counted, bins.size(), bins.begin());
  block->counts_.out_of_range[pair] = counted[bins.size()];
  starpu_data_release(handle);
  block->signal_.update([block] { --block->pending_; });
}

BlockCounts BlockInFlight::take() {
  check_conservation(counts_);
  return std::move(counts_);
}

}  // namespace starhist
