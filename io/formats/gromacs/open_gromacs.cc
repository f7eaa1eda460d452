#include "io/formats/gromacs/open_gromacs.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/gromacs_stream_reader.hh"
#include "io/formats/gromacs/gromacs_text_reader.hh"
#include "io/formats/gromacs/text/gromacs_text_check.hh"
#include "io/formats/gromacs/xdr/trr_reader.hh"
#include "io/formats/gromacs/xdr/xtc_reader.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

bool is_count(std::string_view line) {
  const std::string_view count = take_field(line);
  return !count.empty() && take_field(line).empty() &&
         count.find_first_not_of("0123456789") == std::string_view::npos;
}

bool begins_pdb(std::string_view line) {
  constexpr std::array<std::string_view, 9> records{"HEADER", "TITLE ", "COMPND",
                                                    "REMARK", "CRYST1", "MODEL ",
                                                    "ATOM  ", "HETATM", "EXPDTA"};
  return std::any_of(records.begin(), records.end(),
                     [line](std::string_view name) { return line.starts_with(name); });
}

/// "gro", "pdb" or "" by the first lines: of GRO the second is the number of atoms, of
/// XYZ the first.
std::string text_format(const std::string& path) {
  TextFile file(path);
  std::string_view line;
  if (!file.next(line)) {
    return "";
  }
  if (begins_pdb(line)) {
    return "pdb";
  }
  if (is_count(line) || line.starts_with("ITEM: ")) {
    return "";
  }
  const bool gro =
      file.next(line) && is_count(line) && file.next(line) && has_gro_position(line);
  return gro ? "gro" : "";
}

}  // namespace

std::unique_ptr<TrajectoryReader> open_gromacs(
    const std::string& path, const FileSignature& look, const ReadOptions& options,
    const std::shared_ptr<const Structure>& structure) {
  if (look.gromacs == "trr") {
    return std::make_unique<TrrReader>(path, options, structure);
  }
  if (look.gromacs == "tpr") {
    throw InputError(path +
                     ": is a GROMACS TPR file, which has no frames (give it as "
                     "--structure of a trajectory)");
  }
  if (look.gromacs == "xtc" || look.gromacs == "tng") {
    gromacs::check_built(path, look.description);
    if (look.gromacs == "xtc") {
      return std::make_unique<XtcReader>(path, options, structure);
    }
    return std::make_unique<GromacsStreamReader>(path, "tng", options, structure);
  }
  if (!look.may_be_text) {
    return nullptr;
  }
  std::string ending = gromacs_ending(path);
  if (ending != "gro" && ending != "pdb" && ending != "g96") {
    ending = text_format(path);
  }
  if (ending.empty()) {
    return nullptr;
  }
  gromacs::check_built(path, "a structure of GROMACS or PDB");
  if (ending == "g96") {
    return std::make_unique<GromacsStreamReader>(path, ending, options, structure);
  }
  return std::make_unique<GromacsTextReader>(path, ending, options, structure);
}

}  // namespace starhist::io
