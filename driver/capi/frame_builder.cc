#include "driver/capi/frame_builder.hh"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/far_positions.hh"
#include "codelets/core/geometry/plane_cell.hh"
#include "driver/capi/call.hh"

namespace starhist::capi {
namespace {

constexpr std::size_t most_particles = std::numeric_limits<std::int32_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t numbers_of(starhist_box_kind kind) {
  switch (kind) {
    case STARHIST_BOX_NONE:
      return 0;
    case STARHIST_BOX_LENGTHS:
      return 3;
    case STARHIST_BOX_ANGLES:
      return 6;
    case STARHIST_BOX_MATRIX:
      return 9;
  }
  return 0;
}

[[noreturn]] void refuse_box(const std::string& text) {
  throw CallError(STARHIST_BAD_BOX, text);
}

void check_length(double length, std::size_t axis) {
  if (!std::isfinite(length) || length <= 0.0) {
    refuse_box("length " + std::to_string(axis) + " of the box is " +
               number_text(length) +
               " (it must be finite and above 0; declare edges without images with "
               "starhist_set_periodic)");
  }
}

Box box_of_matrix(const double* m, const std::array<bool, 3>& periodic) {
  std::array<Vec3, 3> edges{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (periodic[k]) {
      edges[k] = {m[3 * k], m[3 * k + 1], m[3 * k + 2]};
      if (edges[k] == Vec3{}) {
        refuse_box("edge " + std::to_string(k) +
                   " of the box is zero (declare edges without images with "
                   "starhist_set_periodic)");
      }
    }
  }
  return Box(edges, periodic);
}

Box box_of_lengths(const double* lengths, const std::array<bool, 3>& periodic) {
  std::array<double, 9> matrix{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (periodic[k]) {
      check_length(lengths[k], k);
      matrix[4 * k] = lengths[k];
    }
  }
  return box_of_matrix(matrix.data(), periodic);
}

Box box_of_angles(const double* numbers, const std::array<bool, 3>& periodic) {
  for (std::size_t k = 0; k < 3; ++k) {
    check_length(numbers[k], k);
  }
  const Box box = Box::from_lengths_and_angles({numbers[0], numbers[1], numbers[2]},
                                               {numbers[3], numbers[4], numbers[5]});
  return Box(box.edges(), periodic);
}

Box box_of(starhist_box_kind kind, const double* numbers,
           const std::array<bool, 3>& periodic) {
  try {
    switch (kind) {
      case STARHIST_BOX_NONE:
        return {};
      case STARHIST_BOX_LENGTHS:
        return box_of_lengths(numbers, periodic);
      case STARHIST_BOX_ANGLES:
        return box_of_angles(numbers, periodic);
      case STARHIST_BOX_MATRIX:
        return box_of_matrix(numbers, periodic);
    }
  } catch (const InputError& error) {
    refuse_box(error.what());
  }
  return {};
}

/// The box projected onto the plane; without any periodic axis it stays open. Throws
/// CallError if distances in the plane are not defined.
Box box_in_plane(const Box& box, Plane plane) {
  if (plane == Plane::none || box.periodic_axis_count() == 0) {
    return box;
  }
  if (!spans(box, plane)) {
    refuse_box("the box is not periodic along both axes of the plane " +
               to_string(plane) +
               " (distances in it need both: see starhist_set_periodic)");
  }
  if (const std::optional<Vec3> edge = leaning_edge(box, plane)) {
    const std::size_t normal = normal_axis(plane);
    refuse_box("edge " + std::to_string(normal) + " of the box leans out of the " +
               "xyz"[normal] + " axis by (" + number_text(edge->x) + ", " +
               number_text(edge->y) + ", " + number_text(edge->z) +
               ") in the plane, so that distances in the plane would depend on the "
               "periodic image of each position (if no particle crosses its boundary, "
               "declare it without images with starhist_set_periodic)");
  }
  return Box::in_plane(box.edges(), plane);
}

/// Reads coordinates that need not be aligned.
template <class Real>
class Reader {
 public:
  explicit Reader(const PositionArray& array)
      : data_(static_cast<const char*>(array.data)),
        particle_stride_(array.particle_stride),
        component_stride_(array.component_stride) {
    if (particle_stride_ == 0 && component_stride_ == 0) {
      component_stride_ = sizeof(Real);
      particle_stride_ = 3 * sizeof(Real);
    }
  }

  /// Appends x, y, z of a particle. Returns the sum of their squares.
  double append(std::size_t particle, std::vector<double>& out) const {
    const char* at = data_ + static_cast<std::ptrdiff_t>(particle) * particle_stride_;
    double squares = 0.0;
    for (int axis = 0; axis < 3; ++axis, at += component_stride_) {
      Real value;
      std::memcpy(&value, at, sizeof value);
      const double coordinate = value;
      out.push_back(coordinate);
      squares += coordinate * coordinate;
    }
    return squares;
  }

 private:
  const char* data_;
  std::ptrdiff_t particle_stride_;
  std::ptrdiff_t component_stride_;
};

[[noreturn]] void refuse_position(std::size_t particle, const double* p,
                                  const std::string& why) {
  throw CallError(STARHIST_BAD_POSITION, "particle " + std::to_string(particle) +
                                             " has position (" + number_text(p[0]) +
                                             ", " + number_text(p[1]) + ", " +
                                             number_text(p[2]) + "), " + why);
}

/// Index among all particles of particle `k` of a species.
std::size_t particle_number(const Membership& membership, std::size_t species,
                            std::size_t k, const Frame& frame) {
  if (!membership.by_labels()) {
    std::size_t before = 0;
    for (std::size_t s = 0; s < species; ++s) {
      before += frame.positions[s].size() / 3;
    }
    return before + k;
  }
  const std::vector<std::int32_t>& labels = membership.labels();
  std::size_t particle = 0;
  for (; particle + 1 < labels.size(); ++particle) {
    if (labels[particle] == static_cast<std::int32_t>(species) && k-- == 0) {
      break;
    }
  }
  return particle;
}

template <class Real>
double copy_positions(const PositionArray& array, const Membership& membership,
                      const std::vector<std::uint64_t>& numbers, Frame& frame) {
  const Reader<Real> reader(array);
  double squares = 0.0;
  if (membership.by_labels()) {
    for (std::size_t i = 0; i < array.particles; ++i) {
      const std::int32_t label = membership.labels()[i];
      if (label >= 0) {
        squares += reader.append(i, frame.positions[static_cast<std::size_t>(label)]);
      }
    }
    return squares;
  }
  std::size_t i = 0;
  for (std::size_t species = 0; species < numbers.size(); ++species) {
    for (std::uint64_t k = 0; k < numbers[species]; ++k, ++i) {
      squares += reader.append(i, frame.positions[species]);
    }
  }
  return squares;
}

/// Largest absolute coordinate along the normal of a plane for separations along it;
/// infinity if these are not counted.
double farthest_height(const HistogramLayout& layout, const Frame& frame) {
  if (!layout.second || layout.plane == Plane::none) {
    return infinity;
  }
  return farthest_position * (frame.period > 0.0 ? frame.period : layout.second->limit);
}

}  // namespace

void Membership::clear(std::size_t species) {
  species_ = species;
  ++version_;
  by_labels_ = false;
  labels_.clear();
  counts_.clear();
}

void Membership::set_labels(const std::int32_t* labels, std::size_t particles) {
  if (particles > most_particles) {
    throw CallError(STARHIST_BAD_COUNT, std::to_string(particles) +
                                            " particles are too many (at most " +
                                            std::to_string(most_particles) + ")");
  }
  std::vector<std::uint64_t> counts(species_);
  for (std::size_t i = 0; i < particles; ++i) {
    if (labels[i] < -1 ||
        (labels[i] >= 0 && static_cast<std::size_t>(labels[i]) >= species_)) {
      throw CallError(STARHIST_BAD_LABEL,
                      "particle " + std::to_string(i) + " has label " +
                          std::to_string(labels[i]) + " (there are " +
                          std::to_string(species_) +
                          " species, with labels from 0 to " +
                          std::to_string(species_ - 1) + "; -1: not counted)");
    }
    if (labels[i] >= 0) {
      ++counts[static_cast<std::size_t>(labels[i])];
    }
  }
  ++version_;
  labels_.assign(labels, labels + particles);
  counts_ = std::move(counts);
  by_labels_ = true;
}

void Membership::set_counts(const std::uint64_t* counts, std::size_t species) {
  if (species != species_) {
    throw CallError(STARHIST_BAD_SIZE, "there are " + std::to_string(species) +
                                           " numbers of particles for " +
                                           std::to_string(species_) + " species");
  }
  std::uint64_t sum = 0;
  for (std::size_t s = 0; s < species; ++s) {
    if (counts[s] > most_particles || sum + counts[s] > most_particles) {
      throw CallError(STARHIST_BAD_COUNT,
                      std::to_string(counts[s]) + " particles of species " +
                          std::to_string(s) + " are too many (at most " +
                          std::to_string(most_particles) + " in all)");
    }
    sum += counts[s];
  }
  ++version_;
  labels_.clear();
  counts_.assign(counts, counts + species);
  by_labels_ = false;
}

std::vector<std::uint32_t> Membership::order() const {
  std::vector<std::size_t> next(counts_.size(), 0);
  std::exclusive_scan(counts_.begin(), counts_.end(), next.begin(), std::size_t{0});
  std::vector<std::uint32_t> order(
      by_labels_ ? std::accumulate(counts_.begin(), counts_.end(), std::size_t{0}) : 0);
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    if (labels_[i] >= 0) {
      order[next[static_cast<std::size_t>(labels_[i])]++] =
          static_cast<std::uint32_t>(i);
    }
  }
  return order;
}

void Membership::check(std::size_t particles) const {
  if (particles > most_particles) {
    throw CallError(STARHIST_BAD_COUNT, std::to_string(particles) +
                                            " particles are too many (at most " +
                                            std::to_string(most_particles) + ")");
  }
  if (counts_.empty()) {
    if (species_ > 1) {
      throw CallError(STARHIST_BAD_COUNT,
                      "there are " + std::to_string(species_) +
                          " species, but the species of the particles are unknown "
                          "(call starhist_set_labels or starhist_set_species_counts)");
    }
    return;
  }
  const std::uint64_t known =
      by_labels_ ? labels_.size()
                 : std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  if (particles != known) {
    throw CallError(STARHIST_BAD_COUNT,
                    "the frame has " + std::to_string(particles) + " particles, but " +
                        (by_labels_ ? "the number of labels is "
                                    : "the species counts add up to ") +
                        std::to_string(known));
  }
}

std::vector<std::uint64_t> Membership::numbers(std::size_t particles) const {
  return counts_.empty() ? std::vector<std::uint64_t>{particles} : counts_;
}

void BoxBuilder::set_periodic(const std::array<bool, 3>& periodic) {
  periodic_ = periodic;
  numbers_.clear();
}

void BoxBuilder::set_plane(Plane plane) {
  plane_ = plane;
  numbers_.clear();
}

const Box& BoxBuilder::make(const double* numbers) {
  const std::size_t count = numbers_of(kind_);
  if (count == 0) {
    if (numbers != nullptr) {
      refuse_box(
          "a box is given, but the histogram was created without one "
          "(STARHIST_BOX_NONE)");
    }
    return box_;
  }
  if (numbers == nullptr) {
    refuse_box(
        "the box is NULL, but the histogram needs one (give it with each frame, or "
        "create the histogram with STARHIST_BOX_NONE)");
  }
  // Compare bits: NaN never equals itself, and never made box_.
  if (numbers_.empty() ||
      std::memcmp(numbers, numbers_.data(), count * sizeof(double)) != 0) {
    in_space_ = box_of(kind_, numbers, periodic_);
    box_ = box_in_plane(in_space_, plane_);
    numbers_.assign(numbers, numbers + count);
  }
  return box_;
}

double BoxBuilder::period() const {
  if (const double rise = rising_edge(in_space_, plane_); rise != 0.0) {
    refuse_box("an edge of the box leans out of the plane " + to_string(plane_) +
               " by " + number_text(rise) +
               ", so that separations along its normal would depend on the periodic "
               "image in the plane (pass edges that lie in the plane, or count without "
               "starhist_set_second_axis)");
  }
  return normal_period(in_space_, plane_);
}

bool all_near(const HistogramLayout& layout, const Frame& frame) {
  return frame.coordinate_bound <= farthest_height(layout, frame) &&
         all_near(frame.coordinate_bound, frame.box, layout.bins.r_max);
}

void check_each_position(const Membership& membership, const HistogramLayout& layout,
                         const Frame& frame) {
  for (std::size_t species = 0; species < frame.positions.size(); ++species) {
    const std::vector<double>& p = frame.positions[species];
    for (std::size_t k = 0; k < p.size() / 3; ++k) {
      const double* at = p.data() + 3 * k;
      if (!std::isfinite(at[0]) || !std::isfinite(at[1]) || !std::isfinite(at[2])) {
        refuse_position(particle_number(membership, species, k, frame), at,
                        "which is not finite");
      }
    }
  }
  for (std::size_t species = 0; species < frame.positions.size(); ++species) {
    const std::vector<double>& p = frame.positions[species];
    const auto far = find_far_position(p, frame.box, layout.bins.r_max);
    if (far) {
      refuse_position(
          particle_number(membership, species, *far, frame), p.data() + 3 * *far,
          "too far away for distances in double precision (more than 2^32 box lengths, "
          "or 2^32 r_max along axes without images: wrap positions into the box)");
    }
    const double highest = farthest_height(layout, frame);
    for (std::size_t k = 0; highest < infinity && k < p.size() / 3; ++k) {
      if (std::abs(p[3 * k + normal_axis(layout.plane)]) > highest) {
        refuse_position(
            particle_number(membership, species, k, frame), p.data() + 3 * k,
            "too far away along the normal of the plane for separations in double "
            "precision (more than 2^32 box lengths, or without images 2^32 times the "
            "limit of starhist_set_second_axis: wrap positions into the box)");
      }
    }
  }
}

void fill_positions(const PositionArray& array, const Membership& membership,
                    const HistogramLayout& layout, Frame& frame) {
  const std::vector<std::uint64_t> numbers = membership.numbers(array.particles);
  frame.positions.resize(numbers.size());
  for (std::size_t species = 0; species < numbers.size(); ++species) {
    frame.positions[species].clear();
    frame.positions[species].reserve(3 * numbers[species]);
  }
  const double squares =
      array.single ? copy_positions<float>(array, membership, numbers, frame)
                   : copy_positions<double>(array, membership, numbers, frame);
  constexpr double rounded_up = 1.0 + 1e-9;
  frame.coordinate_bound =
      std::isfinite(squares) ? rounded_up * std::sqrt(squares) : infinity;
  if (!all_near(layout, frame)) {
    check_each_position(membership, layout, frame);
  }
}

void check_range(const HistogramLayout& layout, const Box& box) {
  const double farthest = box.covering_radius();
  if (layout.bins.r_max > 2.0 * farthest) {
    refuse_box("r_max = " + number_text(layout.bins.r_max) +
               " is far beyond every distance: no two points of the box are farther "
               "apart than " +
               number_text(farthest) +
               " (are both in the same unit?): pass a smaller r_max, or repeat a "
               "crystal's small cell before");
  }
}

}  // namespace starhist::capi
