#pragma once

#include <type_traits>

#include "codelets/kernels/cuda/blocked/row_tile.cuh"
#include "codelets/kernels/cuda/clusters/seen_clusters.cuh"
#include "codelets/kernels/cuda/filter/binner.cuh"
#include "codelets/kernels/cuda/filter/edge_certificate.cuh"
#include "codelets/kernels/cuda/filter/held_ambiguous_pairs.cuh"

namespace starhist::kernels::cuda {

/// Queue of a warp with room for one pair of each lane while 32 wait.
template <Range range = Range::limited>
using AmbiguousPairsOfClusters = AmbiguityQueue<RowTile, range, 64>;

/// A cluster's columns as operands of RowTile's products. held: in registers, for
/// unrolled loops; otherwise in device memory.
template <bool held>
class ColumnTile {
 public:
  /// `values`: ClusterParticle::value of the first particle, plus RowTile::lane().
  __device__ __forceinline__ explicit ColumnTile(const double* values)
      : values_(values) {
    if constexpr (held) {
#pragma unroll
      for (int k = 0; k < RowTile::steps; ++k) {
        step_[k] = values_[k * 32];
      }
    }
  }

  __device__ __forceinline__ double operator[](int step) const {
    if constexpr (held) {
      return step_[step];
    } else {
      return values_[step * 32];
    }
  }

 private:
  const double* values_;
  double step_[RowTile::steps];
};

/// Number of lattice vectors that the pairs of two clusters need.
enum class Images { one, several };

/// Counts the pairs of two clusters at a time, for one warp. several_inside:
/// count_inside() also accepts clusters with several images; the code is then longer,
/// but should fit into the instruction cache.
template <Range range, class HistogramOf, bool several_inside>
class ClusterPairCounter {
 public:
  using Histogram = HistogramOf;
  using AmbiguousPairs = AmbiguousPairsOfClusters<range>;
  static constexpr int bits = Histogram::field_bits;
  static constexpr bool optimistic = bits < 32 && !Histogram::checked;
  /// Loops over all pairs of a lane are unrolled; with checks they would be too long.
  static constexpr bool unrolled = !Histogram::checked;
  using Columns = ColumnTile<unrolled>;
  /// Distances are relative to an origin near them (LocalCertificate).
  static constexpr bool local = bits == 32 && range == Range::mostly;
  /// Binner::bin_added() can be used for pairs in the window.
  static constexpr bool adds_all = bits == 32;
  /// It can also be used for pairs out of range, which have an entry of the histogram.
  static constexpr bool adds_whole = adds_all && range == Range::limited;

  /// `waiting`: shared memory of the warp's queue.

  __device__ ClusterPairCounter(const KernelArgs& args, const LatticeVectors& lattice,
                                const Histogram& histogram, std::uint32_t* waiting)
      : args_(args),
        lattice_(lattice),
        histogram_(histogram),
        binner_(args, histogram),
        ambiguous_pairs_(waiting) {}

  // count_inside() and count_any() count the certified pairs of two clusters and return
  // the ambiguous pairs of the lane, a bit each (RowTile::pair_of).

  /// Counts two clusters whose 1024 pairs all count, in range and in the window; with
  /// one image, unless several_inside.
  __device__ __forceinline__ std::uint32_t count_inside(const RowTile& rows,
                                                        const Columns& columns,
                                                        const ClusterPair& pair) {
    if constexpr (local) {
      binner_.set_origin(args_, pair.origin);
    }
    const auto placed = certificate_for<Known::inside>(pair.origin);
    for_squares<several_inside ? Images::several : Images::one>(
        rows, columns, pair, [] {},
        [&](auto r2, std::uint32_t bit, std::uint32_t first, int slot) {
          const Placed at = placed(r2);
          if constexpr (adds_all) {
            binner_.bin_added(at, 1U << bit << first);
          } else {
            binner_.bin_inside(at, 1U << bit << first, slot, true);
            propagate_carries(slot);
          }
        });
    return binner_.take_ambiguous_pairs();
  }

  /// Counts all 1024 pairs, whose distances are not short, in optimistic counters.
  /// Returns true if a pair of this lane is ambiguous, so that correct() must be
  /// called. Calls all_squared() after the last use of the columns. With Images::one
  /// the clusters need one image and `ready` is their first_product(); otherwise
  /// `ready` is not used.
  template <Known known, Images images, class AllSquared>
  __device__ __forceinline__ bool count_optimistically(const RowTile& rows,
                                                       const Columns& columns,
                                                       const ClusterPair& pair,
                                                       const FirstProduct& ready,
                                                       AllSquared all_squared) {
    const auto placed = certificate_for<known>(0);
    std::uint32_t least = ~0U;
    const auto act = [&](double r2, std::uint32_t, std::uint32_t, int) {
      const auto at = placed.beside(r2);
      binner_.add_optimistically(at.candidate);
      least = min(least, at.difference);
    };
    if constexpr (images == Images::one) {
      for_squares<Images::one>(rows, columns, pair, all_squared, act, &ready);
    } else if (are_several(pair.images)) {
      for_squares<Images::several>(rows, columns, pair, all_squared, act);
    } else {
      for_squares<Images::one>(rows, columns, pair, all_squared, act);
    }
    return !placed.sure(least);
  }

  /// The first fragment of translated rows and its product with the first columns.
  __device__ __forceinline__ static FirstProduct first_product(
      const RowTile& rows, const Columns& columns, const ClusterPair& pair) {
    FirstProduct first;
    first.rows = rows.moved(0, pair.translation);
    multiply_add(first.product, first.rows.factor, columns[0], first.rows.norm2);
    return first;
  }

  /// Finds the ambiguous pairs that count_optimistically() has counted in a wrong bin,
  /// and moves them in the totals. Rarely called. `values`: as for ColumnTile; `row`:
  /// first row of the cluster.
  __device__ __forceinline__ void correct(const KernelSlice& slice, const RowTile& rows,
                                          const double* values, std::uint32_t row,
                                          const ClusterPair& pair) {
    const ColumnTile<false> columns(values);
    const auto placed = certificate_for<Known::not_short>(0);
    for_squares<Images::several, 1, 1>(
        rows, columns, pair, [] {},
        [&](double r2, std::uint32_t bit, std::uint32_t first, int) {
          const auto at = placed.beside(r2);
          if (!placed.sure(at.difference)) {
            const Corner corner = RowTile::pair_of(RowTile::lane(), first + bit);
            const std::uint32_t bin = pair_bin(
                args_.geometry.image, args_.bins, slice.first[row + corner.row],
                slice.second[pair.columns * cluster_size + corner.column]);
            const std::uint32_t counted =
                min(at.candidate - first_candidate, args_.bins.count);
            if (bin != counted) {
              add_to_total(counted, ~0ULL);
              add_to_total(bin, 1ULL);
            }
          }
        });
  }

  /// Counts any two clusters, some of whose pairs may not count. `row`: first row of
  /// the cluster. If ClusterPair::images is unresolved all pairs are returned as
  /// ambiguous.
  __device__ __forceinline__ std::uint32_t count_any(const KernelSlice& slice,
                                                     const RowTile& rows,
                                                     const Columns& columns,
                                                     std::uint32_t row,
                                                     const ClusterPair& pair) {
    const std::uint32_t lane = not_before(RowTile::lane());
    const auto counts = [&](std::uint32_t bit) {
      const Corner corner = RowTile::pair_of(lane, bit);
      const std::uint32_t i = row + corner.row;
      return i >= slice.row_begin &&
             slice.has_pair(i, pair.columns * cluster_size + corner.column);
    };
    if (pair.images == ClusterView::unresolved) {
      std::uint32_t all = 0;
#pragma unroll 1
      for (std::uint32_t bit = 0; bit < 32U; ++bit) {
        all |= static_cast<std::uint32_t>(counts(bit)) << bit;
      }
      return all;
    }
    if constexpr (!optimistic) {  // count_optimistically() has handled whole ones
      if (pair.whole) {
        bin_whole(rows, columns, pair);
        return binner_.take_ambiguous_pairs();
      }
    }
    bin_some<Known::nothing>(rows, columns, pair, counts);
    return binner_.take_ambiguous_pairs();
  }

  /// Holds the ambiguous pairs of each lane, the bits of `is_ambiguous`, and moves held
  /// pairs to the warp's queue when a lane is full, or all of them if `last`. `item`:
  /// first row of the cluster of rows and first column of the work item; `columns`:
  /// number of the cluster among `clusters`; `last`: it is the last of these clusters.
  __device__ __forceinline__ void note(const KernelSlice& slice, const Corner& item,
                                       const SeenClusters<local>& clusters,
                                       std::uint32_t columns, bool last,
                                       std::uint32_t is_ambiguous) {
    held_.hold(columns, is_ambiguous);
    const std::uint32_t most =
        last ? HeldAmbiguousPairs::one : HeldAmbiguousPairs::as_many_as_fit;
    while (__any_sync(0xffffffffU, are_several(is_ambiguous) || held_.has(most))) {
      if (__any_sync(0xffffffffU, held_.has(most))) {
        while (ambiguous_pairs_.template put<true>(
            args_, slice, histogram_, item, held_.has(HeldAmbiguousPairs::one), [&] {
              const ClusterPair pair = clusters.pair_of(held_.cluster());
              return AmbiguousPairs::entry(
                  item, pair.columns * cluster_size, held_.bit(),
                  (adds_all && pair.inside) || (adds_whole && pair.whole));
            })) {
          held_.drop();
        }
      }
      is_ambiguous = without_highest(is_ambiguous);
      held_.hold(columns, is_ambiguous);
    }
  }

  /// Re-evaluates the pairs of the queue. Call it at the end of a work item.
  __device__ void reevaluate(const KernelSlice& slice, const Corner& item) {
    ambiguous_pairs_.reevaluate(args_, slice, histogram_, item);
  }

 private:
  using Squared = SquaredDistance<(bits < 32)>;

  /// Adds 1 or -1 (modulo 2^64) to the total of a bin or of pairs out of range. Two
  /// totals that share a word may borrow from each other; they are correct after the
  /// last addition.
  __device__ __forceinline__ void add_to_total(std::uint32_t bin,
                                               unsigned long long count) const {
    const std::uint32_t bins = args_.bins.count;
    if (bin < bins) {
      atomicAdd(
          &args_.cluster_work.records.totals[Histogram::index_of_total(bin, bins)],
          count << Histogram::shift_of_total(bin));
    } else {
      atomicAdd(&args_.cluster_work.records.sums->moved_outside, count);
    }
  }

  /// The certificate of this histogram and range.
  template <Known known>
  __device__ __forceinline__ auto certificate_for(std::uint32_t origin) const {
    if constexpr (local) {
      return LocalCertificate<known>(args_, static_cast<float>(origin));
    } else if constexpr (optimistic) {
      using Certificate =
          std::conditional_t<known == Known::nothing, EdgeCertificate<Known::nothing>,
                             QuantisedCertificate<known>>;
      return Certificate(
          args_, Histogram::candidate_out_of_range(args_.bins.count, RowTile::lane()));
    } else {
      return typename Squared::template Certificate<known>(args_);
    }
  }

  /// Bins all 1024 pairs, whose distances are not short.
  __device__ __forceinline__ void bin_whole(const RowTile& rows, const Columns& columns,
                                            const ClusterPair& pair) {
    if constexpr (adds_whole) {
      const auto placed = certificate_for<Known::not_short>(0);
      for_squares<Images::several>(
          rows, columns, pair, [] {},
          [&](float r2, std::uint32_t bit, std::uint32_t first, int) {
            binner_.bin_added(placed(r2), 1U << bit << first);
          });
    } else {
      bin_some<Known::not_short>(rows, columns, pair,
                                 [](std::uint32_t) { return true; });
    }
  }

  /// Bins the pairs for which counts(bit) is true.
  template <Known known, class Counts>
  __device__ __forceinline__ void bin_some(const RowTile& rows, const Columns& columns,
                                           const ClusterPair& pair, Counts counts) {
    if constexpr (local) {
      binner_.set_origin(args_, pair.origin);
    }
    const auto placed = certificate_for<known>(pair.origin);
    for_squares<Images::several>(
        rows, columns, pair, [] {},
        [&](auto r2, std::uint32_t bit, std::uint32_t first, int slot) {
          if constexpr (optimistic) {
            binner_.bin_optimistically(placed(r2 - args_.filter.quantised.offset()),
                                       1U << bit << first, counts(first + bit));
          } else {
            const Placed at = placed(r2);
            binner_.binner(at, 1U << bit << first, slot, counts(first + bit));
            propagate_carries(slot);
          }
        });
  }

  /// Adds carries to the totals after the last of four slots.
  __device__ __forceinline__ void propagate_carries(int slot) {
    if (slot == 3) {
      binner_.template propagate_carries<4>(args_, histogram_);
    }
  }

  /// Calls act(squared distance, bit, first, slot) for each pair of the lane: bit +
  /// first is its bit, with `bit` a constant in unrolled loops. Calls all_squared()
  /// after the last use of the columns. `fragments` of rows and `steps` of columns are
  /// squared together and share the loop over further images. `ready`: the first
  /// product, or null.
  template <Images images, int fragments = adds_all ? RowTile::fragments : 1,
            int steps = unrolled ? RowTile::steps : 1, class Cluster, class AllSquared,
            class Act>
  __device__ __forceinline__ void for_squares(const RowTile& rows,
                                              const Cluster& columns,
                                              const ClusterPair& pair,
                                              AllSquared all_squared, Act act,
                                              const FirstProduct* ready = nullptr) {
#pragma unroll(steps == 1 ? 1 : RowTile::fragments)
    for (int f = 0; f < RowTile::fragments; f += fragments) {
#pragma unroll 1
      for (int begin = 0; begin < RowTile::steps; begin += steps) {
        typename Squared::Value r2[fragments][steps][4];
        std::uint32_t left = 0;
        double other = 0.0;
        if constexpr (images == Images::several) {
          left = pair.images & (pair.images - 1U);
          other = other_translation(pair, left);
        }
        square<true>(rows, f, pair.translation, columns, begin, r2,
                     f == 0 && begin == 0 ? ready : nullptr);
        if constexpr (images == Images::several) {
          while (left != 0) {
            square<false>(rows, f, other, columns, begin, r2);
            left &= left - 1U;
            if (left != 0) {
              other = other_translation(pair, left);
            }
          }
        }
        if (f + fragments == RowTile::fragments && begin + steps == RowTile::steps) {
          all_squared();
        }
        const std::uint32_t first = RowTile::bit_of(f, begin, 0);
#pragma unroll
        for (int k = 0; k < fragments; ++k) {
#pragma unroll
          for (int step = 0; step < steps; ++step) {
#pragma unroll
            for (int q = 0; q < 4; ++q) {
              act(r2[k][step][q], RowTile::bit_of(k, step, q), first, q);
            }
          }
        }
      }
    }
  }

  /// RowTile::translation() with the first of `images`; without a lattice vector if
  /// that is empty.
  __device__ __forceinline__ double other_translation(const ClusterPair& pair,
                                                      std::uint32_t images) const {
    const std::uint32_t component = RowTile::component();
    const double d =
        component < 3 ? -pair.translation * args_.filter.inverse_coordinate_scale : 0.0;
    const double first =
        lattice_.vector[SeenCluster::first_image(pair.images)][component];
    const double other = lattice_.vector[SeenCluster::first_image(images)][component];
    return RowTile::translation(args_.filter.coordinate_scale, d + (first - other),
                                pair.origin);
  }

  /// Sets r2 to the squared distances with one image, or to the smaller of these and r2
  /// unless `set`. `ready`: the first product, or null.
  template <bool set, class Cluster, int fragments, int steps>
  __device__ __forceinline__ static void square(
      const RowTile& rows, int f, double translation, const Cluster& columns, int begin,
      typename Squared::Value (&r2)[fragments][steps][4],
      const FirstProduct* ready = nullptr) {
#pragma unroll
    for (int k = 0; k < fragments; ++k) {
      const bool known = ready != nullptr && k == 0;
      const RowFragment moved = known ? ready->rows : rows.moved(f + k, translation);
#pragma unroll
      for (int step = 0; step < steps; ++step) {
        double product[4];
        if (known && step == 0) {
#pragma unroll
          for (int q = 0; q < 4; ++q) {
            product[q] = ready->product[q];
          }
        } else {
          multiply_add(product, moved.factor, columns[begin + step], moved.norm2);
        }
#pragma unroll
        for (int q = 0; q < 4; ++q) {
          auto& least = r2[k][step][q];
          const auto squared = Squared::of(product[q]);
          least = set ? squared : Squared::smaller(least, squared);
        }
      }
    }
  }

  const KernelArgs& args_;
  const LatticeVectors& lattice_;
  const Histogram& histogram_;
  Binner<range, Histogram> binner_;
  AmbiguousPairs ambiguous_pairs_;
  HeldAmbiguousPairs held_;
};

}  // namespace starhist::kernels::cuda
