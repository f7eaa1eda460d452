#pragma once

#include "codelets/kernels/cuda/tensor_pairs.cuh"
#include "codelets/kernels/cuda/tensor_products.cuh"
#include "codelets/kernels/cuda/tile_loop.cuh"

namespace starhist::cuda {

/// Particles in spatial order: for each tile of 32 rows and 32 columns the few lattice
/// vectors that may lead to the minimum image of one of its pairs, mostly one, and for
/// each of them squared distances from the tensor cores.
///
/// Coordinates a and b are those from the centres of the tiles, in bins. With D the
/// displacement of the centres less the lattice vector, the squared distance is
///   |a|^2 - 2 a . c + |c|^2 with c = b - D,
/// two products of four terms: (-2 a, |a|^2) (c, 1) and (1, 1, 1, 0) (c^2, 1).
class ImageEngine : public TensorPairs {
 public:
  /// x, y, z, 1.
  struct Column {
    double value[4];
  };
  static constexpr int tile_columns = 256;
  using Batch = TileBatch<ImageEngine>;

  /// Lattice vectors in bins, and ImageSteps::needed_from.
  struct alignas(16) Memory {
    float4 rounded[ImageSteps::most];
    double step[ImageSteps::most][4];  ///< times tensor_unit; 0 in the end
  };
  static __device__ void prepare(const KernelArgs& args, Memory& memory) {
    const std::uint32_t k = threadIdx.x;
    if (k >= ImageSteps::most) {
      return;
    }
    Vec3 step;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = args.images.steps[k][axis] * args.bins.inverse_width;
      step = step + along * args.image.edge[axis];
    }
    memory.step[k][0] = tensor_unit * step.x;
    memory.step[k][1] = tensor_unit * step.y;
    memory.step[k][2] = tensor_unit * step.z;
    memory.step[k][3] = 0.0;
    memory.rounded[k] = {static_cast<float>(step.x), static_cast<float>(step.y),
                         static_cast<float>(step.z), args.images.needed_from[k]};
  }

  static __device__ Column column(const KernelArgs& args, const KernelPart& part,
                                  std::uint32_t j, const TileBox* box) {
    const Vec3 b = box->local(args, part.second[j]);
    return {{tensor_unit * b.x, tensor_unit * b.y, tensor_unit * b.z, tensor_unit}};
  }

  __device__ ImageEngine(const KernelArgs& args, const KernelPart& part,
                         std::uint32_t row, const Batch& batch, const Memory& memory)
      : ones_(component() < 3 ? 1.0 : 0.0), memory_(memory) {
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const std::uint32_t i = row + f * 16U + half * 8U + lane() / 4U;
        const Vec3 a = batch.rows().local(args, part.first[min(i, part.row_end - 1U)]);
        const double value = component() == 0   ? -2.0 * a.x
                             : component() == 1 ? -2.0 * a.y
                             : component() == 2 ? -2.0 * a.z
                                                : dot(a, a);
        factor_[f][half] = tensor_unit * value;
      }
    }
  }

  /// Finds the lattice vectors for the groups that `near` has bits for. Returns those
  /// that are not out of range with all of them.
  __device__ std::uint32_t look(const KernelArgs& args, const Batch& batch,
                                std::uint32_t tile, std::uint32_t near) {
    static_assert(Batch::groups_per_tile == 8);
    const std::uint32_t group = lane() / 4U;  // four lanes for each
    const TileBox& a = batch.rows();
    const TileBox& b = batch.columns(tile)[group];
    const Vec3 d = args.bins.inverse_width *
                   shortest_displacement(args.image, a.centre(), b.centre());
    std::uint32_t images = 0;
    bool inside = false;
    if ((near >> group & 1U) != 0) {
      images = images_of(args, a, b, d, inside);
    }
    images |= __shfl_xor_sync(all_lanes, images, 1);
    images |= __shfl_xor_sync(all_lanes, images, 2);
    images_ = images;
    displacement_ = tensor_unit * (component() == 0   ? d.x
                                   : component() == 1 ? d.y
                                   : component() == 2 ? d.z
                                                      : 0.0);
    inside_ = ~groups_of(__ballot_sync(all_lanes, !inside));
    return groups_of(__ballot_sync(all_lanes, images != 0));
  }

  /// Of groups of 32 columns only those that `near` has bits for.
  template <Masking masking, Range range, int bits>
  __device__ __forceinline__ void count(const KernelArgs& args, const KernelPart& part,
                                        const Column* columns,
                                        Judge<range, bits>& judge,
                                        const BlockHistogram<bits>& histogram,
                                        DoubtQueue<ImageEngine>& doubts,
                                        const Corner& item, std::uint32_t tile,
                                        std::uint32_t near) const {
    const PairMask mask(part);
#pragma unroll 1
    for (std::uint32_t group = 0; group < Batch::groups_per_tile; ++group) {
      if ((near >> group & 1U) == 0) {
        continue;
      }
      const std::uint32_t column = tile + group * look_columns;
      const auto counts = [&](std::uint32_t bit) {
        const Corner pair = pair_of(lane(), bit);
        return masking == Masking::none ||
               mask(item.row + pair.row, column + pair.column);
      };
      const std::uint32_t images = __shfl_sync(all_lanes, images_, 4U * group);
      std::uint32_t in_doubt = 0;
      if (images == unresolved) {
#pragma unroll 1
        for (std::uint32_t bit = 0; bit < 32U; ++bit) {
          in_doubt |= static_cast<std::uint32_t>(counts(bit)) << bit;
        }
      } else {
        const double centre =
            __shfl_sync(all_lanes, displacement_, 4U * group + component());
        const double* values = columns[group * look_columns].value + lane();
        if (masking == Masking::none && (inside_ >> group & 1U) != 0) {
          judge_all<Known::inside>(args, values, images, centre, judge, histogram,
                                   [](std::uint32_t) { return true; });
        } else {
          judge_all<Known::nothing>(args, values, images, centre, judge, histogram,
                                    counts);
        }
        in_doubt = judge.take_doubts();
      }
      doubts.take(args, part, histogram, item, column, in_doubt);
    }
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;
  static constexpr std::uint32_t unresolved = 1U << ImageSteps::most;

  static __device__ std::uint32_t lane() {
    return threadIdx.x % 32U;
  }
  static __device__ std::uint32_t component() {
    return lane() % 4U;
  }

  /// Bit g is set where one of bits 4 g to 4 g + 3 of `lanes` is.
  static __device__ std::uint32_t groups_of(std::uint32_t lanes) {
    std::uint32_t bits = lanes | lanes >> 2U;
    bits = (bits | bits >> 1U) & 0x11111111U;
    bits = (bits | bits >> 3U) & 0x03030303U;
    bits = (bits | bits >> 6U) & 0x000f000fU;
    return (bits | bits >> 12U) & 0xffU;
  }

  /// This lane's share of the lattice vectors for boxes whose centres are `d` apart.
  /// `inside`: no pair is out of range or below certified_start.
  __device__ std::uint32_t images_of(const KernelArgs& args, const TileBox& a,
                                     const TileBox& b, Vec3 displacement,
                                     bool& inside) const {
    const float3 d{static_cast<float>(displacement.x),
                   static_cast<float>(displacement.y),
                   static_cast<float>(displacement.z)};
    const float length = norm3df(d.x, d.y, d.z);
    // Also of the roundings to float.
    const float margin = static_cast<float>(args.tile_margin) + 1e-6F * length;
    const float spread = a.radius + b.radius + margin;
    if (spread >= args.images.most_spread) {
      return unresolved;
    }
    const float3 half{a.half[0] + b.half[0] + margin, a.half[1] + b.half[1] + margin,
                      a.half[2] + b.half[2] + margin};
    const float count = static_cast<float>(args.bins.count);
    const float farthest2 = (count + margin) * (count + margin);
    const float start = args.certified_start + margin + 1.0F;
    inside = length + spread + margin < count - 1.0F;
    // Some particles may be closer with v than without: |D - v| < |D| for a D in the
    // box around d.
    std::uint32_t closer = 0;
    for (int k = static_cast<int>(component()); k < args.images.count; k += 4) {
      const float4 v = memory_.rounded[k];
      if (v.w > spread) {
        break;
      }
      const float norm2 = v.x * v.x + v.y * v.y + v.z * v.z;
      const float along = d.x * v.x + d.y * v.y + d.z * v.z;
      const float reach =
          half.x * fabsf(v.x) + half.y * fabsf(v.y) + half.z * fabsf(v.z);
      closer |=
          static_cast<std::uint32_t>(0.5F * (1.0F - 1e-5F) * norm2 <= along + reach)
          << k;
    }
    std::uint32_t images = 0;
    for (; closer != 0; closer &= closer - 1U) {
      const int k = __ffs(static_cast<int>(closer)) - 1;
      const float4 v = memory_.rounded[k];
      const float3 gap{fmaxf(fabsf(d.x - v.x) - half.x, 0.0F),
                       fmaxf(fabsf(d.y - v.y) - half.y, 0.0F),
                       fmaxf(fabsf(d.z - v.z) - half.z, 0.0F)};
      const float gap2 = gap.x * gap.x + gap.y * gap.y + gap.z * gap.z;
      inside = inside && gap2 >= start * start;
      images |= static_cast<std::uint32_t>(gap2 <= farthest2) << k;  // in range
    }
    return images;
  }

  /// A component of the displacement less the next of the lattice vectors.
  __device__ __forceinline__ double next_image(std::uint32_t& images,
                                               double centre) const {
    const int k = __ffs(static_cast<int>(images)) - 1;
    images &= images - 1U;
    return centre - memory_.step[k][component()];
  }

  template <Known known, Range range, int bits, class Counts>
  __device__ __forceinline__ void judge_all(const KernelArgs& args,
                                            const double* values, std::uint32_t images,
                                            double centre, Judge<range, bits>& judge,
                                            const BlockHistogram<bits>& histogram,
                                            Counts counts) const {
    using Squared = SquaredDistance<bits>;
    const typename Squared::template Certificate<known> placed(args);
    const double first = next_image(images, centre);
#pragma unroll(bits == 32 ? steps : 1)
    for (int step = 0; step < steps; ++step) {
      typename Squared::Value r2[fragments][4];
      square<true, Squared>(values[step * 32], first, r2);
      std::uint32_t others = images;
#pragma unroll 1
      while (others != 0) {
        const double other = next_image(others, centre);
        square<false, Squared>(values[step * 32], other, r2);
      }
      judge.template step<pairs_per_step>();
#pragma unroll
      for (int f = 0; f < fragments; ++f) {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          const int k = f * 4 + q;
          judge.judge(placed(r2[f][q]), judge.pair_bit(pairs_per_step, k), q,
                      counts(step * pairs_per_step + k));
        }
        judge.template settle_carries<4>(args, histogram);
      }
    }
  }

  /// Squared distances for a step, or the smaller of them and r2.
  template <bool set, class Squared>
  __device__ __forceinline__ void square(
      double value, double displacement,
      typename Squared::Value (&r2)[fragments][4]) const {
    const double sum_of_three[2] = {ones_, ones_};
    const double c = value - displacement;
    const double c2 = c * c;
#pragma unroll
    for (int f = 0; f < fragments; ++f) {
      double product[4];
      multiply(product, factor_[f], sum_of_three, c, c2);
#pragma unroll
      for (int q = 0; q < 4; ++q) {
        const auto squared = Squared::of(product[q]);
        r2[f][q] = set ? squared : Squared::smaller(r2[f][q], squared);
      }
    }
  }

  double factor_[fragments][2];  ///< -2 a, one component per lane, or |a|^2
  const double ones_;            ///< 1 in the lanes of components
  const Memory& memory_;
  /// Of the group of four lanes: a bit for each lattice vector, and a component of the
  /// displacement of the centres.
  std::uint32_t images_ = 0;
  double displacement_ = 0.0;
  std::uint32_t inside_ = 0;  ///< groups without pairs out of range or too close
};

}  // namespace starhist::cuda
