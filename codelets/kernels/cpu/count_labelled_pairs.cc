#include "codelets/kernels/cpu/count_labelled_pairs.hh"

#include <algorithm>
#include <exception>
#include <vector>

#include "codelets/kernels/countable.hh"
#include "codelets/kernels/cpu/cpu_tuning.hh"
#include "codelets/kernels/cpu/fixed_point.hh"

namespace starhist::kernels::cpu {
namespace {

/// Largest number of counters of histograms that are counted together, half a MiB,
/// which stay in the L2 cache over all rows and frames.
constexpr std::uint64_t most_counters = 1U << 16U;

/// A frame, prepared for the loops.
struct PreparedFrame {
  PairBlock block;
  FixedPoint fixed;
  std::vector<std::uint32_t> label;  ///< of each particle
};

void prepare(const LabelledBlock& frame, std::uint32_t labels, PreparedFrame& out) {
  out.block.first = out.block.second = frame.particles;
  out.block.like = true;
  out.block.row_end = frame.particles.count;
  out.block.image = frame.image;
  out.block.bins = frame.bins;
  STARHIST_EXPECT(are_countable({&out.block, 1}), "a kernel can count the block");
  make_fixed_point(out.block, out.fixed);
  out.label.resize(frame.particles.count);
  for (std::uint32_t label = 0; label < labels; ++label) {
    std::fill(out.label.begin() + frame.label_begin[label],
              out.label.begin() + frame.label_begin[label + 1], label);
  }
}

/// Runs cut so that their histograms stay in the cache.
std::vector<LabelRun> cut_runs(std::span<const LabelRun> runs,
                               const UniformBins& bins) {
  const auto most = static_cast<std::uint32_t>(
      std::max<std::uint64_t>(most_counters / (bins.count + 1ULL), 1));
  std::vector<LabelRun> pieces;
  for (LabelRun rest : runs) {
    while (rest.first_label < rest.end_label) {
      LabelRun piece = rest;
      piece.end_label = std::min(rest.end_label, rest.first_label + most);
      pieces.push_back(piece);
      rest.first_histogram += piece.end_label - piece.first_label;
      rest.first_label = piece.end_label;
    }
  }
  return pieces;
}

/// Counts a run in one frame; returns the instruction set of the loop, "" without a
/// pair.
const char* count_run(const Variant& variant, const LabelRun& run,
                      const LabelledBlock& frame, const PreparedFrame& prepared,
                      std::uint64_t* counts) {
  const char* instruction_set = "";
  PairLoop loop = make_pair_loop(prepared.block, prepared.fixed);
  loop.labelled = counts + run.first_histogram * (frame.bins->count + 1ULL);
  loop.label = prepared.label.data();
  loop.first_label = run.first_label;
  loop.row_begin = frame.label_begin[run.row_label];
  loop.row_end = frame.label_begin[run.row_label + 1];
  const std::size_t end = frame.label_begin[run.end_label];
  for (loop.column_begin = frame.label_begin[run.first_label]; loop.column_begin < end;
       loop.column_begin = loop.column_end) {
    loop.column_end = std::min<std::size_t>(loop.column_begin + columns_per_tile, end);
    if (loop.row_begin + 1 < loop.column_end) {
      instruction_set = variant.loop(loop);
    }
  }
  return instruction_set;
}

/// The first exception of the threads of a parallel region, because no exception may
/// leave the region.
class FirstFailure {
 public:
  /// Calls work(), unless another call has failed.
  template <class Work>
  void guard(Work work) noexcept {
    bool failed = false;
#pragma omp atomic read
    failed = failed_;
    if (failed) {
      return;
    }
    try {
      work();
    } catch (...) {
#pragma omp critical(starhist_labelled_failure)
      if (!first_) {
        first_ = std::current_exception();
      }
#pragma omp atomic write
      failed_ = true;
    }
  }
  /// Rethrows the exception after the region.
  void rethrow() const {
    if (first_) {
      std::rethrow_exception(first_);
    }
  }

 private:
  std::exception_ptr first_;
  bool failed_ = false;
};

}  // namespace

std::uint64_t pair_count(const LabelRun& run, const std::uint32_t* label_begin) {
  STARHIST_EXPECT(run.row_label <= run.first_label,
                  "labels of columns are not below the label of rows");
  const std::uint64_t rows =
      label_begin[run.row_label + 1] - label_begin[run.row_label];
  if (run.first_label >= run.end_label || rows == 0) {
    return 0;
  }
  const std::uint64_t columns =
      label_begin[run.end_label] - label_begin[run.first_label];
  // With its own label, row i of [0, rows) has rows - 1 - i partners.
  return rows * columns -
         (run.first_label == run.row_label ? rows * (rows + 1) / 2 : 0);
}

CountedPairs count_labelled_pairs(const Variant& variant,
                                  std::span<const LabelledBlock> frames,
                                  std::span<const LabelRun> runs, int threads,
                                  std::uint64_t* counts) {
  STARHIST_EXPECT(threads >= 1, "a kernel uses at least one thread");
  STARHIST_EXPECT(std::all_of(frames.begin(), frames.end(),
                              [](const LabelledBlock& frame) {
                                return are_finite(frame.particles);
                              }),
                  "positions must be finite");
  CountedPairs counted;
  std::uint32_t labels = 0;
  for (const LabelRun& run : runs) {
    labels = std::max(labels, run.end_label);
    for (const LabelledBlock& frame : frames) {
      counted.pairs += pair_count(run, frame.label_begin);
    }
  }
  if (counted.pairs == 0) {
    return counted;
  }
  thread_local std::vector<PreparedFrame> own_prepared;  // memory is kept between calls
  std::vector<PreparedFrame>& prepared = own_prepared;   // the calling thread's
  prepared.resize(std::max(prepared.size(), frames.size()));
  const std::vector<LabelRun> pieces = cut_runs(runs, *frames.front().bins);
  FirstFailure failure;  // out of memory
#pragma omp parallel num_threads(threads) if (threads > 1)
  {
#pragma omp for schedule(dynamic)
    for (std::size_t f = 0; f < frames.size(); ++f) {
      failure.guard([&] { prepare(frames[f], labels, prepared[f]); });
    }
    // Pieces never share a histogram.
#pragma omp for schedule(dynamic)
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      failure.guard([&] {
        for (std::size_t f = 0; f < frames.size(); ++f) {
          const char* instruction_set =
              count_run(variant, pieces[p], frames[f], prepared[f], counts);
          if (*instruction_set == '\0') {
            continue;
          }
          const std::string loop =
              std::string(instruction_set) + " labelled " +
              loop_name(make_pair_loop(prepared[f].block, prepared[f].fixed));
#pragma omp critical(starhist_labelled_loop_name)
          if (counted.loop.empty()) {
            counted.loop = loop;
          }
        }
      });
    }
  }
  failure.rethrow();
  return counted;
}

CountedPairs count_labelled_pairs(std::span<const LabelledBlock> frames,
                                  std::span<const LabelRun> runs, int threads,
                                  std::uint64_t* counts) {
  return count_labelled_pairs(selected_variant(), frames, runs, threads, counts);
}

}  // namespace starhist::kernels::cpu
