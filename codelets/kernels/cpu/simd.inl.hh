// SIMD operations of the instruction set that this file is compiled for. Everything
// is local to the including source file: no code of it may be shared between sets.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace starhist::cpu {
namespace {

#if defined(__AVX512F__)
constexpr const char* instruction_set = "avx512";
constexpr std::size_t lanes = 16;
#elif defined(__AVX2__)
constexpr const char* instruction_set = "avx2";
constexpr std::size_t lanes = 8;
#else
constexpr const char* instruction_set = "baseline";
constexpr std::size_t lanes = 4;
#endif

struct FloatTypes {
  using Real = float;
  static constexpr std::size_t width = lanes;
  using Floats = float __attribute__((vector_size(4 * lanes)));
  using Ints = std::int32_t __attribute__((vector_size(4 * lanes)));
  using Unsigned = std::uint32_t __attribute__((vector_size(4 * lanes)));
};

struct DoubleTypes {
  using Real = double;
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

/// Vectors of `width` numbers and of as many 32-bit integers.
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

  // What follows is for any instruction set; Simd and FineSimd replace it.

  static Floats multiply_add(Floats a, Floats b, Floats c) { return a * b + c; }
  static Floats root(Floats v) {
    for (std::size_t k = 0; k < width; ++k) {
      v[k] = root_of(v[k]);
    }
    return v;
  }
  static Floats about_inverse_root(Floats v) {
    return static_cast<Real>(1.0) / root(v);
  }
  static Floats smaller(Floats a, Floats b) { return a < b ? a : b; }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return a < b ? yes : no;
  }
  static unsigned less_bits(Floats a, Floats b) {
    const auto mask = a < b;
    unsigned bits = 0;
    for (std::size_t k = 0; k < width; ++k) {
      bits |= (static_cast<unsigned>(mask[k]) & 1U) << k;
    }
    return bits;
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

/// Floats and their operations.
struct Simd : Vectors<FloatTypes> {
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
  static Floats about_inverse_root(Floats v) {
    return _mm512_rsqrt14_ps(v);
  }
  static Floats smaller(Floats a, Floats b) {
    return _mm512_min_ps(a, b);
  }
  static Floats where_less(Floats a, Floats b, Floats yes, Floats no) {
    return _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, b, _CMP_LT_OQ), no, yes);
  }
  static unsigned less_bits(Floats a, Floats b) {
    return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ);
  }
#elif defined(__AVX2__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm256_fmadd_ps(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm256_sqrt_ps(v);
  }
  static Floats about_inverse_root(Floats v) {
    return _mm256_rsqrt_ps(v);
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
#endif
};

/// Doubles, half as many.
struct FineSimd : Vectors<DoubleTypes> {
  static Floats magnitude(Floats v) {
    using Longs = std::int64_t __attribute__((vector_size(4 * lanes)));
    return reinterpret_cast<Floats>(reinterpret_cast<Longs>(v) & INT64_MAX);
  }
  static Floats about_inverse_root(Floats v) { return 1.0 / root(v); }

#if defined(__AVX512F__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm512_fmadd_pd(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm512_sqrt_pd(v);
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
#elif defined(__AVX2__)
  static Floats multiply_add(Floats a, Floats b, Floats c) {
    return _mm256_fmadd_pd(a, b, c);
  }
  static Floats root(Floats v) {
    return _mm256_sqrt_pd(v);
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
#endif
};

}  // namespace
}  // namespace starhist::cpu
