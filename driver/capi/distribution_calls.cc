// Functions of starhist.h that derive results from counts: g(r), coordination numbers,
// sums of blocks.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"
#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

namespace {

analysis::Normalization normalization_of(int number) {
  switch (number) {
    case STARHIST_PAIRS_OVER_VOLUME:
      return analysis::Normalization::pairs_over_volume;
    case STARHIST_MEAN_VOLUME:
      return analysis::Normalization::mean_volume;
    case STARHIST_PER_FRAME:
      return analysis::Normalization::per_frame;
    default:
      throw CallError(STARHIST_BAD_ARGUMENT, "normalization " + std::to_string(number) +
                                                 " is unknown (see "
                                                 "starhist_normalization)");
  }
}

[[noreturn]] void refuse_per_frame(const Histogram& histogram, PairId pair) {
  throw CallError(
      STARHIST_BAD_ARGUMENT,
      "g(r) of " + histogram.pair_name(pair.index()) +
          " cannot be normalized per frame: volumes or numbers of particles differ, "
          "or may differ, within a block (count with "
          "starhist_set_frames_per_block(histogram, 1), or choose another "
          "normalization)");
}

std::vector<double> distribution(Histogram& histogram, PairId pair,
                                 analysis::Normalization normalization) {
  if (normalization == analysis::Normalization::per_frame &&
      histogram.hides_changing_numbers(pair)) {
    refuse_per_frame(histogram, pair);
  }
  try {
    return analysis::radial_distribution(histogram.layout(), histogram.blocks(),
                                         histogram.shells(), pair, normalization);
  } catch (const InputError&) {  // only from per_frame: volumes were checked
    refuse_per_frame(histogram, pair);
  }
}

void check_reverse(int reverse) {
  if (reverse != 0 && reverse != 1) {
    throw CallError(STARHIST_BAD_ARGUMENT,
                    "reverse is " + std::to_string(reverse) +
                        " (give 0, or 1 for particles of A around B)");
  }
}

void copy(const std::vector<double>& values, double* where) {
  if (where != nullptr) {
    std::copy(values.begin(), values.end(), where);
  }
}

}  // namespace

starhist_status starhist_get_g(starhist_histogram* histogram, size_t pair,
                               int normalization, size_t size, double* g,
                               double* errors) {
  return with_histogram(histogram, [&](Histogram& h) {
    const PairId p = h.pair(pair);
    const analysis::Normalization norm = normalization_of(normalization);
    if (h.has_lags() && norm != analysis::Normalization::pairs_over_volume) {
      throw CallError(STARHIST_BAD_ARGUMENT,
                      "between frames g is normalized by pairs and volumes only (give "
                      "STARHIST_PAIRS_OVER_VOLUME)");
    }
    check_size(size, h.layout().bins.count, "bins");
    const std::vector<double> values = distribution(h, p, norm);
    if (errors != nullptr) {
      copy(analysis::radial_distribution_errors(h.layout(), h.blocks(), h.shells(), p,
                                                norm),
           errors);
    }
    copy(values, g);
  });
}

starhist_status starhist_get_coordination(starhist_histogram* histogram, size_t pair,
                                          int reverse, size_t size, double* n,
                                          double* errors) {
  return with_histogram(histogram, [&](Histogram& h) {
    const PairId p = h.pair(pair);
    check_reverse(reverse);
    if (h.has_lags()) {
      throw CallError(
          STARHIST_WRONG_STATE,
          "coordination numbers are of single frames, but starhist_set_lags "
          "makes the histogram count between frames (use another one)");
    }
    check_size(size, h.layout().bins.count, "bins");
    static_cast<void>(blocks_of(h, STARHIST_ALL_BLOCKS));
    const bool like = h.layout().pairs[p.index()].like();
    const std::size_t direction = reverse == 1 && !like ? 1 : 0;
    const auto numbers =
        analysis::coordination_numbers(h.layout(), total(h.blocks()), p);
    if (errors != nullptr) {
      copy(analysis::coordination_errors(h.layout(), h.blocks(), p)[direction], errors);
    }
    copy(numbers[direction].value, n);
  });
}

starhist_status starhist_get_error_warning(starhist_histogram* histogram,
                                           const char** text) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(text, "text");
    static_cast<void>(blocks_of(h, STARHIST_ALL_BLOCKS));
    *text = h.error_warning().c_str();
  });
}

starhist_status starhist_get_block(starhist_histogram* histogram, uint64_t block,
                                   starhist_block* sums) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(sums, "sums");
    const BlockRange range = blocks_of(h, block);
    starhist_block result{};
    result.first_frame = range.first->first_frame.get();
    result.inscribed_radius = std::numeric_limits<double>::infinity();
    bool same_box = range.first->box.has_value();
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      result.frames += b->frames;
      result.last_frame = b->last_frame.get();
      result.last_step = b->last_step;
      result.last_time = b->last_time;
      result.volume += b->volume;
      result.inverse_volume += b->inverse_volume;
      result.inscribed_radius = std::min(result.inscribed_radius, b->inscribed_radius);
      same_box = same_box && b->box == range.first->box;
    }
    if (same_box) {
      result.has_box = 1;
      double* at = result.box;
      for (const Vec3& edge : range.first->box->edges()) {
        for (const double component : {edge.x, edge.y, edge.z}) {
          *at++ = component;
        }
      }
    }
    *sums = result;
  });
}

starhist_status starhist_get_particles(starhist_histogram* histogram, uint64_t block,
                                       size_t species, uint64_t* particles) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(particles, "particles");
    const std::size_t s = h.species(species);
    const BlockRange range = blocks_of(h, block);
    std::uint64_t sum = 0;
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      sum += b->particle_number[s];
    }
    *particles = sum;
  });
}

starhist_status starhist_get_pairs_over_volume(starhist_histogram* histogram,
                                               uint64_t block, size_t pair,
                                               double* sum) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(sum, "sum");
    const std::size_t p = h.pair(pair).index();
    const BlockRange range = blocks_of(h, block);
    double all = 0.0;
    for (const BlockCounts* b = range.first; b != range.end; ++b) {
      all += b->pairs_over_volume[p];
    }
    *sum = all;
  });
}
