#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/geometry/box.hh"
#include "io/formats/gromacs/decoder/gromacs_program.hh"
#include "tests/support/catch.hh"

namespace starhist::testing {

/// True if GROMACS' formats can be read; otherwise prints a note.
inline bool has_libgromacs() {
  if (io::gromacs::program_path().empty()) {
    WARN("built without libgromacs: nothing to test");
    return false;
  }
  return true;
}

/// The box with edges rounded to floats.
inline Box in_floats(const Box& box) {
  std::array<Vec3, 3> edges = box.edges();
  for (Vec3& edge : edges) {
    edge = {static_cast<float>(edge.x), static_cast<float>(edge.y),
            static_cast<float>(edge.z)};
  }
  return Box(edges, box.periodic());
}

/// Bytes in XDR format.
struct XdrBytes {
  std::string bytes;

  XdrBytes& number(std::uint64_t value, int size) {
    for (int k = size - 1; k >= 0; --k) {
      bytes += static_cast<char>(value >> (8 * k) & 0xffU);
    }
    return *this;
  }
  XdrBytes& integer(std::int32_t value) {
    return number(static_cast<std::uint32_t>(value), 4);
  }
  XdrBytes& real(float value) { return number(std::bit_cast<std::uint32_t>(value), 4); }
  XdrBytes& real(double value) {
    return number(std::bit_cast<std::uint64_t>(value), 8);
  }
};

/// A frame of TRR with a cube of edge 5 and positions, or only velocities.
template <class Real>
std::string trr_frame(const std::vector<Real>& values, std::int32_t step, Real time,
                      bool velocities_alone = false) {
  XdrBytes xdr;
  const auto size = static_cast<std::int32_t>(sizeof(Real) * values.size());
  xdr.integer(1993).integer(13).integer(12).bytes += "GMX_trn_file";
  xdr.integer(0).integer(0).integer(9 * sizeof(Real)).integer(0).integer(0);
  xdr.integer(0).integer(0).integer(velocities_alone ? 0 : size);
  xdr.integer(velocities_alone ? size : 0).integer(0);
  xdr.integer(static_cast<std::int32_t>(values.size() / 3)).integer(step).integer(0);
  xdr.real(time).real(Real{0});
  for (int k = 0; k < 9; ++k) {
    xdr.real(k % 4 == 0 ? Real{5} : Real{0});
  }
  for (const Real value : values) {
    xdr.real(value);
  }
  return xdr.bytes;
}

/// A frame of XTC with a cube of edge 5 and at most nine atoms, which are not
/// compressed.
inline std::string xtc_frame(const std::vector<float>& values, std::int32_t step,
                             float time) {
  XdrBytes xdr;
  const auto atoms = static_cast<std::int32_t>(values.size() / 3);
  xdr.integer(1995).integer(atoms).integer(step).real(time);
  for (int k = 0; k < 9; ++k) {
    xdr.real(k % 4 == 0 ? 5.0F : 0.0F);
  }
  xdr.integer(atoms);
  for (const float value : values) {
    xdr.real(value);
  }
  return xdr.bytes;
}

}  // namespace starhist::testing
