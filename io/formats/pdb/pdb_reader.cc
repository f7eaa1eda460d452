#include "io/formats/pdb/pdb_reader.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/pdb/pdb_records.hh"

namespace starhist::io {

PdbReader::PdbReader(const std::string& path, const ReadOptions& options,
                     SharedStructure structure)
    : ModelTrajectory(path, "PDB", options, std::move(structure)),
      file_(path),
      index_(index_pdb(file_, options.box.has_value())) {
  // The file's name, without the ending of a compression.
  const std::string name = path.substr(0, path.rfind(".pdbqt") + 6);
  if (name.ends_with(".pdbqt") && path.find('/', name.size()) == std::string::npos &&
      (name == path || file_.compressed())) {
    throw InputError(path + ": " + pdbqt_problem);
  }
  info_.sequential_only = file_.compressed();
  info_.lists_moments = true;
  info_.truncation = index_.frames.truncation_sentences(path);
  info_.from.residues = "chain, segment, number, insertion code and name";
  take_models(std::move(index_.models), index_.remarks);
}

void PdbReader::read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) {
  const std::vector<TextFile::Position>& frames = index_.frames.frames;
  const std::uint64_t end =
      index + 1 < frames.size() ? frames[index + 1].offset : index_.end.offset;
  file_.go_to(frames[index]);
  read_pdb_frame(file_, end, atoms, names);
}

void PdbReader::read_box(std::size_t index, double (&edges)[9]) {
  read_pdb_cell(index_.cells[index_.cell_of[index]], edges);
}

}  // namespace starhist::io
