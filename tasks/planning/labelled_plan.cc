#include "tasks/planning/labelled_plan.hh"

#include <algorithm>
#include <numeric>

#include "tasks/planning/cpu_share_plan.hh"

namespace starhist::tasks {
namespace {

/// Cost of a task besides counting: preparing each frame, submitting and running the
/// task, and the handle and the reduction of a block's counts [s].
constexpr double seconds_per_frame = 5e-6;
constexpr double seconds_per_task = 20e-6;
constexpr double seconds_per_block = 50e-6;
/// Cost of finding a pair's histogram [s per pair].
constexpr double seconds_to_label = 1.2e-9;

/// Fewer species pairs keep separate tasks.
constexpr std::size_t fewest_pairs = 16;
constexpr std::uint64_t groups_per_worker = 4;

std::uint64_t frames_of_run(const CountingOptions& options) {
  return std::max<std::uint64_t>(options.frames, 1);
}

/// Largest number of pairs of particles for which counting a species pair with others
/// beats separate tasks.
std::uint64_t most_labelled_pairs(const MachineSpeeds& machine,
                                  const CountingOptions& options) {
  const double frames = static_cast<double>(frames_of_run(options));
  const double block = std::min<double>(options.frames_per_block, frames);
  const double workers =
      static_cast<double>(std::max<std::uint64_t>(machine.workers, 1));
  // Small frames share tasks, but each worker needs some.
  const double together = std::clamp(frames / (2.0 * workers), 1.0, block);
  return static_cast<std::uint64_t>(
      (seconds_per_frame + seconds_per_task / together + seconds_per_block / block) /
      seconds_to_label);
}

/// Approximate number of frames in a batch of a GPU's tasks.
double frames_of_gpu_batch(const CountingOptions& options, std::uint64_t pairs) {
  constexpr double pairs_per_batch = 8e8;
  const double most = std::min<double>(
      options.frames_per_block,
      static_cast<double>(std::max<std::uint64_t>(options.frames / 4, 1)));
  return std::clamp(
      pairs_per_batch / static_cast<double>(std::max<std::uint64_t>(pairs, 1)), 1.0,
      most);
}

/// True if labels save time alongside GPUs, for `number` species pairs with `small` of
/// the `pairs` pairs in a frame.
bool saves_time_of_gpus(const MachineSpeeds& machine, const CountingOptions& options,
                        std::size_t number, std::uint64_t small, std::uint64_t pairs) {
  const double counted =
      static_cast<double>(small) * frames_of_gpu_batch(options, pairs) *
      seconds_per_labelled_pair / static_cast<double>(machine.workers);
  return 2.0 * counted < static_cast<double>(number) * seconds_per_task;
}

/// Marks the small species pairs; none if labels do not pay.
std::vector<bool> find_small_pairs(const MachineSpeeds& machine,
                                   const HistogramLayout& layout,
                                   const CountingOptions& options, const Frame& frame) {
  const std::uint64_t most = options.labels == Labelling::on
                                 ? UINT64_MAX
                                 : most_labelled_pairs(machine, options);
  std::vector<bool> small(layout.pairs.size(), false);
  std::size_t number = 0;
  std::uint64_t pairs_of_small = 0;
  std::uint64_t all = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const std::uint64_t pairs = pair_count(layout, frame, PairId(p));
    all += pairs;
    if (pairs <= most) {
      small[p] = true;
      ++number;
      pairs_of_small += pairs;
    }
  }
  const bool wanted =
      options.labels == Labelling::on ||
      (number >= fewest_pairs &&
       (machine.gpus == 0 ||
        saves_time_of_gpus(machine, options, number, pairs_of_small, all)));
  if (!wanted) {
    small.clear();
  }
  return small;
}

/// The species pair, if any, of every two labels.
class PairOfLabels {
 public:
  PairOfLabels(const HistogramLayout& layout, const std::vector<bool>& small,
               const std::vector<std::uint32_t>& label_of)
      : by_row_(label_of.size()) {
    for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
      if (small[p]) {
        const std::uint32_t first = label_of[layout.pairs[p].first.index()];
        const std::uint32_t second = label_of[layout.pairs[p].second.index()];
        by_row_[std::min(first, second)].push_back(
            {std::max(first, second), PairId(p)});
      }
    }
    for (auto& row : by_row_) {
      std::sort(row.begin(), row.end(),
                [](const Column& a, const Column& b) { return a.label < b.label; });
    }
  }

  struct Column {
    std::uint32_t label;
    PairId pair;
  };
  /// Partners of a label with the same label or a larger one, ascending.
  const std::vector<Column>& row(std::uint32_t label) const { return by_row_[label]; }

 private:
  std::vector<std::vector<Column>> by_row_;
};

/// Appends a pair of labels to the last run of a group, or starts another run.
void append(LabelledPairs::Group& group, std::uint32_t row, std::uint32_t column,
            PairId pair) {
  const bool continues = !group.runs.empty() && group.runs.back().row_label == row &&
                         group.runs.back().end_label == column;
  if (continues) {
    ++group.runs.back().end_label;
  } else {
    group.runs.push_back({row, column, column + 1, group.pairs.size()});
  }
  group.pairs.push_back(pair);
}

}  // namespace

LabelledPairs choose_labelled_pairs(const MachineSpeeds& machine,
                                    const HistogramLayout& layout,
                                    const CountingOptions& options,
                                    const Frame& frame) {
  LabelledPairs labels;
  if (options.labels == Labelling::off || machine.workers == 0 ||
      counts_only_same(layout.exclusion)) {
    return labels;
  }
  const std::vector<bool> small = find_small_pairs(machine, layout, options, frame);
  if (small.empty()) {
    return labels;
  }
  // Small species first: a species' small partners are then consecutive.
  labels.species.resize(layout.species.size());
  for (std::uint32_t s = 0; s < layout.species.size(); ++s) {
    labels.species[s] = SpeciesId(s);
  }
  std::stable_sort(labels.species.begin(), labels.species.end(),
                   [&](SpeciesId a, SpeciesId b) {
                     return frame.particle_count(a) < frame.particle_count(b);
                   });
  std::vector<std::uint32_t> label_of(layout.species.size());
  for (std::uint32_t label = 0; label < labels.species.size(); ++label) {
    label_of[labels.species[label].index()] = label;
  }
  const PairOfLabels pairs(layout, small, label_of);

  std::uint64_t all = 0;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    all += small[p] ? pair_count(layout, frame, PairId(p)) : 0;
  }
  const std::uint64_t most_groups = groups_per_worker * machine.workers;
  std::uint64_t counted = 0;
  for (std::uint32_t row = 0; row < labels.species.size(); ++row) {
    for (const PairOfLabels::Column& column : pairs.row(row)) {
      if (labels.groups.empty() || counted * most_groups > all * labels.groups.size()) {
        labels.groups.emplace_back();
      }
      append(labels.groups.back(), row, column.label, column.pair);
      counted += pair_count(layout, frame, column.pair);
    }
  }
  labels.labelled = small;
  return labels;
}

std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         const LabelledPairs::Group& group) {
  return std::accumulate(group.pairs.begin(), group.pairs.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, PairId pair) {
                           return sum + pair_count(layout, frame, pair);
                         });
}

std::uint64_t pair_count(const HistogramLayout& layout, const Frame& frame,
                         const LabelledPairs& labels) {
  std::uint64_t pairs = 0;
  for (const LabelledPairs::Group& group : labels.groups) {
    pairs += pair_count(layout, frame, group);
  }
  return pairs;
}

std::vector<std::uint64_t> pairs_of_groups(const HistogramLayout& layout,
                                           const LabelledPairs& labels,
                                           const std::vector<Frame>& frames) {
  std::vector<std::uint64_t> pairs;
  for (const LabelledPairs::Group& group : labels.groups) {
    pairs.push_back(0);
    for (const Frame& frame : frames) {
      pairs.back() += pair_count(layout, frame, group);
    }
  }
  return pairs;
}

std::vector<bool> species_besides(const HistogramLayout& layout,
                                  const PairExclusions& exclusions,
                                  const LabelledPairs& labels) {
  std::vector<bool> wanted(layout.species.size(), false);
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    if (!labels.contains(PairId(p)) ||
        exclusions.compounds(PairId(p)).pair_count() > 0) {
      wanted[layout.pairs[p].first.index()] = true;
      wanted[layout.pairs[p].second.index()] = true;
    }
  }
  return wanted;
}

}  // namespace starhist::tasks
