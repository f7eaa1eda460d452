#include "io/formats/gro/gro_reader.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/gro/gro_lines.hh"

namespace starhist::io {

GroReader::GroReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : AtomTrajectory(path, "GROMACS GRO", options, std::move(structure)),
      file_(path),
      index_(index_gro(file_)) {
  info_.frame_count = index_.frames.size();
  info_.sequential_only = file_.compressed();
  info_.truncation = index_.truncation_sentences(path);
  take_own_atoms([this](ParticleTable& own) {
    file_.go_to(index_.first_whole());
    read_gro_frame(file_, read_, &own);
  });
}

void GroReader::read(FrameIndex index, Frame& frame) {
  try {
    index_.check(index.get());
    file_.go_to(index_.frames[index.index()]);
    read_gro_frame(file_, read_, nullptr);
    double edges[9] = {};
    if (!has_fixed_box()) {
      read_gro_box(read_.box, edges);
    }
    fill({index, read_.step, read_.time}, read_.positions, edges, frame);
  } catch (const InputError& error) {
    const std::string problem = error.what();
    throw InputError(problem.starts_with(path()) ? problem : path() + ": " + problem);
  }
}

}  // namespace starhist::io
