#include "codelets/kernels/clusters/image_steps.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <vector>

#include "codelets/core/base/contract.hh"

namespace starhist::kernels {
namespace {

struct Step {
  int along[3];        ///< coefficients along the edges
  double needed_from;  ///< least spread [unit of the positions]
  bool is_sum;  ///< needed only if two facet vectors are (ImageSteps::sums_begin)
};

Vec3 vector_of(const MinimumImage& image, const int (&along)[3]) {
  return static_cast<double>(along[0]) * image.edge[0] +
         static_cast<double>(along[1]) * image.edge[1] +
         static_cast<double>(along[2]) * image.edge[2];
}

/// Calls act(coefficients, lattice vector) for all coefficients in [-most, most] along
/// the periodic edges.
template <class Act>
void for_each_vector(const MinimumImage& image, int most, Act act) {
  int extent[3];
  for (int axis = 0; axis < 3; ++axis) {
    extent[axis] = image.edge[axis] == Vec3{} ? 0 : most;
  }
  for (int i = -extent[0]; i <= extent[0]; ++i) {
    for (int j = -extent[1]; j <= extent[1]; ++j) {
      for (int k = -extent[2]; k <= extent[2]; ++k) {
        const int along[3] = {i, j, k};
        act(along, vector_of(image, along));
      }
    }
  }
}

struct NearVector {
  Vec3 f;
  double norm2;
  double norm;
};

/// All lattice vectors with coefficients in [-1, 1] but the zero vector.
std::vector<NearVector> near_vectors(const MinimumImage& image) {
  std::vector<NearVector> near;
  for_each_vector(image, 1, [&](const int(&)[3], Vec3 f) {
    const double norm2 = dot(f, f);
    if (norm2 > 0.0) {
      near.push_back({f, norm2, std::sqrt(norm2)});
    }
  });
  return near;
}

/// Least spread for which v can be needed [unit of the positions]. The near vectors of
/// facets would be sufficient; the others are harmless.
double needed_from(const std::vector<NearVector>& near, Vec3 v) {
  double most = 0.0;
  for (const NearVector& n : near) {
    most = std::max(most, (dot(v, n.f) - n.norm2) / n.norm);
  }
  return most;
}

/// Number of vectors f other than v with v . f >= |f|^2, up to rounding.
auto count_summands(const std::vector<NearVector>& vectors, Vec3 v) {
  constexpr double rounding = 1e-9;
  return std::count_if(vectors.begin(), vectors.end(), [&](const NearVector& n) {
    return n.f != v && dot(v, n.f) >= (1.0 - rounding) * n.norm2;
  });
}

/// The near vectors that are perpendicular to a facet of the Voronoi cell.
std::vector<NearVector> facets_of(const std::vector<NearVector>& near) {
  std::vector<NearVector> facets;
  std::copy_if(near.begin(), near.end(), std::back_inserter(facets),
               [&](const NearVector& n) { return count_summands(near, n.f) == 0; });
  return facets;
}

}  // namespace

ImageSteps image_steps(const MinimumImage& image, const BinScale& bins) {
  // Fractional coordinates in V are at most 3/2: after rounding, one step is left. A
  // coefficient above four would need a spread of two widths of the cell.
  constexpr int most_along = 4;
  constexpr double complete_widths = 1.9;
  double complete = 1e300;
  for (const Vec3 dual : image.dual) {
    const double norm = std::sqrt(dot(dual, dual));
    if (norm > 0.0) {
      complete = std::min(complete, complete_widths / norm);
    }
  }
  const std::vector<NearVector> near = near_vectors(image);
  const std::vector<NearVector> facets = facets_of(near);
  std::vector<Step> all;
  for_each_vector(image, most_along, [&](const int(&along)[3], Vec3 v) {
    const double from = needed_from(near, v);
    if (from < complete) {
      all.push_back(
          {{along[0], along[1], along[2]}, from, count_summands(facets, v) >= 2});
    }
  });
  // Opposite vectors have the same spread, bit for bit, so sorting puts each next to
  // its opposite. The zero vector is the first.
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
    if (out.count == ImageSteps::most) {
      complete = step.needed_from;
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
  STARHIST_ENSURE(out.count >= 1 && out.count <= ImageSteps::most,
                  "the zero vector is among at most 31 steps");
  return out;
}

}  // namespace starhist::kernels
