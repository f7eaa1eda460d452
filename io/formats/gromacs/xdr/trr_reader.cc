#include "io/formats/gromacs/xdr/trr_reader.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/xdr/trr_header.hh"
#include "io/formats/gromacs/xdr/xdr_fields.hh"

namespace starhist::io {
namespace {

double take_real(XdrFields& fields, std::uint64_t size) {
  return size == 8 ? fields.take_double() : fields.take_float();
}

}  // namespace

TrrReader::TrrReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "GROMACS TRR", options, std::move(structure)),
      file_(path),
      places_(find_trr_frames(file_)) {
  info_.frame_count = places_.frames.size();
  info_.lists_moments = true;
  info_.truncation = places_.truncation_sentences(path);
  set_atoms(places_.atoms);
}

void TrrReader::read(FrameIndex index, Frame& frame) {
  const FrameOffsets::Place& place = places_.frames[index.index()];
  file_.read(place.offset, place.size, bytes_);
  try {
    bool whole = false;
    const TrrHeader header = TrrHeader::parse(bytes_, whole);
    if (!whole || header.size != bytes_.size()) {
      throw InputError("has changed since it was opened");
    }
    const std::string_view bytes(bytes_);
    double edges[9] = {};
    if (header.has_box) {
      XdrFields fields(bytes.substr(header.box_offset));
      for (double& edge : edges) {
        edge = take_real(fields, header.real_size);
      }
    }
    XdrFields fields(bytes.substr(header.position_offset));
    positions_.resize(3 * std::size_t{header.atoms});
    for (double& x : positions_) {
      x = take_real(fields, header.real_size);
    }
    const auto [step, time] = places_.moment(index.get());
    fill({index, step, time}, positions_, edges, frame);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

}  // namespace starhist::io
