#include "codelets/core/molecules/neighbour_cells.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "codelets/core/base/contract.hh"

namespace starhist {
namespace {

/// Largest number of cells; further ones would cost more to clear than they save.
constexpr std::int64_t most_cells = 1 << 18;
/// Bounds of the rounding of cell coordinates: in box lengths, for positions up to 2^32
/// box lengths away, and in units of the largest coordinate.
constexpr double periodic_rounding = 0x1p-18;
constexpr double open_rounding = 0x1p-46;
/// Wrapped positions are used up to this number of boxes from the origin.
constexpr double most_boxes = 1024.0;
/// Rounding of a wrapped position, relative to the largest of the numbers involved.
constexpr double wrapped_rounding = 0x1p-48;
/// Largest relative excess of a distance that counts as equal to the radius.
constexpr double tolerance = 0x1p-30;

Vec3 at(const std::vector<double>& positions, std::uint32_t particle) {
  const double* const p = &positions[3 * std::size_t{particle}];
  return {p[0], p[1], p[2]};
}

/// Scalar product without the fused operations of dot(), which are function calls on
/// CPUs without FMA in their baseline.
double product(Vec3 u, Vec3 v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

/// std::floor(), without a function call for numbers of ordinary size.
double floor_of(double t) {
  constexpr double exact_integers = 0x1p52;
  if (!(std::abs(t) < exact_integers)) {
    return std::floor(t);
  }
  const auto truncated = static_cast<double>(static_cast<std::int64_t>(t));
  return truncated > t ? truncated - 1.0 : truncated;
}

/// Distance of x from the interval from low to high.
double gap(double x, double low, double high) {
  return std::max(std::max(low - x, x - high), 0.0);
}

Vec3 normalized(Vec3 v) {
  return (1.0 / length(v)) * v;
}

/// A direction that is orthogonal to v.
Vec3 any_normal(Vec3 v) {
  const bool along_x = std::abs(v.x) > 0.5 * length(v);
  return normalized(cross(v, along_x ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
}

/// Directions that are orthogonal to all `periodic` edges of a reduced box and to each
/// other.
std::vector<Vec3> open_directions(const MinimumImage& image, int periodic) {
  switch (periodic) {
    case 0:
      return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    case 1: {
      const Vec3 first = any_normal(image.edge[0]);
      return {first, normalized(cross(image.edge[0], first))};
    }
    case 2:
      return {normalized(cross(image.edge[0], image.edge[1]))};
    default:
      return {};
  }
}

}  // namespace

void NeighbourCells::choose_axes(const Box& box, double radius,
                                 const std::vector<double>& positions,
                                 const std::vector<std::uint32_t>& points) {
  const double reach = radius * (1.0 + 2.0 * tolerance);
  const int periodic = box.periodic_axis_count();
  std::array<double, 3> extent{};  // of the points along open axes
  double size = radius;            // bound of the numbers in a wrapped position
  for (int k = 0; k < periodic; ++k) {
    const Vec3 dual = image_.dual[k];
    const double count = std::floor(1.0 / (reach * length(dual) + periodic_rounding));
    axes_[static_cast<std::size_t>(k)] = {
        dual, image_.edge[k], true,
        static_cast<std::int64_t>(std::clamp(count, 1.0, 1e6))};
  }
  std::array<double, 3> width{};
  auto axis = static_cast<std::size_t>(periodic);
  for (const Vec3 direction : open_directions(image_, periodic)) {
    double low = dot(at(positions, points.front()), direction);
    double high = low;
    double largest = 0.0;
    for (const std::uint32_t point : points) {
      const Vec3 position = at(positions, point);
      const double t = product(position, direction);
      low = std::min(low, t);
      high = std::max(high, t);
      largest = std::max(largest, length(position));
    }
    extent[axis] = high - low;
    width[axis] = reach + open_rounding * largest;
    const double count = std::floor(extent[axis] / width[axis]) + 1.0;
    axes_[axis] = {direction, {},
                   false,     static_cast<std::int64_t>(std::clamp(count, 1.0, 1e6)),
                   low,       1.0};
    size += largest;
    ++axis;
  }
  const auto cells = [this] {
    return axes_[0].count * axes_[1].count * axes_[2].count;
  };
  while (cells() > most_cells) {
    Axis& longest = *std::max_element(
        axes_.begin(), axes_.end(),
        [](const Axis& a, const Axis& b) { return a.count < b.count; });
    longest.count /= 2;
  }
  direct_ = true;
  for (std::size_t k = 0; k < 3; ++k) {
    Axis& each = axes_[k];
    if (each.periodic) {
      each.count = each.count < 3 ? 1 : each.count;
      direct_ = direct_ && each.count > 1;
      size += most_boxes * length(each.edge);
      continue;
    }
    const auto count = static_cast<double>(each.count);
    const double cell = std::max(width[k], extent[k] / count * (1.0 + tolerance));
    each.scale = 1.0 / cell;
    each.low -= cell;  // a cell without points at each end
    each.count += 2;
  }
  const double delta = wrapped_rounding * size;
  const double limit = radius * (1.0 + tolerance);
  const double within = std::max(limit - delta, 0.0);
  limit2_ = limit * limit;
  surely_within2_ = within * within;
  surely_beyond2_ = (limit + delta) * (limit + delta);
}

bool NeighbourCells::find(Vec3 position, Place& place) const {
  place.is_precise = true;
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis& axis = axes_[k];
    const auto count = static_cast<double>(axis.count);
    double t = product(position, axis.direction);
    if (axis.periodic) {
      place.boxes[k] = floor_of(t);
      t = (t - place.boxes[k]) * count;
      place.is_precise =
          place.is_precise && std::abs(place.boxes[k]) < most_boxes && t < count;
      t = t < count ? t : 0.0;  // also for a coordinate that overflows
    } else {
      t = (t - axis.low) * axis.scale;
      if (!(t >= 0.0 && t < count)) {
        return false;
      }
    }
    place.cell[k] = static_cast<std::int64_t>(t);
  }
  return true;
}

Vec3 NeighbourCells::wrapped(Vec3 position, const Place& place) const {
  for (std::size_t k = 0; k < 3 && axes_[k].periodic; ++k) {
    position = position - place.boxes[k] * axes_[k].edge;
  }
  return position;
}

std::size_t NeighbourCells::index(std::int64_t a, std::int64_t b,
                                  std::int64_t c) const {
  return static_cast<std::size_t>((a * axes_[1].count + b) * axes_[2].count + c);
}

NeighbourCells::Range NeighbourCells::around(const Axis& axis, std::int64_t cell) {
  Range range;
  if (axis.count == 1) {
    range.cells[0] = cell;
    range.count = 1;
    return range;
  }
  for (const std::int64_t step : {0, -1, 1}) {  // the nearest ones first
    std::int64_t next = cell + step;
    double wrap = 0.0;
    if (axis.periodic && next < 0) {
      next = axis.count - 1;
      wrap = -1.0;
    } else if (axis.periodic && next == axis.count) {
      next = 0;
      wrap = 1.0;
    }
    if (next >= 0 && next < axis.count) {
      range.cells[range.count] = next;
      range.wraps[range.count++] = wrap;
    }
  }
  return range;
}

template <class Act>
bool NeighbourCells::any_near(const std::array<std::int64_t, 3>& cell, Act act) const {
  const Range a = around(axes_[0], cell[0]);
  const Range b = around(axes_[1], cell[1]);
  const Range c = around(axes_[2], cell[2]);
  for (std::size_t i = 0; i < a.count; ++i) {
    const Vec3 along_a = a.wraps[i] * axes_[0].edge;
    for (std::size_t j = 0; j < b.count; ++j) {
      const Vec3 along_b = along_a + b.wraps[j] * axes_[1].edge;
      for (std::size_t k = 0; k < c.count; ++k) {
        if (act(index(a.cells[i], b.cells[j], c.cells[k]),
                along_b + c.wraps[k] * axes_[2].edge)) {
          return true;
        }
      }
    }
  }
  return false;
}

void NeighbourCells::sort(const Box& box, double radius,
                          const std::vector<double>& positions,
                          const std::vector<std::uint32_t>& points) {
  STARHIST_EXPECT(radius > 0.0, "the radius must be positive");
  image_ = box.minimum_image();
  near_.clear();
  if (points.empty()) {
    return;
  }
  choose_axes(box, radius, positions, points);
  const auto count =
      static_cast<std::size_t>(axes_[0].count * axes_[1].count * axes_[2].count);
  begin_.assign(count + 1, 0);
  near_.assign(count, 0);
  cell_of_.resize(points.size());
  places_.resize(points.size());
  points_.resize(points.size());
  wrapped_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    Place& place = places_[i];
    find(at(positions, points[i]), place);
    direct_ = direct_ && place.is_precise;
    const std::size_t own = index(place.cell[0], place.cell[1], place.cell[2]);
    cell_of_[i] = static_cast<std::uint32_t>(own);
    if (begin_[own + 1]++ == 0) {
      any_near(place.cell, [this](std::size_t near, Vec3) {
        near_[near] = 1;
        return false;
      });
    }
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  for (std::size_t i = points.size(); i-- > 0;) {
    // Moves the end of each cell down to its beginning.
    const std::uint32_t rank = --begin_[cell_of_[i] + 1];
    points_[rank] = at(positions, points[i]);
    wrapped_[rank] = wrapped(points_[rank], places_[i]);
  }
  std::rotate(begin_.begin(), begin_.begin() + 1, begin_.end());
  begin_.back() = static_cast<std::uint32_t>(points.size());
  if (direct_) {
    set_bounds();
  }
}

void NeighbourCells::set_bounds() {
  bounds_.resize(near_.size());
  for (std::size_t cell = 0; cell < bounds_.size(); ++cell) {
    if (begin_[cell] == begin_[cell + 1]) {
      continue;
    }
    Bounds& bounds = bounds_[cell];
    bounds = {wrapped_[begin_[cell]], wrapped_[begin_[cell]]};
    for (std::uint32_t i = begin_[cell] + 1; i < begin_[cell + 1]; ++i) {
      const Vec3 p = wrapped_[i];
      Vec3& low = bounds.low;
      Vec3& high = bounds.high;
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
}

bool NeighbourCells::is_beyond(Vec3 from, std::size_t cell) const {
  const auto& [low, high] = bounds_[cell];
  const Vec3 gaps{gap(from.x, low.x, high.x), gap(from.y, low.y, high.y),
                  gap(from.z, low.z, high.z)};
  return product(gaps, gaps) > surely_beyond2_;
}

bool NeighbourCells::any_within(Vec3 position) const {
  Place place;
  if (near_.empty() || !find(position, place) ||
      near_[index(place.cell[0], place.cell[1], place.cell[2])] == 0) {
    return false;
  }
  const auto is_within = [&](std::uint32_t point) {
    return minimum_distance2(image_, position, points_[point]) <= limit2_;
  };
  const bool direct = direct_ && place.is_precise;
  const Vec3 own = wrapped(position, place);
  return any_near(place.cell, [&](std::size_t near, Vec3 displacement) {
    const std::uint32_t end = begin_[near + 1];
    const Vec3 from = own - displacement;
    if (begin_[near] == end || (direct && is_beyond(from, near))) {
      return false;
    }
    for (std::uint32_t i = begin_[near]; i < end; ++i) {
      if (direct) {
        const Vec3 d = from - wrapped_[i];
        const double r2 = product(d, d);
        if (r2 < surely_within2_ || (r2 <= surely_beyond2_ && is_within(i))) {
          return true;
        }
      } else if (is_within(i)) {
        return true;
      }
    }
    return false;
  });
}

}  // namespace starhist
