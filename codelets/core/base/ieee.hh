#pragma once

#include "codelets/core/base/macros.hh"

namespace starhist {

/// The correctly rounded operations of the defining function, with the same bits on
/// every processor. All sources are compiled with -ffp-contract=off, so no other
/// operation is fused. fused(x, y, z) is x y + z with one rounding; with_sign(x, s) is
/// |x| with the sign of s.
#ifdef __CUDA_ARCH__
STARHIST_HOST_DEVICE double fused(double x, double y, double z) {
  return ::fma(x, y, z);
}
STARHIST_HOST_DEVICE double square_root(double x) {
  return ::sqrt(x);
}
STARHIST_HOST_DEVICE double nearest_integer(double x) {
  return ::rint(x);
}
STARHIST_HOST_DEVICE double with_sign(double x, double s) {
  return ::copysign(x, s);
}
STARHIST_HOST_DEVICE int low_bits(double x) {
  return __double2loint(x);
}
#else
STARHIST_HOST_DEVICE double fused(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
STARHIST_HOST_DEVICE double square_root(double x) {
  return __builtin_sqrt(x);
}
STARHIST_HOST_DEVICE double nearest_integer(double x) {
  return __builtin_rint(x);
}
STARHIST_HOST_DEVICE double with_sign(double x, double s) {
  return __builtin_copysign(x, s);
}
/// The lower half of the bits of x.
STARHIST_HOST_DEVICE int low_bits(double x) {
  return static_cast<int>(
      static_cast<unsigned>(__builtin_bit_cast(unsigned long long, x)));
}
#endif

}  // namespace starhist
