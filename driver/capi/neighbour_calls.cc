// Functions of starhist.h for numbers of neighbours.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "codelets/core/base/text.hh"
#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

starhist_status starhist_set_shells(starhist_histogram* histogram, size_t shells,
                                    const size_t* centres, const size_t* neighbours,
                                    const double* cutoffs) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (shells > 0) {
      check_pointer(centres, "centres");
      check_pointer(neighbours, "neighbours");
      check_pointer(cutoffs, "cutoffs");
    }
    std::vector<NeighbourShell> made;
    for (std::size_t s = 0; s < shells; ++s) {
      if (!std::isfinite(cutoffs[s]) || cutoffs[s] <= 0.0) {
        throw CallError(STARHIST_BAD_ARGUMENT, "the cut-off of shell " +
                                                   std::to_string(s) + " is " +
                                                   number_text(cutoffs[s]) +
                                                   " (it must be finite and above 0)");
      }
      made.push_back({SpeciesId(static_cast<std::uint32_t>(h.species(centres[s]))),
                      SpeciesId(static_cast<std::uint32_t>(h.species(neighbours[s]))),
                      make_bins(cutoffs[s], 1)});
    }
    h.set_shells(std::move(made));
  });
}

starhist_status starhist_get_shell(starhist_histogram* histogram, size_t shell,
                                   size_t* centre, size_t* neighbour, double* cutoff) {
  return with_histogram(histogram, [&](Histogram& h) {
    const NeighbourShell& found = h.neighbours().shell(shell);
    store<size_t>(found.centre.index(), centre);
    store<size_t>(found.neighbour.index(), neighbour);
    store(found.cutoff(), cutoff);
  });
}

starhist_status starhist_get_neighbours(starhist_histogram* histogram, uint64_t block,
                                        size_t shell, size_t size, uint64_t* particles,
                                        size_t* most) {
  return with_histogram(histogram, [&](Histogram& h) {
    const NeighbourCounting& counted = h.neighbours();
    static_cast<void>(counted.shell(shell));
    const auto range = blocks_of(h, block);
    NeighbourCounts sum;
    for (const auto* b = range.first; b != range.end; ++b) {
      add(counted.block(b->index.get(), shell), sum);
    }
    const std::size_t largest = sum.empty() ? 0 : sum.size() - 1;
    if (particles != nullptr) {
      if (size <= largest) {
        throw CallError(STARHIST_BAD_SIZE,
                        "the array has size " + std::to_string(size) +
                            ", but a particle has " + std::to_string(largest) +
                            " neighbours (give at least one more)");
      }
      std::fill(std::copy(sum.begin(), sum.end(), particles), particles + size, 0);
    }
    store(largest, most);
  });
}

starhist_status starhist_get_frame_neighbours(starhist_histogram* histogram,
                                              uint64_t frame, size_t shell,
                                              double* time, uint64_t* particles,
                                              uint64_t* neighbours) {
  return with_histogram(histogram, [&](Histogram& h) {
    const NeighbourCounting& counted = h.neighbours();
    static_cast<void>(counted.shell(shell));
    static_cast<void>(h.blocks());
    if (frame >= h.frames()) {
      throw CallError(STARHIST_NO_FRAMES, "no frame has the number " +
                                              std::to_string(frame) + " (there are " +
                                              std::to_string(h.frames()) + ")");
    }
    const NeighbourCounting::FrameSums sums = counted.frame(frame, shell);
    store(sums.time, time);
    store(sums.centres, particles);
    store(sums.neighbours, neighbours);
  });
}

starhist_status starhist_get_particle_neighbours(starhist_histogram* histogram,
                                                 size_t shell, size_t size,
                                                 uint64_t* neighbours,
                                                 size_t* particles) {
  return with_histogram(histogram, [&](Histogram& h) {
    const NeighbourCounting& counted = h.neighbours();
    static_cast<void>(counted.shell(shell));
    static_cast<void>(blocks_of(h, STARHIST_ALL_BLOCKS));
    const std::vector<std::uint64_t> sums = counted.particles(shell);
    if (neighbours != nullptr) {
      check_size(size, sums.size(), "particles");
      std::copy(sums.begin(), sums.end(), neighbours);
    }
    store(sums.size(), particles);
  });
}
