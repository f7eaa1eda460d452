#include "io/formats/gromacs/xdr/xdr_readers.hh"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/files/byte_file.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/reader/unit_cell.hh"

namespace starhist::io {
namespace {

/// Reads a format whose frames are found by their headers, so that they can be read in
/// any order, and a damaged frame does not affect others. `Header`: see find_frames().
template <class Header>
class XdrReader : public AtomTrajectory {
 public:
  /// Throws InputError when the file has no complete frame, or its atoms differ from
  /// the structure.
  XdrReader(const std::string& path, const std::string& format,
            const ReadOptions& options, SharedStructure structure)
      : AtomTrajectory(path, format, options, std::move(structure)),
        file_(path),
        places_(find_frames<Header>(file_)) {
    info_.frame_count = places_.frames.size();
    info_.lists_moments = true;
    info_.truncation = places_.truncation_sentences(path);
    set_atoms(places_.atoms);
  }

  void read(FrameIndex index, Frame& frame) override {
    const FrameOffsets::Place& place = places_.frames[index.index()];
    file_.read(place.offset, place.size, bytes_);
    try {
      bool whole = false;
      const Header header = Header::parse(bytes_, whole);
      if (!whole || header.size != bytes_.size()) {
        throw InputError("has changed since it was opened");
      }
      positions_.resize(3 * std::size_t{header.atoms});
      double edges[9] = {};
      decode(header, bytes_, positions_, edges);
      clear_placeholder(edges);
      fill(index, places_.moment(index.get()), positions_, edges, frame);
    } catch (const InputError& error) {
      throw InputError(path() + ": " + error.what());
    }
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return places_.moment(index.get());
  }

 private:
  /// Decodes the frame `bytes` to positions and box edges [nm].
  virtual void decode(const Header& header, std::string_view bytes,
                      std::vector<double>& positions, double (&edges)[9]) = 0;

  ByteFile file_;
  FrameOffsets places_;
  std::string bytes_;
  std::vector<double> positions_;
};

/// Reads GROMACS' compressed trajectory. Coordinates are decimals, not floats: the
/// integers in the file divided by its precision, rounded once. libgromacs returns them
/// as floats.
class XtcReader : public XdrReader<XtcHeader> {
 public:
  XtcReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure)
      : XdrReader(path, "GROMACS XTC", options, std::move(structure)) {}

 private:
  void decode(const XtcHeader& header, std::string_view bytes,
              std::vector<double>& positions, double (&edges)[9]) override {
    std::copy(std::begin(header.edges), std::end(header.edges), edges);
    bytes.remove_prefix(header.positions);
    if (!header.compressed) {
      XdrFields fields(bytes);
      std::generate(positions.begin(), positions.end(),
                    [&] { return decimal_of(fields.take_float()); });
      return;
    }
    XtcCode code = header.code;
    code.bytes = bytes.substr(0, header.code_bytes);
    code.decode(header.atoms, coordinates_);
    const double precision = header.precision;
    std::transform(coordinates_.begin(), coordinates_.end(), positions.begin(),
                   [precision](std::int32_t x) { return x / precision; });
  }

  std::vector<std::int32_t> coordinates_;
};

/// Header of a TRR frame.
struct TrrHeader {
  static constexpr std::size_t most_bytes = 96;

  std::uint32_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;             ///< [ps]
  std::uint64_t real_size = 4;   ///< size of a number [bytes]
  std::uint64_t box_offset = 0;  ///< offset from the beginning of the frame [bytes]
  std::uint64_t position_offset = 0;
  std::uint64_t size = 0;  ///< size of the frame, including the header [bytes]
  bool has_box = false;
  bool has_positions = false;

  /// The time is stored in double precision.
  bool has_double() const { return real_size == 8; }

  /// Parses the first bytes of a frame. Throws InputError describing impossible values;
  /// sets `whole` to false if there are too few bytes.
  static TrrHeader parse(std::string_view bytes, bool& whole);
};

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

double take_real(XdrFields& fields, std::uint64_t size) {
  return size == 8 ? fields.take_double() : fields.take_float();
}

/// Reads GROMACS' full-precision trajectory, in float or double; frames without
/// positions are skipped. Does not use libgromacs, which would round double to float.
class TrrReader : public XdrReader<TrrHeader> {
 public:
  TrrReader(const std::string& path, const ReadOptions& options,
            SharedStructure structure)
      : XdrReader(path, "GROMACS TRR", options, std::move(structure)) {}

 private:
  void decode(const TrrHeader& header, std::string_view bytes,
              std::vector<double>& positions, double (&edges)[9]) override {
    if (header.has_box) {
      XdrFields fields(bytes.substr(header.box_offset));
      for (double& edge : edges) {
        edge = take_real(fields, header.real_size);
      }
    }
    XdrFields fields(bytes.substr(header.position_offset));
    for (double& x : positions) {
      x = take_real(fields, header.real_size);
    }
  }
};

}  // namespace

std::unique_ptr<TrajectoryReader> open_xtc(ProbedFile& file, const ReadOptions& options,
                                           const SharedStructure& structure) {
  return std::make_unique<XtcReader>(file.path(), options, structure);
}

std::unique_ptr<TrajectoryReader> open_trr(ProbedFile& file, const ReadOptions& options,
                                           const SharedStructure& structure) {
  return std::make_unique<TrrReader>(file.path(), options, structure);
}

}  // namespace starhist::io
