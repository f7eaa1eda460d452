#include <algorithm>
#include <array>

#include "io/formats/pdb/pdb_reader.hh"
#include "io/formats/records.hh"

namespace starhist::io {
namespace {

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
