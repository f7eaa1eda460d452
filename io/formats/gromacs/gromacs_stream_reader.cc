#include "io/formats/gromacs/gromacs_stream_reader.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/g96_frames.hh"
#include "io/formats/gromacs/gromacs_structure.hh"
#include "io/formats/gromacs/xdr/frame_offsets.hh"

namespace starhist::io {

GromacsStreamReader::GromacsStreamReader(const std::string& path,
                                         const std::string& ending,
                                         const ReadOptions& options,
                                         const SharedStructure& structure)
    : AtomTrajectory(path, ending == "tng" ? "GROMACS TNG" : "GROMOS G96", options,
                     structure),
      ending_(ending) {
  info_.sequential_only = true;
  info_.lists_moments = true;
  if (ending == "g96" && g96_has_names(path)) {
    const SharedStructure own = read_g96_structure(path);
    if (structure) {
      check_own_atoms(*structure, path, own->particles);
    } else {
      set_structure(own);
    }
  }
  std::string damage;
  try {
    rewind();
    while (decoder_.next(decoded_)) {
      if (info_.frame_count == 0) {
        set_atoms(decoded_.positions.size() / 3);
      }
      ++info_.frame_count;
      moments_.push_back({decoded_.step, decoded_.time});
    }
    damage = decoder_.remarks();
  } catch (const InputError& error) {
    damage = error.what();
  }
  if (info_.frame_count == 0) {
    throw InputError(path + ": has no whole frame with positions" +
                     (damage.empty() ? "" : " (" + damage + ")"));
  }
  if (!damage.empty()) {
    const std::string sentence = "frame " + std::to_string(info_.frame_count) +
                                 " cannot be read (" + damage + ")";
    info_.truncation = {path + ": " + frames_before(sentence, info_.frame_count)};
  }
  if (ending == "g96") {
    drop_cut_off_frame();
  }
  next_ = info_.frame_count + 1;
}

/// Drops a truncated last frame of G96, which libgromacs would accept as complete, even
/// if it ends within a number.
void GromacsStreamReader::drop_cut_off_frame() {
  TextFile file(path());
  const TextIndex index = index_g96(file);
  const std::size_t whole = index.frames.size();
  if (whole < info_.frame_count || info_.truncation.empty() ||
      (whole == info_.frame_count && !index.damage.empty())) {
    info_.frame_count = std::min<std::uint64_t>(info_.frame_count, whole);
    info_.truncation = index.truncation_sentences(path());
  }
}

void GromacsStreamReader::rewind() {
  decoder_.open(ending_, path());
  next_ = 0;
}

void GromacsStreamReader::read(FrameIndex index, Frame& frame) {
  try {
    if (index.get() < next_) {
      rewind();
    }
    while (next_ <= index.get()) {
      if (!decoder_.next(decoded_)) {
        throw InputError("has become shorter since it was opened");
      }
      ++next_;
    }
    fill({index, decoded_.step, decoded_.time}, decoded_.positions, decoded_.edges,
         frame);
  } catch (const InputError& error) {
    next_ = info_.frame_count + 1;
    throw InputError(path() + ": " + error.what());
  }
}

}  // namespace starhist::io
