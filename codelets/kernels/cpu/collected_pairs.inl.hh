// Squared distances collected from many rows and compared with explicit edges together.
// Included by edge_loop.inl.hh.
#pragma once

#include "codelets/kernels/cpu/edge_counts.inl.hh"

namespace starhist::kernels::cpu {
namespace {

/// Vectors of pairs that may be in range, each of one row and the columns of a vector,
/// collected over many rows, and the squares of these pairs.
/// row_bits: bits of the number of a row.
template <class Measure, unsigned row_bits>
class CollectedPairs {
 public:
  using Floats = Simd::Floats;
  using Ints = Simd::Ints;

  /// Code of the vector of columns `vector`, counted from loop.column_begin on, with
  /// row `row`, counted from loop.row_begin on. `partial`: it has columns that are not
  /// counted with the row, because they are beyond column_end or, for a like pair, not
  /// after the row.
  static std::int32_t code(std::size_t row, std::size_t vector, bool partial) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(row) |
                                     static_cast<std::uint32_t>(vector) << row_bits |
                                     (partial ? partial_bit : 0U));
  }

  /// Columns are before `column_end`.
  CollectedPairs(const PairLoop& loop, const Measure& measure, std::size_t column_end,
                 EdgeCounts<float>& edges, AmbiguousPairs<PlainTally>& ambiguous_pairs)
      : loop_(loop),
        measure_(measure),
        column_end_(column_end),
        edges_(edges),
        ambiguous_pairs_(ambiguous_pairs),
        reach_(Simd::broadcast(edges.beyond[edges.count])) {
    // Pairs of evenly spread particles below an edge grow with its cube.
    float last = edges.beyond[edges.count];
    for (std::uint32_t k = edges.count; k > 0; --k) {
      const float ratio = edges.beyond[k] / last;
      keeps_[k] = ratio * ratio * ratio < 0.25F;
      last = keeps_[k] ? edges.beyond[k] : last;
    }
  }

  /// Adds the vectors in lanes of `codes` whose bit is set.
  void add(Ints codes, unsigned bits) {
    size_ += Simd::store_lanes(code_ + size_, codes, bits);
    if (size_ > capacity - Simd::width) {
      count();
    }
  }

  /// Counts the collected pairs and removes them.
  void count() {
    std::size_t counted = 0;  // vectors whose squares have been counted
    std::size_t squares = 0;
    for (std::size_t begin = 0; begin < size_; begin += together) {
      const std::size_t end = begin + together < size_ ? begin + together : size_;
      squares = collect(begin, end, squares);
      if (squares >= full || end == size_) {
        count_squares(squares);
        if (uncertain_edges_ != 0) {  // about one pair in a million
          remove_ambiguous(counted, end);
        }
        counted = end;
        squares = 0;
      }
    }
    size_ = 0;
  }

 private:
  using Code = std::uint32_t;
  static constexpr Code partial_bit = Code{1} << 31U;
  static constexpr std::size_t capacity = 1024;  ///< of the list of vectors
  static constexpr float far_away = 3e38F;
  static constexpr std::size_t full = 1024;
  static constexpr std::size_t together = 64;

  std::size_t row_of(Code code) const {
    return loop_.row_begin + (code & ((Code{1} << row_bits) - 1U));
  }
  std::size_t column_of(Code code) const {
    return loop_.column_begin +
           std::size_t{(code & ~partial_bit) >> row_bits} * Simd::width;
  }

  /// Appends the squares of vectors [begin, end) that may be in range. Returns the
  /// number of squares.
  std::size_t collect(std::size_t begin, std::size_t end, std::size_t size) {
    const Measure measure = measure_;  // copies, which stores cannot change
    const PairLoop loop = loop_;
    const Floats reach = reach_;
    for (std::size_t v = begin; v < end; ++v) {
      const Code code = code_[v];
      const std::size_t i = row_of(code);
      const std::size_t j = column_of(code);
      const typename Measure::Row a(measure, loop, i);
      Floats r2 = measure.unscaled_square(loop, a, j).r2;
      if ((code & partial_bit) != 0) {
        r2 = counted(i, j, r2);
      }
      size += Simd::store_less(square_ + size, r2, reach);
    }
    return size;
  }

  /// r2, and a number beyond every edge in lanes without a pair to count.
  Floats counted(std::size_t i, std::size_t j, Floats r2) const {
    const auto lane = [j](std::size_t column) {
      return Simd::broadcast(static_cast<float>(column > j ? column - j : 0));
    };
    const Floats far = Simd::broadcast(far_away);
    r2 = Simd::where_less(Simd::lane_centres(), lane(column_end_), r2, far);
    return loop_.block->like
               ? Simd::where_less(Simd::lane_centres(), lane(i + 1), far, r2)
               : r2;
  }

  /// Counts the collected squares, and lists the edges at which one is not certified.
  void count_squares(std::size_t size) {
    uncertain_edges_ = 0;
    std::uint32_t k = edges_.count;
    if (Simd::stores_exactly && size > 0) {  // all squares are below the last edge
      edges_.pairs[k] += size;
      if (surely_below(size, edges_.below[k]) != size) {
        uncertain_edge_[uncertain_edges_++] = k;
      }
      --k;
    }
    std::size_t left = size;
    for (; k > 0 && left > 0; --k) {
      const std::size_t before = size;
      left = keeps_[k] ? count_at<true>(k, size) : count_at<false>(k, size);
      keeps_[k] = 2 * left < before;
      edges_.pairs[k] += left;
    }
  }

  /// Returns the number of squares below edge k, and lists it if one of them is not
  /// certified. keep_less: removes other squares, and sets `size` to the number of
  /// those that are left.
  template <bool keep_less>
  std::size_t count_at(std::uint32_t k, std::size_t& size) {
    fill_last_vector(size);
    const Floats beyond = Simd::broadcast(edges_.beyond[k]);
    const Floats below = Simd::broadcast(edges_.below[k]);
    Ints perhaps{};
    Ints surely{};
    std::size_t kept = 0;
    for (std::size_t v = 0; v < size; v += Simd::width) {
      const Floats r2 = Simd::load(square_ + v);
      perhaps = Simd::count_less(perhaps, r2, beyond);
      surely = Simd::count_less(surely, r2, below);
      if constexpr (keep_less) {
        kept += Simd::store_less(square_ + kept, r2, beyond);
      }
    }
    if constexpr (keep_less) {
      size = kept;
    }
    if (Simd::any(perhaps ^ surely)) {
      uncertain_edge_[uncertain_edges_++] = k;
    }
    return Simd::sum(perhaps);
  }

  std::size_t surely_below(std::size_t size, float limit) {
    fill_last_vector(size);
    const Floats below = Simd::broadcast(limit);
    Ints surely{};
    for (std::size_t v = 0; v < size; v += Simd::width) {
      surely = Simd::count_less(surely, Simd::load(square_ + v), below);
    }
    return Simd::sum(surely);
  }

  void fill_last_vector(std::size_t size) {
    Simd::store(square_ + size, Simd::broadcast(far_away));
  }

  /// Takes the ambiguous pairs of vectors [begin, end) out of the counts and leaves
  /// them to the defining function.
  [[gnu::noinline]] void remove_ambiguous(std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::size_t i = row_of(code_[v]);
      const std::size_t j = column_of(code_[v]);
      const typename Measure::Row a(measure_, loop_, i);
      Floats r2 = measure_.unscaled_square(loop_, a, j).r2;
      if ((code_[v] & partial_bit) != 0) {
        r2 = counted(i, j, r2);
      }
      unsigned ambiguous = 0;
      for (std::uint32_t e = 0; e < uncertain_edges_; ++e) {
        const std::uint32_t k = uncertain_edge_[e];
        ambiguous |= Simd::less_bits(r2, Simd::broadcast(edges_.beyond[k])) &
                     ~Simd::less_bits(r2, Simd::broadcast(edges_.below[k]));
      }
      for (unsigned bits = ambiguous; bits != 0; bits &= bits - 1U) {
        const float square = r2[__builtin_ctz(bits)];
        for (std::uint32_t k = edges_.count; k > 0 && square < edges_.beyond[k]; --k) {
          --edges_.pairs[k];
        }
        ++edges_.reevaluated;
      }
      ambiguous_pairs_.add(i, j, ambiguous);
    }
  }

  const PairLoop& loop_;
  const Measure& measure_;
  const std::size_t column_end_;
  EdgeCounts<float>& edges_;
  AmbiguousPairs<PlainTally>& ambiguous_pairs_;
  const Floats reach_;
  std::size_t size_ = 0;               ///< number of vectors
  std::uint32_t uncertain_edges_ = 0;  ///< number of edges with ambiguous pairs
  std::uint32_t uncertain_edge_[EdgeCounts<float>::most];
  /// Less than half of the squares that were compared with this edge last were below.
  bool keeps_[EdgeCounts<float>::most];
  Code code_[capacity];
  float square_[full + (together + 2) * Simd::width];
};

}  // namespace
}  // namespace starhist::kernels::cpu
