#include "codelets/kernels/tiles/image_steps.hh"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace starhist {
namespace {

struct Step {
  int along[3];
  double needed_from;
  bool is_sum;  ///< ImageSteps::sums_begin
};

Vec3 vector_of(const MinimumImage& image, const int (&along)[3]) {
  return static_cast<double>(along[0]) * image.edge[0] +
         static_cast<double>(along[1]) * image.edge[1] +
         static_cast<double>(along[2]) * image.edge[2];
}

/// The 26 vectors with steps of at most one, or those of them along periodic edges.
std::vector<Vec3> near_vectors(const MinimumImage& image) {
  std::vector<Vec3> vectors;
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      for (int k = -1; k <= 1; ++k) {
        const Vec3 f = vector_of(image, {i, j, k});
        if (dot(f, f) > 0.0 &&
            std::find(vectors.begin(), vectors.end(), f) == vectors.end()) {
          vectors.push_back(f);
        }
      }
    }
  }
  return vectors;
}

/// Of the near vectors f, those that are a facet's are enough; the others do no harm.
double needed_from(const std::vector<Vec3>& near, Vec3 v) {
  double most = 0.0;
  for (const Vec3 f : near) {
    const double norm2 = dot(f, f);
    most = std::max(most, (dot(v, f) - norm2) / std::sqrt(norm2));
  }
  return most;
}

constexpr double rounding = 1e-9;

/// Near vectors f with v . f >= |f|^2, or almost, besides v.
std::vector<Vec3> parts_of(const std::vector<Vec3>& near, Vec3 v) {
  std::vector<Vec3> parts;
  for (const Vec3 f : near) {
    if (f != v && dot(v, f) >= (1.0 - rounding) * dot(f, f)) {
      parts.push_back(f);
    }
  }
  return parts;
}

bool is_sum_of_facets(const std::vector<Vec3>& near, Vec3 v) {
  int facets = 0;
  for (const Vec3 f : parts_of(near, v)) {
    facets += parts_of(near, f).empty() ? 1 : 0;
  }
  return facets >= 2;
}

}  // namespace

ImageSteps image_steps(const MinimumImage& image, const UniformBins& bins) {
  // Fractional coordinates in V are not beyond 3/2: rounding, and one step. Steps of
  // more than four would need a spread of two widths of the cell.
  constexpr int most_along = 4;
  constexpr double complete_widths = 1.9;
  double complete = 1e300;
  int reach[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    const double dual = std::sqrt(dot(image.dual[axis], image.dual[axis]));
    if (dual > 0.0) {
      reach[axis] = most_along;
      complete = std::min(complete, complete_widths / dual);
    }
  }
  const std::vector<Vec3> near = near_vectors(image);
  std::vector<Step> all;
  for (int i = -reach[0]; i <= reach[0]; ++i) {
    for (int j = -reach[1]; j <= reach[1]; ++j) {
      for (int k = -reach[2]; k <= reach[2]; ++k) {
        const Vec3 v = vector_of(image, {i, j, k});
        const double from = needed_from(near, v);
        all.push_back({{i, j, k}, from, is_sum_of_facets(near, v)});
      }
    }
  }
  // Opposite vectors are needed from the same spread on, bit for bit, so they can
  // follow each other; the one without steps is the first.
  const auto key = [](const Step& s) {
    const auto [i, j, k] = s.along;
    const bool none = i == 0 && j == 0 && k == 0;
    const bool forward = std::tuple(i, j, k) > std::tuple(0, 0, 0);
    const int sign = forward ? 1 : -1;
    return std::tuple(!none, s.needed_from, s.is_sum, sign * i, sign * j, sign * k,
                      forward);
  };
  std::sort(all.begin(), all.end(),
            [&](const Step& a, const Step& b) { return key(a) < key(b); });

  constexpr double less = 1.0 - 1e-6;
  ImageSteps out;
  for (const Step& step : all) {
    if (out.count == ImageSteps::most || step.needed_from >= complete) {
      complete = std::min(complete, step.needed_from);
      break;
    }
    std::copy_n(step.along, 3, out.steps[out.count]);
    out.needed_from[out.count] =
        static_cast<float>(less * step.needed_from * bins.inverse_width);
    ++out.count;
    if (step.needed_from == 0.0 && !step.is_sum) {
      out.sums_begin = out.count;
    }
  }
  constexpr double any = 1e30;  // open boxes
  out.most_spread =
      static_cast<float>(std::min(less * complete * bins.inverse_width, any));
  out.only_sums_below = out.most_spread;
  for (int k = out.count - 1; k >= out.sums_begin; --k) {
    if (!all[static_cast<std::size_t>(k)].is_sum) {
      out.only_sums_below = out.needed_from[k];
    }
  }
  return out;
}

}  // namespace starhist
