#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/pdb/pdb_frames.hh"
#include "io/formats/pdb/pdb_records.hh"
#include "io/formats/records.hh"
#include "io/reader/model_trajectory.hh"

namespace starhist::io {
namespace {

/// Reads PDB, plain or compressed, with one or more frames. Lengths are in Angstrom,
/// times in ps.
class PdbReader : public ModelTrajectory {
 public:
  /// Scans the whole file. Throws InputError when it has no complete frame.
  PdbReader(const std::string& path, const ReadOptions& options,
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
    info_.from.residues =
        "distinguished by chain, segment, number, insertion code, name";
    take_models(std::move(index_.models), index_.remarks);
  }

 private:
  void read_model(std::size_t index, ModelAtoms& atoms, ParticleTable* names) override {
    const std::vector<TextFile::Position>& frames = index_.frames.frames;
    const std::uint64_t end =
        index + 1 < frames.size() ? frames[index + 1].offset : index_.end.offset;
    file_.go_to(frames[index]);
    read_pdb_frame(file_, end, atoms, names);
  }

  void read_box(std::size_t index, double (&edges)[9]) override {
    read_pdb_cell(index_.cells[index_.cell_of[index]], edges);
  }

  TextFile file_;
  PdbIndex index_;
};

bool begins_pdb(ProbedFile& file) {
  constexpr std::array<std::string_view, 9> records{"HEADER", "TITLE ", "COMPND",
                                                    "REMARK", "CRYST1", "MODEL ",
                                                    "ATOM  ", "HETATM", "EXPDTA"};
  return std::any_of(
      records.begin(), records.end(),
      [line = file.line(0)](std::string_view name) { return line.starts_with(name); });
}

}  // namespace

TrajectoryFormat pdb_format() {
  return {.name = "PDB",
          .extensions = {"pdb", "ent", "brk"},
          .contents = TrajectoryFormat::Contents::text,
          .names = TrajectoryFormat::Names::file_unless_structure,
          .packed = true,
          .by_name = true,
          .probe = begins_pdb,
          .open = open_by_path<PdbReader>,
          .read_structure = read_all_locations<PdbReader>,
          .known_by = "the ending of the name, or the first record",
          .species = "atom names",
          .fields = {
              .box = "lengths and angles of CRYST1 of each model; all axes, or no box",
              .names = "atom names, alternate locations",
              .residues = "chain, segment, number, insertion code, name, `TER`",
              .elements = "columns 77 and 78",
              .molecules = "no",
              .bonds = "no",
              .times = "`t=` and `step=` of TITLE, `Step:` of i-PI, `Step` of CP2K",
              .units = "A"}};
}

}  // namespace starhist::io
