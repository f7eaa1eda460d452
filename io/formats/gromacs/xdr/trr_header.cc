#include "io/formats/gromacs/xdr/trr_header.hh"

#include <string>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/find_frames.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"

namespace starhist::io {
namespace {

constexpr std::int32_t trr_magic = 1993;
constexpr std::string_view trr_version = "GMX_trn_file";

/// Sizes of the optional parts of a frame, in file order [bytes].
struct Sizes {
  std::uint64_t input_record, energies, box, virial, pressure, topology, symbols,
      positions, velocities, forces;

  explicit Sizes(XdrFields& fields) {
    for (std::uint64_t* size :
         {&input_record, &energies, &box, &virial, &pressure, &topology, &symbols,
          &positions, &velocities, &forces}) {
      *size = fields.take_unsigned();
    }
  }

  /// Returns the size of a number: float or double [bytes].
  std::uint64_t real(std::uint64_t atoms) const {
    if (box > 0) {
      return box / 9;
    }
    const std::uint64_t vectors = positions > 0    ? positions
                                  : velocities > 0 ? velocities
                                                   : forces;
    return atoms > 0 ? vectors / (3 * atoms) : 0;
  }
};

}  // namespace

TrrHeader TrrHeader::parse(std::string_view bytes, bool& whole) {
  TrrHeader header;
  XdrFields fields(bytes);
  const std::int32_t begin = fields.take_int();
  if (bytes.size() >= 4 && begin != trr_magic) {
    throw InputError("no frame begins with " + std::to_string(begin));
  }
  const std::uint32_t terminated_length = fields.take_unsigned();
  const std::uint32_t length = fields.take_unsigned();
  const std::string_view name = fields.take_bytes(trr_version.size());
  if (fields.ok() && (terminated_length != trr_version.size() + 1 ||
                      length != trr_version.size() || name != trr_version)) {
    throw InputError("its version is unknown");
  }
  const Sizes sizes(fields);
  header.atoms = fields.take_unsigned();
  header.step = fields.take_int();
  fields.take_unsigned();
  whole = fields.ok();
  if (!whole) {
    return header;
  }
  header.real_size = sizes.real(header.atoms);
  const std::uint64_t vectors = 3 * std::uint64_t{header.atoms} * header.real_size;
  const auto is = [](std::uint64_t there, std::uint64_t expected) {
    return there == 0 || there == expected;
  };
  if ((header.real_size != 4 && header.real_size != 8) ||
      !is(sizes.box, 9 * header.real_size) || !is(sizes.positions, vectors) ||
      !is(sizes.velocities, vectors) || !is(sizes.forces, vectors)) {
    throw InputError("the sizes of its parts do not fit its " +
                     std::to_string(header.atoms) + " atoms");
  }
  header.time = header.real_size == 8 ? fields.take_double() : fields.take_float();
  fields.take_bytes(header.real_size);  // lambda
  whole = fields.ok();
  header.has_box = sizes.box > 0;
  header.has_positions = sizes.positions > 0;
  const std::uint64_t numbers =
      // size of the header itself
      4 * 3 + trr_version.size() + 4 * 13 + 2 * header.real_size;
  header.box_offset = numbers + sizes.input_record + sizes.energies;
  header.position_offset = header.box_offset + sizes.box + sizes.virial +
                           sizes.pressure + sizes.topology + sizes.symbols;
  header.size =
      header.position_offset + sizes.positions + sizes.velocities + sizes.forces;
  return header;
}

FrameOffsets find_trr_frames(const ByteFile& file) {
  return find_frames<TrrHeader>(
      file, [](const TrrHeader& header) { return header.has_positions; });
}

}  // namespace starhist::io
