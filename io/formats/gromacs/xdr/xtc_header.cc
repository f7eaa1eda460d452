#include "io/formats/gromacs/xdr/xtc_header.hh"

#include <charconv>
#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"

namespace starhist::io {
namespace {

constexpr std::int32_t xtc_magic = 1995;
constexpr std::int32_t magic_of_long_code = 2023;  // has a code length of eight bytes

/// Reads the header of the coded positions: integer bounds, the first index of small
/// differences, the number of bytes.
void take_code_header(XdrFields& fields, bool long_code, XtcHeader& header) {
  header.precision = fields.take_float();
  for (std::int32_t& bound : header.code.low) {
    bound = fields.take_int();
  }
  for (std::int32_t& bound : header.code.high) {
    bound = fields.take_int();
  }
  header.code.small = fields.take_int();
  const std::uint64_t bytes =
      long_code ? fields.take_unsigned_hyper() : fields.take_unsigned();
  if (!fields.ok()) {
    return;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (header.code.low[axis] > header.code.high[axis]) {
      throw InputError("its positions have no bounds");
    }
  }
  // An atom takes at least the 9 bits of the smallest differences, and at most three
  // numbers of 32 bits and a few flags.
  const std::uint64_t least_bytes = header.atoms;
  const std::uint64_t most_bytes = 16 * std::uint64_t{header.atoms};
  if (!std::isfinite(header.precision) || header.precision <= 0.0F ||
      header.code.small < XtcCode::first_small ||
      header.code.small >= XtcCode::smalls || bytes < least_bytes ||
      bytes > most_bytes) {
    throw InputError("its positions are not encoded as in XTC");
  }
  header.positions = long_code ? 96 : 92;
  header.code_bytes = bytes;
  header.size = header.positions + (bytes + 3) / 4 * 4;
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
    edge = decimal_of(fields.take_float());
  }
  const std::uint32_t coded = fields.take_unsigned();
  if (bytes.size() >= 4 && begin != xtc_magic && begin != magic_of_long_code) {
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
    header.positions = 56;
    header.size = header.positions + 12 * std::uint64_t{header.atoms};
  }
  return header;
}

double decimal_of(float value) {
  // after the first digit
  constexpr int digits = std::numeric_limits<float>::digits10 - 1;
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value,
                                 std::chars_format::scientific, digits);
  double decimal = 0.0;
  std::from_chars(text, end.ptr, decimal);
  return static_cast<float>(decimal) == value ? decimal : value;
}

}  // namespace starhist::io
