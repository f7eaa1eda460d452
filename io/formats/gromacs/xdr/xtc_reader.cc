#include "io/formats/gromacs/xdr/xtc_reader.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"

namespace starhist::io {
XtcReader::XtcReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "GROMACS XTC", options, std::move(structure)),
      file_(path),
      places_(find_xtc_frames(file_)) {
  info_.frame_count = places_.frames.size();
  info_.lists_moments = true;
  info_.truncation = places_.truncation_sentences(path);
  set_atoms(places_.atoms);
}

void XtcReader::read(FrameIndex index, Frame& frame) {
  const FrameOffsets::Place& place = places_.frames[index.index()];
  file_.read(place.offset, place.size, bytes_);
  try {
    bool whole = false;
    const XtcHeader header = XtcHeader::parse(bytes_, whole);
    if (!whole || header.size != bytes_.size()) {
      throw InputError("has changed since it was opened");
    }
    decode(header);
    const auto [step, time] = places_.moment(index.get());
    fill({index, step, time}, positions_, header.edges, frame);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

void XtcReader::decode(const XtcHeader& header) {
  const std::string_view bytes = std::string_view(bytes_).substr(header.positions);
  positions_.resize(3 * std::size_t{header.atoms});
  if (!header.compressed) {
    XdrFields fields(bytes);
    std::generate(positions_.begin(), positions_.end(),
                  [&] { return decimal_of(fields.take_float()); });
    return;
  }
  XtcCode code = header.code;
  code.bytes = bytes.substr(0, header.code_bytes);
  code.decode(header.atoms, coordinates_);
  const double precision = header.precision;
  std::transform(coordinates_.begin(), coordinates_.end(), positions_.begin(),
                 [precision](std::int32_t x) { return x / precision; });
}

}  // namespace starhist::io
