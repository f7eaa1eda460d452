// SIMD operations of the instruction set that this file is compiled for. Everything is
// local to the including source file, because object files of different instruction
// sets must not share code.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(STARHIST_NEON)
#include <arm_neon.h>
#endif

namespace starhist::kernels::cpu {
namespace {

#if defined(__AVX512F__)
constexpr const char* instruction_set = "avx512";
constexpr std::size_t lanes = 16;
constexpr bool fused = true;
#elif defined(__AVX2__)
constexpr const char* instruction_set = "avx2";
constexpr std::size_t lanes = 8;
constexpr bool fused = true;
#elif defined(STARHIST_NEON)  // set by the file, because every 64-bit ARM has NEON
constexpr const char* instruction_set = "neon";
constexpr std::size_t lanes = 4;
constexpr bool fused = true;
#else
constexpr const char* instruction_set = "baseline";
constexpr std::size_t lanes = 4;
constexpr bool fused = false;  ///< multiply_add rounds twice
#endif

struct FloatTypes {
  using Real = float;
  static constexpr Real unit_roundoff = 0x1p-24F;
  static constexpr std::size_t width = lanes;
  using Floats = float __attribute__((vector_size(4 * lanes)));
  using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));
  using Unsigned = std::uint32_t __attribute__((vector_size(4 * lanes)));
};

struct DoubleTypes {
  using Real = double;
  static constexpr Real unit_roundoff = 0x1p-53;
  static constexpr std::size_t width = lanes / 2;
  using Floats = double __attribute__((vector_size(4 * lanes)));
  using Ints = std::int32_t __attribute__((vector_size(2 * lanes)));
  using Unsigned = std::uint32_t __attribute__((vector_size(2 * lanes)));
};

inline float root_of(float x) {
  return __builtin_sqrtf(x);
}
inline double root_of(double x) {
  return __builtin_sqrt(x);
}

/// Vectors of `width` numbers and of as many 32-bit integers, and their operations for
/// any instruction set. Simd and DoubleSimd replace some of them.
template <class Types>
struct Vectors : Types {
  using typename Types::Floats;
  using typename Types::Ints;
  using typename Types::Real;
  using typename Types::Unsigned;
  using Types::width;

  static Floats broadcast(Real value) { return value - Floats{}; }
  static Ints broadcast(std::int32_t value) { return value - Ints{}; }

  static Ints load(const std::int32_t* from) {
    Ints v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
  }
  static Floats load(const Real* from) {
    Floats v;
    __builtin_memcpy(&v, from, sizeof(v));
    return v;
  }
  static void store(std::uint32_t* to, Ints v) { __builtin_memcpy(to, &v, sizeof(v)); }

  /// a - b modulo 2^32.
  static Ints wrapped_difference(Ints a, Ints b) {
    return reinterpret_cast<Ints>(reinterpret_cast<Unsigned>(a) -
                                  reinterpret_cast<Unsigned>(b));
  }
  static Floats to_floats(Ints v) { return __builtin_convertvector(v, Floats); }
  static Ints truncated(Floats v) { return __builtin_convertvector(v, Ints); }

  static Floats multiply_add(Floats a, Floats b, Floats c) { return a * b + c; }
  static Floats root(Floats v) {
    for (std::size_t k = 0; k < width; ++k) {
      v[k] = root_of(v[k]);
    }
    return v;
  }
  /// An integer at most 1/2 away from v, up to rounding, for 0 <= v < 2^31.
  static Floats nearest(Floats v) {
    return to_floats(truncated(v + static_cast<Real>(0.5)));
  }
  static Floats smaller(Floats a, Floats b) { return a < b ? a : b; }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return a < b ? yes : no;
  }
  /// Lanes where a < b, one bit each.
  static unsigned less_bits(Floats a, Floats b) {
    const auto mask = a < b;
    unsigned bits = 0;
    for (std::size_t k = 0; k < width; ++k) {
      bits |= (static_cast<unsigned>(mask[k]) & 1U) << k;
    }
    return bits;
  }
  /// Stores `instead` in lanes where a < b and v in the others. Returns the lanes where
  /// a < b, one bit each.
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const auto less = __builtin_convertvector(a < b, Ints);
    store(to, less ? instead : v);
    unsigned bits = 0;
    for (std::size_t k = 0; k < width; ++k) {
      bits |= (static_cast<unsigned>(less[k]) & 1U) << k;
    }
    return bits;
  }

  /// 0, 1, 2, ...
  static Ints lane_numbers() { return truncated(lane_centres()); }
  /// A bit for each of the first `count` lanes.
  static constexpr unsigned first_bits(std::size_t count) {
    return count < width ? (1U << count) - 1U : (1U << width) - 1U;
  }
  /// 0.5, 1.5, 2.5, ...
  static Floats lane_centres() {
    Floats v{};
    for (std::size_t k = 0; k < width; ++k) {
      v[k] = static_cast<Real>(k) + static_cast<Real>(0.5);
    }
    return v;
  }
};

/// Vectors of floats.
struct Simd : Vectors<FloatTypes> {
  using Vectors::store;
  static void store(float* to, Floats v) { __builtin_memcpy(to, &v, sizeof(v)); }
  static Floats magnitude(Floats v) {
    return reinterpret_cast<Floats>(reinterpret_cast<Ints>(v) & 0x7fffffff);
  }

#if defined(__AVX512F__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm512_fmadd_ps(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm512_sqrt_ps(v);
  }
  static Floats nearest(Floats v) {
    return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats smaller(Floats a, Floats b) {
    return _mm512_min_ps(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
  }
  static bool any(Ints v) {
    return _mm512_test_epi32_mask(reinterpret_cast<__m512i>(v),
                                  reinterpret_cast<__m512i>(v)) != 0;
  }
  static std::size_t sum(Ints v) {
    return static_cast<std::size_t>(
        _mm512_reduce_add_epi32(reinterpret_cast<__m512i>(v)));
  }
  /// `counts` plus 1 in lanes where a < b.
  static Ints count_less(Ints counts, Floats a, Floats b) {
    return reinterpret_cast<Ints>(_mm512_mask_sub_epi32(
        reinterpret_cast<__m512i>(counts), _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ),
        reinterpret_cast<__m512i>(counts), _mm512_set1_epi32(-1)));
  }
  static constexpr bool stores_exactly = true;  ///< store_less() stores no other lanes
  /// Stores at least the lanes where v < limit, and up to one vector. Returns how many
  /// numbers were stored.
  static std::size_t store_less(float* to, Floats v, Floats limit) {
    const __mmask16 less = _mm512_cmp_ps_mask(v, limit, _CMP_LT_OQ);
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(less, v));
    return static_cast<std::size_t>(__builtin_popcount(less));
  }
  /// Stores at least the lanes of v whose bit is set, and up to one vector. Returns how
  /// many numbers were stored.
  static std::size_t store_lanes(std::uint32_t* to, Ints v, unsigned bits) {
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits),
                                                        reinterpret_cast<__m512i>(v)));
    return static_cast<std::size_t>(__builtin_popcount(bits));
  }
  static unsigned less_bits(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const __mmask16 less = _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
    _mm512_storeu_si512(to,
                        _mm512_mask_blend_epi32(less, reinterpret_cast<__m512i>(v),
                                                reinterpret_cast<__m512i>(instead)));
    return less;
  }
#elif defined(__AVX2__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm256_sqrt_ps(v);
  }
  static Floats nearest(Floats v) {
    return _mm256_round_ps(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats smaller(Floats a, Floats b) {
    return _mm256_min_ps(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_LT_OQ));
  }
  static unsigned less_bits(Floats a, Floats b) {
    return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LT_OQ)));
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const __m256 less = _mm256_cmp_ps(a, b, _CMP_LT_OQ);
    _mm256_storeu_ps(reinterpret_cast<float*>(to),
                     _mm256_blendv_ps(reinterpret_cast<__m256>(v),
                                      reinterpret_cast<__m256>(instead), less));
    return static_cast<unsigned>(_mm256_movemask_ps(less));
  }
#elif defined(STARHIST_NEON)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return vfmaq_f32(c, a, b);
  }
  static Floats root(Floats v) {
    return vsqrtq_f32(v);
  }
  static Floats nearest(Floats v) {
    return vrndnq_f32(v);
  }
  /// b if a is NaN, as in the other instruction sets.
  static Floats smaller(Floats a, Floats b) {
    return vminnmq_f32(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return vbslq_f32(vcltq_f32(a, b), yes, no);
  }
  static unsigned bits_of(uint32x4_t mask) {
    constexpr uint32x4_t bits{1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(mask, bits));
  }
  static unsigned less_bits(Floats a, Floats b) {
    return bits_of(vcltq_f32(a, b));
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const uint32x4_t less = vcltq_f32(a, b);
    vst1q_u32(to, vbslq_u32(less, reinterpret_cast<uint32x4_t>(instead),
                            reinterpret_cast<uint32x4_t>(v)));
    return bits_of(less);
  }
  static bool any(Ints v) {
    return vmaxvq_u32(reinterpret_cast<uint32x4_t>(v)) != 0;
  }
  static std::size_t sum(Ints v) {
    return static_cast<std::size_t>(vaddvq_s32(v));
  }
#endif
#if !defined(__AVX512F__) && !defined(STARHIST_NEON)
  /// True if any lane is not 0.
  static bool any(Ints v) {
    std::int32_t all = 0;
    for (std::size_t k = 0; k < width; ++k) {
      all |= v[k];
    }
    return all != 0;
  }
  /// Sum of the lanes, which is below 2^31.
  static std::size_t sum(Ints v) {
    std::int32_t all = 0;
    for (std::size_t k = 0; k < width; ++k) {
      all += v[k];
    }
    return static_cast<std::size_t>(all);
  }
#endif
#if !defined(__AVX512F__)
  static constexpr bool stores_exactly = false;
  static std::size_t store_lanes(std::uint32_t* to, Ints v, unsigned bits) {
    std::size_t stored = 0;
    for (; bits != 0; bits &= bits - 1U) {
      to[stored++] = static_cast<std::uint32_t>(v[__builtin_ctz(bits)]);
    }
    return stored;
  }
  static Ints count_less(Ints counts, Floats a, Floats b) {
    return counts - (a < b);
  }
  static std::size_t store_less(float* to, Floats v, Floats limit) {
    store(to, v);
    return less_bits(v, limit) != 0 ? width : 0;
  }
#endif
};

/// Vectors of doubles, with half as many lanes as Simd.
struct DoubleSimd : Vectors<DoubleTypes> {
  static Floats magnitude(Floats v) {
    using Longs = std::int64_t __attribute__((vector_size(4 * lanes)));
    return reinterpret_cast<Floats>(reinterpret_cast<Longs>(v) & INT64_MAX);
  }

#if defined(__AVX512F__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm512_fmadd_pd(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm512_sqrt_pd(v);
  }
  static Floats nearest(Floats v) {
    return _mm512_roundscale_pd(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats smaller(Floats a, Floats b) {
    return _mm512_min_pd(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), no, yes);
  }
  static unsigned less_bits(Floats a, Floats b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const __mmask8 less = _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ);
    store(to,
          reinterpret_cast<Ints>(_mm256_mask_blend_epi32(
              less, reinterpret_cast<__m256i>(v), reinterpret_cast<__m256i>(instead))));
    return less;
  }
#elif defined(__AVX2__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm256_fmadd_pd(a, b, c);
  }
  // __builtin_convertvector of GCC 12 converts two lanes at a time.
  static Floats to_floats(Ints v) {
    return _mm256_cvtepi32_pd(reinterpret_cast<__m128i>(v));
  }
  static Floats root(Floats v) {
    return _mm256_sqrt_pd(v);
  }
  static Floats nearest(Floats v) {
    return _mm256_round_pd(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  }
  static Floats smaller(Floats a, Floats b) {
    return _mm256_min_pd(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return _mm256_blendv_pd(no, yes, _mm256_cmp_pd(a, b, _CMP_LT_OQ));
  }
  static unsigned less_bits(Floats a, Floats b) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)));
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const __m256d less = _mm256_cmp_pd(a, b, _CMP_LT_OQ);
    const __m256 halves = _mm256_castpd_ps(less);
    const __m128 narrow = _mm_shuffle_ps(_mm256_castps256_ps128(halves),
                                         _mm256_extractf128_ps(halves, 1), 0x88);
    store(to,
          reinterpret_cast<Ints>(_mm_blendv_ps(
              reinterpret_cast<__m128>(v), reinterpret_cast<__m128>(instead), narrow)));
    return static_cast<unsigned>(_mm256_movemask_pd(less));
  }
#elif defined(STARHIST_NEON)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return vfmaq_f64(c, a, b);
  }
  static Floats to_floats(Ints v) {
    return vcvtq_f64_s64(vmovl_s32(v));
  }
  static Ints truncated(Floats v) {
    return vmovn_s64(vcvtq_s64_f64(v));
  }
  static Floats root(Floats v) {
    return vsqrtq_f64(v);
  }
  static Floats nearest(Floats v) {
    return vrndnq_f64(v);
  }
  static Floats smaller(Floats a, Floats b) {
    return vminnmq_f64(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return vbslq_f64(vcltq_f64(a, b), yes, no);
  }
  static unsigned bits_of(uint32x2_t mask) {
    constexpr uint32x2_t bits{1, 2};
    return vaddv_u32(vand_u32(mask, bits));
  }
  static unsigned less_bits(Floats a, Floats b) {
    return bits_of(vmovn_u64(vcltq_f64(a, b)));
  }
  static unsigned store_but_less(std::uint32_t* to, Ints v, Ints instead, Floats a,
                                 Floats b) {
    const uint32x2_t less = vmovn_u64(vcltq_f64(a, b));
    vst1_u32(to, vbsl_u32(less, reinterpret_cast<uint32x2_t>(instead),
                          reinterpret_cast<uint32x2_t>(v)));
    return bits_of(less);
  }
#endif
};

}  // namespace
}  // namespace starhist::kernels::cpu
