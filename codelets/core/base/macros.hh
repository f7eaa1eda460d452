#pragma once

/// Attribute of functions that host and device share.
///
/// They are always inlined: the same header is compiled with the flags of
/// several instruction sets, and an out-of-line copy made for AVX-512 must
/// never be the one that the linker keeps for the whole program.
#ifdef __CUDACC__
#define STARHIST_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define STARHIST_HOST_DEVICE inline __attribute__((always_inline))
#endif

/// Unrolls the following loop, which has a constant number of rounds, so that an
/// enclosing loop can be vectorized.
#ifdef __CUDACC__
#define STARHIST_UNROLL _Pragma("unroll")
#else
#define STARHIST_UNROLL _Pragma("GCC unroll 8")
#endif
