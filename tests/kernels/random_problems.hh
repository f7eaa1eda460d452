// Problems drawn from all valid input: any lattice, any arrangement of the particles,
// any bins, cut in any way.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/kernels/hard_problems.hh"
#include "tests/support/boxes.hh"

namespace starhist::testing {

/// Some frames with the same bins, and the rows of each that form one block.
struct RandomProblem {
  std::vector<PairProblem> frames;
  std::vector<std::vector<std::size_t>> row_ends;  ///< ascending, to the last row
  std::string text;                                ///< description for messages

  /// They point into this object.
  std::vector<kernels::PairBlock> blocks() const {
    std::vector<kernels::PairBlock> blocks;
    for (std::size_t f = 0; f < frames.size(); ++f) {
      std::size_t begin = 0;
      for (const std::size_t end : row_ends[f]) {
        blocks.push_back(frames[f].block());
        blocks.back().row_begin = begin;
        blocks.back().row_end = end;
        begin = end;
      }
    }
    return blocks;
  }
};

/// A named shape, in any unit, or any box at all.
inline Box any_box(Random& random) {
  if (random.chance(0.3)) {
    return random_box(random);
  }
  const auto boxes = test_boxes();
  const Box& box = boxes[random.below(boxes.size())].box;
  const double unit = random.chance(0.5) ? 1.0 : random.log_uniform(1e-3, 1e3);
  return Box({unit * box.edges()[0], unit * box.edges()[1], unit * box.edges()[2]},
             box.periodic());
}

/// The edges along which particles are placed: the box's, or those of a unit cube.
inline std::array<Vec3, 3> cell_of(const Box& box) {
  std::array<Vec3, 3> cell{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cell[axis] = box.edges()[axis] == Vec3{} ? cell[axis] : box.edges()[axis];
  }
  return cell;
}

/// Upper bound of distances in the cell.
inline double extent_of(const Box& box) {
  const auto cell = cell_of(box);
  return box.has_volume() ? box.covering_radius() : length(cell[0] + cell[1] + cell[2]);
}

enum class Arrangement { uniform, clusters, one_point, grid, borders, bin_edges };

/// Draws particles of one arrangement.
class Placement {
 public:
  Placement(Random& random, const Box& box, const UniformBins& bins)
      : random_(random),
        cell_(cell_of(box)),
        bins_(bins),
        arrangement_(static_cast<Arrangement>(random.below(6))),
        cells_(std::floor(random.log_uniform(1.0, 65.0))),
        width_(random.log_uniform(1e-9, 0.3)),
        line_(random.vector(1.0)) {
    for (auto& centre : centres_) {
      centre = {random.uniform(), random.uniform(), random.uniform()};
    }
    if (random.chance(0.7)) {
      line_ = cell_[random.below(3)];
    }
    line_ = (1.0 / length(line_)) * line_;
  }

  static const char* name(Arrangement arrangement) {
    constexpr const char* names[] = {"uniform", "clusters", "one point",
                                     "grid",    "borders",  "bin edges"};
    return names[static_cast<std::size_t>(arrangement)];
  }
  std::string name() const { return name(arrangement_); }

  Vec3 draw() {
    if (arrangement_ == Arrangement::bin_edges) {
      return along_line();
    }
    std::array<double, 3> f{};
    const auto& centre = centres_[random_.below(centres_.size())];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      switch (arrangement_) {
        case Arrangement::clusters:
          f[axis] = centre[axis] + random_.uniform(-width_, width_);
          break;
        case Arrangement::one_point:
          f[axis] = centres_[0][axis];
          break;
        case Arrangement::grid:
          f[axis] = static_cast<double>(random_.below(65)) / cells_;
          break;
        case Arrangement::borders:
          f[axis] = border();
          break;
        default:
          f[axis] = random_.uniform();
          break;
      }
    }
    return f[0] * cell_[0] + f[1] * cell_[1] + f[2] * cell_[2];
  }

 private:
  /// A face of the cell or of a smaller cell in it, or a few roundings next to one.
  double border() {
    const double at = static_cast<double>(random_.below(9)) / 8.0;
    return random_.chance(0.5) ? at : at * (1.0 + tiny(random_, 1e-17, 1e-7));
  }

  /// Integer numbers of bin widths from others on the line.
  Vec3 along_line() {
    const double steps = static_cast<double>(random_.below(bins_.count + 2ULL));
    const double r = steps * bins_.width();
    return (random_.chance(0.5) ? r : r * (1.0 + tiny(random_, 1e-17, 1e-6))) * line_;
  }

  Random& random_;
  std::array<Vec3, 3> cell_;
  const UniformBins& bins_;
  Arrangement arrangement_;
  double cells_;
  double width_;
  Vec3 line_;
  std::array<std::array<double, 3>, 5> centres_{};
};

/// A number of particles: up to `most`, often near the size of a cluster.
inline std::size_t particle_count(Random& random, std::size_t most) {
  constexpr std::size_t sizes[] = {0, 1, 2, 16, 32, 64, 128, 256, 512, 1024};
  const auto few = static_cast<std::size_t>(
      random.log_uniform(1.0, static_cast<double>(most) + 1.0));
  const std::size_t size =
      sizes[random.below(std::size(sizes))] + (random.chance(0.5) ? 1 : 0);
  return random.chance(0.7) ? few : std::min(size, most);
}

/// Particles of two arrangements, some of them coincident, unwrapped by many boxes.
inline std::vector<double> arranged(Random& random, const Box& box,
                                    const UniformBins& bins, std::size_t count,
                                    std::string& text) {
  Placement one(random, box, bins);
  Placement other(random, box, bins);
  const double share = random.chance(0.6) ? 1.0 : random.uniform();
  const double coincident = random.chance(0.7) ? 0.0 : 0.5;
  const Vec3 origin = random.chance(0.7) ? Vec3{} : random.vector(1e3 * extent_of(box));
  std::vector<double> xyz;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0 && random.chance(coincident)) {
      const std::size_t j = 3 * random.below(i);
      append(xyz, {xyz[j], xyz[j + 1], xyz[j + 2]});
    } else {
      append(xyz, origin + (random.chance(share) ? one : other).draw());
    }
  }
  constexpr int boxes_away[] = {0, 0, 0, 1, 20, 1000};
  const int most = boxes_away[random.below(std::size(boxes_away))];
  if (most > 0) {
    unwrap(random, box, most, xyz);
  }
  text += ", " + std::to_string(count) + " " + one.name() +
          (share < 1.0 ? " and " + other.name() : "") +
          (coincident > 0.0 ? ", some coincident" : "") +
          (most > 0 ? ", up to " + std::to_string(most) + " boxes away" : "");
  return xyz;
}

/// From far below the box to three times its size, occasionally at a characteristic
/// distance of the box.
inline double any_r_max(Random& random, const Box& box) {
  const double extent = extent_of(box);
  switch (random.below(6)) {
    case 0:
      return extent * random.log_uniform(1e-6, 3.0);
    case 1:
      return std::min(box.rounding_radius(), 3.0 * extent);
    case 2:
      return extent;
    default:
      return extent * random.uniform(0.02, 3.0);
  }
}

inline PairProblem any_frame(Random& random, const Box& box, const UniformBins& bins,
                             std::size_t most, std::string& text) {
  PairProblem frame;
  frame.box = box;
  frame.bins = bins;
  frame.like = random.chance(0.5);
  text += frame.like ? "; like" : "; unlike";
  // Occasionally enough columns for other sizes of clusters.
  const bool wide = !frame.like && random.chance(0.02);
  frame.first =
      arranged(random, box, bins, particle_count(random, wide ? 40 : most), text);
  if (!frame.like) {
    const std::size_t columns =
        wide ? 32'700 + random.below(200) : particle_count(random, most);
    frame.second = arranged(random, box, bins, columns, text);
  }
  if (random.chance(0.6)) {
    if (random.chance(0.8)) {
      frame.cluster();
      text += ", sorted";
    }
    frame.clustered = true;  // out of order, counts must be equal, too
    text += ", tiled";
  }
  return frame;
}

inline RandomProblem any_problem(Random& random) {
  RandomProblem problem;
  if (random.chance(0.2)) {
    problem.frames.push_back(random.chance(0.5) ? hard_problem(random)
                                                : hard_clusters(random));
    problem.text = "next to edges and facets";
  } else {
    const Box box = any_box(random);
    const auto count = static_cast<std::uint32_t>(
        random.log_uniform(1.0, random.chance(0.5) ? 1e4 : 1e6));
    const UniformBins bins = make_bins(any_r_max(random, box), count);
    const std::size_t frames = random.chance(0.8) ? 1 : 2 + random.below(4);
    problem.text = to_string(box.kind()) + ", reach " + std::to_string(extent_of(box)) +
                   ", r_max " + std::to_string(bins.r_max) + ", " +
                   std::to_string(count) + " bins";
    for (std::size_t f = 0; f < frames; ++f) {
      problem.frames.push_back(any_frame(random,
                                         random.chance(0.7) ? box : any_box(random),
                                         bins, frames > 1 ? 200 : 1100, problem.text));
    }
  }
  for (const PairProblem& frame : problem.frames) {
    const std::size_t rows = frame.first.size() / 3;
    std::vector<std::size_t> ends{rows};
    for (std::uint64_t cut = random.chance(0.6) ? 0 : random.below(5); cut > 0; --cut) {
      ends.push_back(random.below(rows + 1));
    }
    std::sort(ends.begin(), ends.end());
    problem.text += ", blocks: " + std::to_string(ends.size());
    problem.row_ends.push_back(std::move(ends));
  }
  return problem;
}

}  // namespace starhist::testing
