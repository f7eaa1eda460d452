#include "io/formats/pdb/pdb_reader.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/pdb/pdb_records.hh"

namespace starhist::io {

PdbReader::PdbReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "PDB", options, std::move(structure)),
      file_(path),
      index_(index_pdb(file_)) {
  info_.length_unit = std::string("A");
  info_.frame_count = index_.frames.frames.size();
  info_.sequential_only = file_.compressed();
  info_.truncation = index_.frames.truncation_sentences(path);
  take_own_atoms([this](ParticleTable& own) { read_frame(0, &own); });
}

void PdbReader::read_frame(std::size_t index, ParticleTable* names) {
  const std::vector<TextFile::Position>& frames = index_.frames.frames;
  const std::uint64_t end =
      index + 1 < frames.size() ? frames[index + 1].offset : index_.end.offset;
  file_.go_to(frames[index]);
  read_pdb_frame(file_, end, read_, names);
}

void PdbReader::read(FrameIndex index, Frame& frame) {
  try {
    read_frame(index.index(), nullptr);
    const std::string& cell = index_.boxes[index_.box_of[index.index()]];
    double edges[9] = {};
    if (!cell.empty() && !has_fixed_box()) {
      read_pdb_cell(cell, edges);
    }
    fill({index, read_.step, read_.time}, read_.positions, edges, frame);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    throw InputError(problem.starts_with(path()) ? problem : path() + ": " + problem);
  }
}

}  // namespace starhist::io
