#include "io/formats/gromacs/xdr/xtc_reader.hh"

#include <algorithm>
#include <cmath>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/xtc_header.hh"

namespace starhist::io {
namespace {

/// XTC has no checksum, but it has the bounds of the positions: of damaged ones, which
/// the decoder makes something else of from the damage on, hardly any keeps to them.
void check_bounds(const std::vector<float>& positions, const XtcHeader& header) {
  float low[3] = {header.high[0], header.high[1], header.high[2]};
  float high[3] = {header.low[0], header.low[1], header.low[2]};
  for (std::size_t k = 0; k + 2 < positions.size(); k += 3) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const float x = positions[k + axis];
      low[axis] = x < low[axis] ? x : low[axis];
      high[axis] = x > high[axis] ? x : high[axis];
    }
  }
  const auto same = [&](float bound, float expected) {
    constexpr float roundings = 0x1p-22F;  // decoders multiply or divide
    return std::abs(bound - expected) <=
           0.5F * header.resolution + roundings * std::abs(expected);
  };
  for (int axis = 0; axis < 3; ++axis) {
    if (!same(low[axis], header.low[axis]) || !same(high[axis], header.high[axis])) {
      throw InputError(
          "its positions are not within the bounds that it has for them: it "
          "is damaged");
    }
  }
}

}  // namespace

XtcReader::XtcReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "GROMACS XTC", options, std::move(structure)),
      file_(path),
      places_(find_xtc_frames(file_)) {
  info_.frame_count = places_.frames.size();
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
    decoder_.decode("xtc", bytes_, decoded_);
    if (header.compressed) {
      check_bounds(decoded_.positions, header);
    }
    fill({index, header.step, header.time}, decoded_.positions, header.edges, frame);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

double XtcReader::read_time(FrameIndex index, Frame& /*scratch*/) {
  const FrameOffsets::Place& place = places_.frames[index.index()];
  file_.read(place.offset, std::min<std::uint64_t>(place.size, XtcHeader::most_bytes),
             bytes_);
  bool whole = false;
  const double time = XtcHeader::parse(bytes_, whole).time;
  if (!whole) {
    throw InputError(path() + ": has changed since it was opened");
  }
  return time;
}

}  // namespace starhist::io
