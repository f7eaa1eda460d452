#include "driver/coordination/frame_batch.hh"

#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "codelets/kernels/species_positions.hh"

namespace starhist::driver {
namespace {

using kernels::NeighbourSearch;
using kernels::positions_of;
using kernels::PositionSpan;

/// Shares work out that may throw, and rethrows one of the exceptions.
void share_out(tasks::ThreadPool& threads, std::size_t count,
               const std::function<void(std::size_t)>& work) {
  std::mutex mutex;
  std::exception_ptr failure;
  threads.share_out(count, [&](std::size_t k) {
    try {
      work(k);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
    }
  });
  if (failure) {
    std::rethrow_exception(failure);
  }
}

}  // namespace

FrameBatch::FrameBatch(const std::vector<NeighbourShell>& shells, Exclusion exclusion,
                       const io::TrajectoryInfo& info)
    : shells_(shells) {
  for (const NeighbourShell& shell : shells_) {
    excluded_.emplace_back(shell, exclusion, info);
  }
}

const std::vector<ShellCounts>& FrameBatch::count(const std::vector<Frame>& frames,
                                                  tasks::ThreadPool& threads) {
  const std::size_t searches = frames.size() * shells_.size();
  std::vector<std::optional<NeighbourSearch>> search(searches);
  results_.resize(searches);
  share_out(threads, searches, [&](std::size_t k) {
    const Frame& frame = frames[k / shells_.size()];
    const NeighbourShell& shell = shells_[k % shells_.size()];
    const PositionSpan centres = positions_of(frame.positions, shell.centre);
    search[k].emplace(frame.box, shell, centres,
                      positions_of(frame.positions, shell.neighbour));
    results_[k].counts.assign(centres.count, 0);
  });
  struct Part {
    std::size_t search;
    std::size_t number;
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < searches; ++k) {
    for (std::size_t number = 0; number < search[k]->parts(); ++number) {
      parts.push_back({k, number});
    }
  }
  share_out(threads, parts.size(), [&](std::size_t p) {
    const Part& part = parts[p];
    search[part.search]->count(part.number, results_[part.search].counts.data());
  });
  share_out(threads, searches, [&](std::size_t k) {
    excluded_[k % shells_.size()].subtract(frames[k / shells_.size()],
                                           results_[k].counts);
    results_[k].by_number = by_number(results_[k].counts);
  });
  return results_;
}

}  // namespace starhist::driver
