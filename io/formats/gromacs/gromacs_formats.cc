#include <string_view>

#include "io/formats/gromacs/decoder/gromacs_program.hh"
#include "io/formats/gromacs/gromacs_stream_reader.hh"
#include "io/formats/gromacs/gromacs_structure.hh"
#include "io/formats/gromacs/xdr/xdr_readers.hh"
#include "io/formats/records.hh"

namespace starhist::io {
namespace {

using namespace std::string_view_literals;
using Names = TrajectoryFormat::Names;

constexpr const char* names_of_structure =
    "atom names of `--structure`; without it all atoms are one";

using Reader = std::unique_ptr<TrajectoryReader>;

Reader open_g96(ProbedFile& file, const ReadOptions& options,
                const SharedStructure& structure) {
  gromacs::check_built(file.path(), "a GROMOS G96 file");
  return std::make_unique<GromacsStreamReader>(file.path(), "g96", options, structure);
}

Reader open_tng(ProbedFile& file, const ReadOptions& options,
                const SharedStructure& structure) {
  gromacs::check_built(file.path(), "a GROMACS TNG trajectory");
  return std::make_unique<GromacsStreamReader>(file.path(), "tng", options, structure);
}

/// Returns the fields of a trajectory whose atoms are named by a structure.
DeliveredFields fields_of_trajectory() {
  return {.box = "matrix; all axes, or the axes of a TPR; or no box",
          .names = "of `--structure`",
          .residues = "of `--structure`",
          .elements = "of `--structure`",
          .molecules = "of `--structure`",
          .bonds = "no",
          .times = "time and step",
          .units = "nm"};
}

}  // namespace

TrajectoryFormat g96_format() {
  return {.name = "G96",
          .extensions = {"g96"},
          .contents = TrajectoryFormat::Contents::text,
          .names = Names::file_unless_structure,
          .by_libgromacs = true,
          .by_name = true,
          .open = open_g96,
          .read_structure = read_g96_structure,
          .known_by = "the ending of the name",
          .species = "atom names, where the file has them",
          .fields = {.box = "matrix; all axes, or no box",
                     .names = "atom names, where the file has them",
                     .residues = "number and name",
                     .elements = "no",
                     .molecules = "no",
                     .bonds = "no",
                     .times = "time and step",
                     .units = "nm"}};
}

TrajectoryFormat xtc_format() {
  return {.name = "XTC",
          .extensions = {"xtc"},
          .names = Names::structure,
          .probe =
              [](ProbedFile& file) {
                return file.has_bytes(0, "\0\0\x07\xcb"sv) ||
                       file.has_bytes(0, "\0\0\x07\xe7"sv);
              },
          .open = open_xtc,
          .known_by = "first bytes",
          .compression = "built in",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat trr_format() {
  return {.name = "TRR",
          .extensions = {"trr"},
          .names = Names::structure,
          .probe = [](ProbedFile& file) { return file.has_bytes(0, "\0\0\x07\xc9"sv); },
          .open = open_trr,
          .known_by = "first bytes",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat tng_format() {
  return {.name = "TNG",
          .extensions = {"tng"},
          .names = Names::structure,
          .by_libgromacs = true,
          .probe = [](ProbedFile& file) { return file.has_bytes(40, "GENERAL INFO"); },
          .open = open_tng,
          .known_by = "first bytes",
          .compression = "built in",
          .species = names_of_structure,
          .fields = fields_of_trajectory()};
}

TrajectoryFormat tpr_format() {
  return {.name = "TPR",
          .extensions = {"tpr"},
          .by_libgromacs = true,
          .probe = [](ProbedFile& file) { return file.has_bytes(8, "VERSION "); },
          .read_structure = read_tpr_structure,
          .refusal =
              "is a GROMACS TPR file, which has no frames (give it as "
              "--structure of a trajectory)",
          .known_by = "first bytes; as `--structure` the ending of the name",
          .species = "no frames, only for `--structure`",
          .fields = {.box = "periodic axes of the trajectory",
                     .names = "atom names, types",
                     .residues = "number and name",
                     .elements = "elements, masses",
                     .molecules = "molecules of the topology",
                     .bonds = "no",
                     .times = "no",
                     .units = "no"}};
}

}  // namespace starhist::io
