#include "io/formats/gromacs/gromacs_text_reader.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/text/gromacs_text_check.hh"

namespace starhist::io {
namespace {

/// PDB demands a cell; this one, of 1 Angstrom, stands for none.
void drop_placeholder_cell(double (&edges)[9]) {
  constexpr double unit = 0.1F;
  const double placeholder[9] = {unit, 0, 0, 0, unit, 0, 0, 0, unit};
  if (std::equal(std::begin(edges), std::end(edges), placeholder)) {
    std::fill(std::begin(edges), std::end(edges), 0.0);
  }
}

}  // namespace

GromacsTextReader::GromacsTextReader(const std::string& path, const std::string& ending,
                                     const ReadOptions& options,
                                     const std::shared_ptr<const Structure>& structure)
    : AtomTrajectory(path, ending == "gro" ? "GROMACS GRO" : "PDB", options, structure),
      file_(path),
      ending_(ending),
      index_(ending == "gro" ? index_gro(file_) : index_pdb(file_)) {
  info_.frame_count = index_.frames.frames.size();
  info_.sequential_only = file_.compressed();
  info_.truncation = index_.frames.truncation_sentences(path);
  const auto own = [&] {
    try {
      return read_structure(path, ending, text_of(0));
    } catch (const InputError& error) {
      throw InputError(path + ": frame 0: " + error.what());
    }
  }();
  if (!structure) {
    set_structure(own);
  }
  set_atoms(own->particles.count);
}

const std::string& GromacsTextReader::text_of(std::size_t index) {
  const std::vector<TextFile::Position>& frames = index_.frames.frames;
  const std::uint64_t end =
      index + 1 < frames.size() ? frames[index + 1].offset : index_.end.offset;
  text_ = index_.boxes[index_.box_of[index]];
  if (!text_.empty()) {
    text_ += '\n';
  }
  file_.go_to(frames[index]);
  std::string_view line;
  for (std::uint64_t number = 0; file_.position().offset < end; ++number) {
    if (!file_.next(line)) {
      throw InputError("has become shorter since it was opened");
    }
    const bool good = ending_ == "pdb" ? !is_pdb_atom(line) || has_pdb_position(line)
                                       : number < 2 || file_.position().offset >= end ||
                                             has_gro_position(line);
    if (!good) {
      throw InputError("line " + std::to_string(file_.position().line - 1) +
                       " has no position ('" + std::string(line.substr(0, 60)) + "')");
    }
    text_.append(line);
    text_ += '\n';
  }
  return text_;
}

void GromacsTextReader::read(FrameIndex index, Frame& frame) {
  try {
    const std::string& text = text_of(index.index());
    decoder_.decode(ending_, text, decoded_);
    if (ending_ == "pdb") {
      drop_placeholder_cell(decoded_.edges);
    }
    frame.index = index;
    frame.step = decoded_.step;
    frame.time = decoded_.time;
    fill(decoded_.positions, decoded_.edges, frame);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

}  // namespace starhist::io
