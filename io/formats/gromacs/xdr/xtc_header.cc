#include "io/formats/gromacs/xdr/xtc_header.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/find_frames.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"

namespace starhist::io {
namespace {

constexpr std::int32_t magic = 1995;
constexpr std::int32_t magic_of_long_code = 2023;  // whose length has eight bytes

/// The code of the positions: bounds as integers, the first size of small differences,
/// the number of bytes.
void take_code_header(XdrFields& fields, bool long_code, XtcHeader& header) {
  const float precision = fields.take_float();
  const auto inverse = static_cast<float>(1.0 / precision);
  std::int32_t low[3];
  std::int32_t high[3];
  for (std::int32_t& bound : low) {
    bound = fields.take_int();
  }
  for (std::int32_t& bound : high) {
    bound = fields.take_int();
  }
  const std::int32_t small = fields.take_int();
  const std::uint64_t bytes =
      long_code ? fields.take_unsigned_hyper() : fields.take_unsigned();
  if (!fields.ok()) {
    return;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (low[axis] > high[axis]) {
      throw InputError("its positions have no bounds");
    }
    header.low[axis] = static_cast<float>(low[axis]) * inverse;
    header.high[axis] = static_cast<float>(high[axis]) * inverse;
  }
  header.resolution = inverse;
  constexpr std::int32_t first_small = 9;
  constexpr std::int32_t smalls = 73;
  // An atom takes at least the 9 bits of the smallest differences. Three numbers of 32
  // bits and a few flags are the most.
  const std::uint64_t least_bytes = header.atoms;
  const std::uint64_t most_bytes = 16 * std::uint64_t{header.atoms};
  if (!std::isfinite(precision) || precision <= 0.0F || small < first_small ||
      small >= smalls || bytes < least_bytes || bytes > most_bytes) {
    throw InputError("its positions are not coded as in XTC");
  }
  header.size = (long_code ? 96 : 92) + (bytes + 3) / 4 * 4;
}

}  // namespace

XtcHeader XtcHeader::parse(std::string_view bytes, bool& whole) {
  XtcHeader header;
  XdrFields fields(bytes);
  const std::int32_t begin = fields.take_int();
  header.atoms = fields.take_unsigned();
  header.step = fields.take_int();
  header.time = fields.take_float();
  for (double& edge : header.edges) {
    edge = fields.take_float();
  }
  const std::uint32_t coded = fields.take_unsigned();
  if (bytes.size() >= 4 && begin != magic && begin != magic_of_long_code) {
    throw InputError("no frame begins with " + std::to_string(begin));
  }
  whole = fields.ok();
  if (!whole) {
    return header;
  }
  constexpr std::uint32_t most_atoms = 1U << 31U;
  if (header.atoms == 0 || header.atoms >= most_atoms || coded != header.atoms) {
    throw InputError("it has " + std::to_string(header.atoms) + " atoms, but " +
                     std::to_string(coded) + " positions");
  }
  constexpr std::uint32_t never_compressed = 9;
  header.compressed = header.atoms > never_compressed;
  if (header.compressed) {
    take_code_header(fields, begin == magic_of_long_code, header);
    whole = fields.ok();
  } else {
    header.size = 56 + 12 * std::uint64_t{header.atoms};
  }
  return header;
}

FrameOffsets find_xtc_frames(const ByteFile& file) {
  return find_frames<XtcHeader>(file, [](const XtcHeader&) { return true; });
}

}  // namespace starhist::io
