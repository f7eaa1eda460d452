#include "codelets/kernels/neighbours/count_second_axis.hh"

#include <cmath>

namespace starhist::kernels {
namespace {

constexpr double float_roundoff = 0x1p-24;

/// Bins of candidates in single precision, in units of the cut-off, which is r_max
/// lowered by less than 2^-29 of it.
class ApproximateCell {
 public:
  ApproximateCell(const SecondAxisPairs& pairs, double error)
      : cosine_(pairs.axis.kind == SecondAxis::Kind::cosine),
        columns_(pairs.axis.count),
        rows_(static_cast<float>(pairs.bins.count)),
        scale_(static_cast<float>(pairs.axis.count * (cosine_ ? 0.5 : 1.0))),
        offset_(cosine_ ? scale_ : 0.0F) {
    // Beyond `error`: roundings of root, product and bin number, and edge_shift.
    const double constant = 8.0 * float_roundoff;
    row_error_ =
        static_cast<float>(pairs.bins.count * (error + constant) * 1.01 + 0x1p-28);
    // The cosine of d has an error of less than 2 error / |d| from d, and 7 roundings
    // from u, the scalar product, the root and the quotient; its bin number, up to
    // columns_, 2 more. The component has the error of d, and 5 roundings.
    relative_error_ = cosine_ ? static_cast<float>(1.5 * error * columns_) : 0.0F;
    column_error_ = static_cast<float>(
        columns_ * (2.0 * constant + (cosine_ ? 0.0 : error)) * 1.01 + 0x1p-28);
  }

  /// Sets the unit vector of the next candidates.
  void set_direction(Vec3 u) {
    ux_ = static_cast<float>(u.x);
    uy_ = static_cast<float>(u.y);
    uz_ = static_cast<float>(u.z);
  }

  /// Sets the cell of a candidate. Returns false if it is uncertain.
  bool find(const NeighbourSearch::Candidate& candidate, std::size_t& cell) const {
    const float r = std::sqrt(candidate.r2);
    const float along = candidate.x * ux_ + candidate.y * uy_ + candidate.z * uz_;
    const float row = r * rows_;
    const float value = cosine_ ? along / r : std::fabs(along);
    const float column = value * scale_ + offset_;
    const float column_error = column_error_ + (cosine_ ? relative_error_ / r : 0.0F);
    // Bounds of uncertain numbers differ in their bins. Comparisons with NaN, of
    // coinciding particles, are false.
    const bool sure = row - row_error_ >= 0.0F && column - column_error >= 0.0F &&
                      row + row_error_ < rows_ &&
                      column + column_error < static_cast<float>(columns_);
    if (!sure) {
      return false;
    }
    const auto row_bin = static_cast<std::uint32_t>(row);
    const auto column_bin = static_cast<std::uint32_t>(column);
    cell = std::size_t{row_bin} * columns_ + column_bin;
    return static_cast<std::uint32_t>(row - row_error_) == row_bin &&
           static_cast<std::uint32_t>(row + row_error_) == row_bin &&
           static_cast<std::uint32_t>(column - column_error) == column_bin &&
           static_cast<std::uint32_t>(column + column_error) == column_bin;
  }

 private:
  bool cosine_;
  std::uint32_t columns_;
  float rows_, scale_, offset_;
  float ux_ = 0.0F, uy_ = 0.0F, uz_ = 0.0F;
  float row_error_, relative_error_, column_error_;
};

NeighbourShell shell_of(const UniformBins& bins) {
  return {SpeciesId(0), SpeciesId(0), bins, bins.count};
}

}  // namespace

SecondAxisCount::SecondAxisCount(const SecondAxisPairs& pairs)
    : pairs_(pairs),
      search_(pairs_.box, shell_of(pairs.bins), pairs.first, pairs.second) {
  STARHIST_EXPECT(pairs.axis.count >= 1 && pairs.axis.count <= most_second_bins,
                  "a second axis has bins");
}

std::uint64_t SecondAxisCount::count_by_definition(std::size_t part,
                                                   std::uint64_t* counts) const {
  const std::size_t begin = part * pairs_.first.count / parts();
  const std::size_t end = (part + 1) * pairs_.first.count / parts();
  std::uint64_t decided = 0;
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t j = 0; j < pairs_.second.count; ++j) {
      if (pairs_.counts(i, j)) {
        ++counts[pairs_.cell(i, j)];
        ++decided;
      }
    }
  }
  return decided;
}

std::uint64_t SecondAxisCount::count(std::size_t part, std::uint64_t* counts) const {
  if (!search_.has_cells()) {
    return count_by_definition(part, counts);
  }
  ApproximateCell approximate(pairs_, search_.error());
  const bool uniform = pairs_.bins.uniform();
  std::uint64_t decided = 0;
  search_.visit(part, [&](std::size_t i, const NeighbourSearch::Candidate* candidates,
                          std::size_t count) {
    approximate.set_direction(pairs_.direction(i));
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t j = candidates[k].neighbour;
      if (!pairs_.counts(i, j)) {
        continue;
      }
      std::size_t cell = 0;
      if (!uniform || !approximate.find(candidates[k], cell)) {
        cell = pairs_.cell(i, j);
        ++decided;
      }
      ++counts[cell];
    }
  });
  return decided;
}

}  // namespace starhist::kernels
