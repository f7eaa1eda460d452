#include "codelets/kernels/neighbours/count_neighbours.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "codelets/core/base/divide_up.hh"
#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/countable.hh"
#include "codelets/kernels/error_bounds/displacement_error.hh"

namespace starhist::kernels {
namespace {

/// Particles of a part, about a tenth of a millisecond of work.
constexpr std::size_t centres_per_part = 1024;
/// Pairs of a part if pair_bin() decides all pairs.
constexpr std::size_t defined_pairs_per_part = 1 << 17;
/// Mean number of centres per cell that pays for collecting its neighbourhood.
constexpr double centres_per_cell = 3.0;
/// Images are compared in groups of this size.
constexpr std::size_t group = 16;
/// Coordinate of entries that fill the last group: beyond every cut-off.
constexpr float far_away = 1e15F;
/// Largest error of single precision in units of the cut-off at which cells are used.
constexpr double largest_error = 0.1;
constexpr double single_rounding = 0x1p-24;

/// Scalar product without the fused operations of dot(), which are function calls on
/// CPUs without FMA in their baseline.
double product(Vec3 u, Vec3 v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

double component(Vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

/// Images around a cell, in groups.
struct NeighbourSearch::Neighbourhood {
  struct Range {
    std::size_t begin;   ///< of these images
    std::size_t offset;  ///< of the first of them in the neighbourhood
  };
  std::vector<float> x, y, z;
  std::vector<Range> ranges;
  std::size_t size = 0;

  /// Index of image k of the neighbourhood among all images.
  std::size_t image(std::size_t k) const {
    std::size_t r = ranges.size() - 1;
    while (ranges[r].offset > k) {
      --r;
    }
    return ranges[r].begin + k - ranges[r].offset;
  }
};

NeighbourSearch::NeighbourSearch(const Box& box, const NeighbourShell& shell,
                                 PositionSpan centres, PositionSpan neighbours)
    : image_(box.minimum_image()),
      shell_(shell),
      centres_(centres),
      neighbours_(neighbours),
      periodic_(box.periodic_axis_count()) {
  STARHIST_EXPECT(
      shell.bins.below == 0 && shell.edge >= 1 && shell.edge <= shell.bins.count,
      "a shell ends at an edge of bins from distance 0");
  STARHIST_EXPECT(are_finite(centres), "positions must be finite");
  STARHIST_EXPECT(are_finite(neighbours), "positions must be finite");
  has_cells_ = centres.count > 0 && neighbours.count > 0 && choose_scale(box);
  if (!has_cells_) {
    return;
  }
  std::vector<Vec3> wrapped_centres(centres.count);
  for (std::size_t i = 0; i < centres.count; ++i) {
    wrapped_centres[i] = wrapped(centres[i]).position;
  }
  choose_cells(wrapped_centres);
  sort_centres(wrapped_centres);
  sort_neighbours();
}

// Error of a distance. In double precision, wrapping and shifting two positions and
// pair_bin() itself are within displacement_error(), which covers twice as many
// operations with the same numbers. In single precision, with u = 2^-24, H the largest
// |coordinate| relative to origin_ and distances r: both positions are rounded, by u H
// per component, and their difference, the squares and their sums by up to (1 + 3/2) u
// r. Together at most 2 sqrt(3) u H + 2.5 u r; the limits take 4 u H + 3 u r.
bool NeighbourSearch::choose_scale(const Box& box) {
  Bounds bounds;
  bounds.add(centres_, 0, centres_.count);
  bounds.add(neighbours_, 0, neighbours_.count);
  const double exact = displacement_error(image_, bounds);
  radius_ = (shell_.edge - edge_shift) / shell_.bins.inverse_width;
  double extent = 1.5 * radius_;
  if (periodic_ < 3) {
    extent += bounds.diameter();
  }
  for (int axis = 0; axis < periodic_; ++axis) {
    extent += length(image_.edge[axis]);
  }
  // No image in a cell is farther than 4 extent from origin_ (choose_cells()).
  const double single = single_rounding * (16.0 * extent + 3.0 * radius_) * 1.01;
  const double error = exact + single + 0x1p-50 * radius_;
  if (!(error < largest_error * radius_)) {
    return false;
  }
  reach_ = (radius_ + 2.0 * error) * (1.0 + 0x1p-30);
  if (!(reach_ < box.inscribed_radius())) {
    return false;  // two images of a particle could be neighbours
  }
  const double relative = error / radius_;
  surely_within_ =
      std::nextafter(static_cast<float>((1.0 - relative) * (1.0 - relative)), 0.0F);
  surely_beyond_ =
      std::nextafter(static_cast<float>((1.0 + relative) * (1.0 + relative)), 2.0F);
  return true;
}

NeighbourSearch::Wrapped NeighbourSearch::wrapped(Vec3 position) const {
  Wrapped result{position, {}};
  for (int axis = 0; axis < periodic_; ++axis) {
    const double t = product(position, image_.dual[axis]);
    const double boxes = std::floor(t);
    result.fraction[axis] = t - boxes;
    if (boxes != 0.0) {
      result.position = result.position - boxes * image_.edge[axis];
    }
  }
  return result;
}

void NeighbourSearch::choose_cells(const std::vector<Vec3>& wrapped_centres) {
  double high[3];
  for (int axis = 0; axis < 3; ++axis) {
    low_[axis] = std::numeric_limits<double>::infinity();
    high[axis] = -low_[axis];
  }
  for (const Vec3 position : wrapped_centres) {
    for (int axis = 0; axis < 3; ++axis) {
      low_[axis] = std::min(low_[axis], component(position, axis));
      high[axis] = std::max(high[axis], component(position, axis));
    }
  }
  double volume = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    volume *= std::max(high[axis] - low_[axis], reach_);
  }
  const auto count = static_cast<double>(wrapped_centres.size());
  double width =
      std::max(reach_ * (1.0 + 0x1p-30), std::cbrt(centres_per_cell * volume / count));
  const double most_cells =
      4096.0 + 2.0 * (count + static_cast<double>(neighbours_.count));
  const auto cells_along = [&](int axis) {
    return std::floor((high[axis] - low_[axis]) / width) + 3.0;
  };
  while (cells_along(0) * cells_along(1) * cells_along(2) > most_cells) {
    width *= 1.25;
  }
  cell_scale_ = 1.0 / width;
  origin_ = 0.5 * Vec3{low_[0] + high[0], low_[1] + high[1], low_[2] + high[2]};
  for (int axis = 0; axis < 3; ++axis) {
    cells_[axis] = static_cast<std::int64_t>(cells_along(axis));
    low_[axis] -= width;  // a layer of cells without centres on each side
  }
}

std::int64_t NeighbourSearch::cell_along(int axis, double x) const {
  // Images far from all centres may be anywhere. Truncation of a number >= 0 is
  // floor().
  return static_cast<std::int64_t>(
             std::clamp((x - low_[axis]) * cell_scale_, -1.0, 1e9) + 1.0) -
         1;
}

std::size_t NeighbourSearch::cell_index(const std::int64_t (&at)[3]) const {
  return static_cast<std::size_t>((at[2] * cells_[1] + at[1]) * cells_[0] + at[0]);
}

void NeighbourSearch::sort_centres(const std::vector<Vec3>& wrapped_centres) {
  const auto count = static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]);
  std::vector<std::uint32_t> ends(count + 1);
  std::vector<std::uint32_t> cell_of(wrapped_centres.size());
  for (std::size_t i = 0; i < wrapped_centres.size(); ++i) {
    std::int64_t at[3];
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = std::clamp<std::int64_t>(
          cell_along(axis, component(wrapped_centres[i], axis)), 1, cells_[axis] - 2);
    }
    cell_of[i] = static_cast<std::uint32_t>(cell_index(at));
    ++ends[cell_of[i] + 1];
  }
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  order_.resize(wrapped_centres.size());
  std::vector<std::uint32_t> next(ends.begin(), ends.end() - 1);
  for (std::size_t i = 0; i < wrapped_centres.size(); ++i) {
    order_[next[cell_of[i]]++] = static_cast<std::uint32_t>(i);
  }
  centre_x_.resize(order_.size());
  centre_y_.resize(order_.size());
  centre_z_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Vec3 p = (1.0 / radius_) * (wrapped_centres[order_[k]] - origin_);
    centre_x_[k] = static_cast<float>(p.x);
    centre_y_[k] = static_cast<float>(p.y);
    centre_z_[k] = static_cast<float>(p.z);
  }
  part_begin_ = {0};
  std::size_t in_part = 0;
  for (std::size_t cell = 0; cell < count; ++cell) {
    if (ends[cell] == ends[cell + 1]) {
      continue;
    }
    occupied_.push_back({cell, ends[cell], ends[cell + 1]});
    in_part += ends[cell + 1] - ends[cell];
    if (in_part >= centres_per_part) {
      part_begin_.push_back(occupied_.size());
      in_part = 0;
    }
  }
  if (part_begin_.back() != occupied_.size()) {
    part_begin_.push_back(occupied_.size());
  }
}

/// Calls act(cell, position) for each image in a cell.
template <class Act>
void NeighbourSearch::for_each_image(Vec3 position, Act act) const {
  const Wrapped own = wrapped(position);
  int first[3] = {0, 0, 0};
  int last[3] = {0, 0, 0};
  for (int axis = 0; axis < periodic_; ++axis) {
    // Part of an edge that reach_ spans at most, with a margin for rounding.
    const double part = reach_ * length(image_.dual[axis]) + 0x1p-20;
    first[axis] = static_cast<int>(std::ceil(-part - own.fraction[axis]));
    last[axis] = static_cast<int>(std::floor(1.0 + part - own.fraction[axis]));
  }
  for (int a = first[0]; a <= last[0]; ++a) {
    for (int b = first[1]; b <= last[1]; ++b) {
      for (int c = first[2]; c <= last[2]; ++c) {
        Vec3 image = own.position;
        image = a == 0 ? image : image + static_cast<double>(a) * image_.edge[0];
        image = b == 0 ? image : image + static_cast<double>(b) * image_.edge[1];
        image = c == 0 ? image : image + static_cast<double>(c) * image_.edge[2];
        const std::int64_t at[3] = {cell_along(0, image.x), cell_along(1, image.y),
                                    cell_along(2, image.z)};
        const bool inside = at[0] >= 0 && at[0] < cells_[0] && at[1] >= 0 &&
                            at[1] < cells_[1] && at[2] >= 0 && at[2] < cells_[2];
        if (inside) {
          act(cell_index(at), image);
        }
      }
    }
  }
}

void NeighbourSearch::sort_neighbours() {
  struct Image {
    std::uint32_t cell;
    std::uint32_t particle;
    float x, y, z;
  };
  std::vector<Image> images;
  images.reserve(neighbours_.count + neighbours_.count / 2);
  begin_.assign(static_cast<std::size_t>(cells_[0] * cells_[1] * cells_[2]) + 1, 0);
  for (std::size_t j = 0; j < neighbours_.count; ++j) {
    for_each_image(neighbours_[j], [&](std::size_t cell, Vec3 position) {
      const Vec3 p = (1.0 / radius_) * (position - origin_);
      images.push_back({static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(j),
                        static_cast<float>(p.x), static_cast<float>(p.y),
                        static_cast<float>(p.z)});
      ++begin_[cell + 1];
    });
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  x_.resize(images.size());
  y_.resize(images.size());
  z_.resize(images.size());
  particle_.resize(images.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Image& image : images) {
    const std::uint32_t k = next[image.cell]++;
    x_[k] = image.x;
    y_[k] = image.y;
    z_[k] = image.z;
    particle_[k] = image.particle;
  }
}

std::size_t NeighbourSearch::parts() const {
  if (has_cells_) {
    return part_begin_.size() - 1;
  }
  const std::size_t rows =
      std::max<std::size_t>(1, defined_pairs_per_part / (neighbours_.count + 1));
  return divide_up(centres_.count, rows);
}

bool NeighbourSearch::is_neighbour(std::size_t centre, std::size_t neighbour) const {
  return pair_bin(image_, shell_.bins, centres_[centre], neighbours_[neighbour]) <
         shell_.edge;
}

std::uint64_t NeighbourSearch::count_by_definition(std::size_t part,
                                                   std::uint32_t* counts) const {
  const std::size_t begin = part * centres_.count / parts();
  const std::size_t end = (part + 1) * centres_.count / parts();
  for (std::size_t i = begin; i < end; ++i) {
    counts[i] = 0;
    for (std::size_t j = 0; j < neighbours_.count; ++j) {
      counts[i] += is_neighbour(i, j) ? 1 : 0;
    }
  }
  return (end - begin) * neighbours_.count;
}

std::size_t NeighbourSearch::collect(const Cell& own, Neighbourhood& near) const {
  // Three cells along x follow each other.
  const auto row = static_cast<std::size_t>(cells_[0]);
  const auto plane = row * static_cast<std::size_t>(cells_[1]);
  near.size = 0;
  near.ranges.clear();
  for (std::size_t z = 0; z < 3; ++z) {
    for (std::size_t y = 0; y < 3; ++y) {
      const std::size_t first = own.cell + z * plane + y * row - plane - row - 1;
      const std::size_t from = begin_[first];
      const std::size_t length = begin_[first + 3] - from;
      if (length == 0) {
        continue;
      }
      near.ranges.push_back({from, near.size});
      const std::size_t needed = near.size + length + group;
      if (near.x.size() < needed) {
        near.x.resize(2 * needed);
        near.y.resize(2 * needed);
        near.z.resize(2 * needed);
      }
      std::copy_n(&x_[from], length, &near.x[near.size]);
      std::copy_n(&y_[from], length, &near.y[near.size]);
      std::copy_n(&z_[from], length, &near.z[near.size]);
      near.size += length;
    }
  }
  const std::size_t padded = divide_up(near.size, group) * group;
  std::fill(near.x.begin() + static_cast<std::ptrdiff_t>(near.size),
            near.x.begin() + static_cast<std::ptrdiff_t>(padded), far_away);
  return padded;
}

std::uint64_t NeighbourSearch::count(std::size_t part, std::uint32_t* counts) const {
  STARHIST_EXPECT(part < parts(), "the search has this part");
  if (!has_cells_) {
    return count_by_definition(part, counts);
  }
  std::uint64_t decided = 0;
  Neighbourhood near;
  for (std::size_t k = part_begin_[part]; k < part_begin_[part + 1]; ++k) {
    const Cell& own = occupied_[k];
    const std::size_t padded = collect(own, near);
    const float* const nx = near.x.data();
    const float* const ny = near.y.data();
    const float* const nz = near.z.data();
    const float within = surely_within_;
    const float beyond = surely_beyond_;
    for (std::size_t c = own.begin; c < own.end; ++c) {
      const float cx = centre_x_[c];
      const float cy = centre_y_[c];
      const float cz = centre_z_[c];
      const auto squared = [&](std::size_t n) {
        const float dx = nx[n] - cx;
        const float dy = ny[n] - cy;
        const float dz = nz[n] - cz;
        return dx * dx + dy * dy + dz * dz;
      };
      std::uint32_t inside = 0;
      std::uint32_t possible = 0;
      for (std::size_t n = 0; n < padded; ++n) {
        const float r2 = squared(n);
        inside += r2 < within ? 1U : 0U;
        possible += r2 < beyond ? 1U : 0U;
      }
      const std::size_t centre = order_[c];
      for (std::size_t n = 0; possible != inside && n < near.size; ++n) {
        const float r2 = squared(n);
        if (r2 >= within && r2 < beyond) {
          --possible;
          ++decided;
          if (is_neighbour(centre, particle_[near.image(n)])) {
            ++inside;
            ++possible;
          }
        }
      }
      counts[centre] = inside;
    }
  }
  return decided;
}

}  // namespace starhist::kernels
