#include "io/formats/python/python_fields.hh"

#include <map>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

constexpr const char* no = "no";
constexpr const char* by_bonds = "connected by bonds";
constexpr const char* make_molecules = "make molecules";
constexpr const char* of_structure = "of `--structure`";

/// Fields of frames whose atoms are named by --structure.
DeliveredFields nameless(std::string box, std::string times, std::string units) {
  return {.box = std::move(box),
          .names = of_structure,
          .residues = of_structure,
          .elements = of_structure,
          .molecules = of_structure,
          .bonds = no,
          .times = std::move(times),
          .units = std::move(units)};
}

/// Fields of atoms without frames and bonds.
DeliveredFields atoms_only(std::string names, std::string residues,
                           std::string elements) {
  return {.box = no,
          .names = std::move(names),
          .residues = std::move(residues),
          .elements = std::move(elements),
          .molecules = no,
          .bonds = no,
          .times = no,
          .units = no};
}

DeliveredFields with_bonds(DeliveredFields fields) {
  fields.molecules = by_bonds;
  fields.bonds = make_molecules;
  return fields;
}

/// Fields of a single frame with atom names.
DeliveredFields frame_of(DeliveredFields atoms, std::string box,
                         std::string times = no) {
  atoms.box = std::move(box);
  atoms.times = std::move(times);
  atoms.units = "A";
  return atoms;
}

const std::map<std::string, DeliveredFields>& table() {
  static const char* const all_axes = "lengths and angles; all axes, or no box";
  static const char* const by_imcon = "matrix; axes of `imcon` 0 to 7, or no box";
  static const char* const in_segments = "number, name, chain or segment";
  static const char* const with_codes =
      "number, name, chain or segment, insertion code";
  static const DeliveredFields mass_too =
      atoms_only("atom names", in_segments, "masses");
  static const DeliveredFields coded = atoms_only("atom names", with_codes, no);
  static const DeliveredFields named = atoms_only("atom names", no, no);
  static const std::map<std::string, DeliveredFields> fields{
      {"mdtraj HDF5",
       {.box = all_axes,
        .names = "atom names",
        .residues = "number, name, chain and segment",
        .elements = "elements",
        .molecules = by_bonds,
        .bonds = make_molecules,
        .times = "`time`",
        .units = "nm"}},
      {"DCD",
       nameless("lengths and angles, CHARMM's shape matrix; axes of length 0 are open",
                "step and time of the header", "A; none for LAMMPS")},
      {"NCDF", nameless("lengths and angles; axes of length 0 are open", "`time`",
                        "of `units`")},
      {"GSD",
       {.box = "lengths and tilts; all axes, x and y in two dimensions",
        .names = "types",
        .residues = no,
        .elements = "masses",
        .molecules = "connected by bonds or by `body`",
        .bonds = make_molecules,
        .times = "`step`",
        .units = "none"}},
      {"TRJ",
       nameless("lengths and angles, or lengths with angles of a prmtop; all axes, "
                "or no box",
                no, "A")},
      {"INPCRD",
       nameless("lengths and angles, or lengths with angles of a prmtop; all axes, "
                "or no box",
                "time", "A")},
      {"COOR", nameless("no (NAMD has it in .xsc)", no, "A")},
      {"TRZ", nameless("matrix; all axes, or no box", "time", "nm")},
      {"TRC",
       nameless("lengths and angles of GENBOX, truncated octahedra; all axes, or "
                "no box",
                "TIMESTEP", "nm")},
      {"CRD", frame_of(coded, no)},
      {"CONFIG", frame_of(named, by_imcon)},
      {"HISTORY", frame_of(named, by_imcon, "step and time")},
      {"DMS", frame_of(with_bonds(mass_too), "matrix; vectors of zero are open axes")},
      {"FHIAIMS", frame_of(atoms_only("atom names", no, "elements"),
                           "matrix; all axes, or no box")},
      {"GMS", frame_of(named, no)},
      {"MMCIF", frame_of(atoms_only("atom names", with_codes, "elements"), all_axes)},
      {"MMTF", frame_of(with_bonds(coded), all_axes)},
      {"MOL2", frame_of(with_bonds(atoms_only("atom names, types", "number and name",
                                              "elements")),
                        "lengths and angles of CRYSIN; all axes, or no box")},
      {"PQR", frame_of(coded, "lengths and angles of CRYST1; all axes, or no box")},
      {"TXYZ", frame_of(with_bonds(atoms_only("atom names, types", no, no)), all_axes)},
      {"XPDB", frame_of(atoms_only("atom names", with_codes, "elements"), all_axes)},
      {"PSF", with_bonds(atoms_only("atom names, types", in_segments, "masses"))},
      {"PRMTOP", with_bonds(atoms_only("atom names, types", "number and name",
                                       "elements, masses"))},
      {"TOP", with_bonds(atoms_only("atom names, types", "number and name",
                                    "elements, masses"))},
      {"TPR", with_bonds(atoms_only("atom names, types", "number and name",
                                    "elements, masses"))},
      {"XML", with_bonds(atoms_only("types", no, "masses"))},
      {"IMD", nameless("matrix; all axes, or no box", "step and time", "A")},
      {"ITP", with_bonds(atoms_only("atom names, types", "number and name", "masses"))},
  };
  return fields;
}

}  // namespace

DeliveredFields python_fields(const std::string& key) {
  const auto found = table().find(key);
  if (found == table().end()) {
    throw InternalError("unknown fields of the format " + key);
  }
  return found->second;
}

bool has_python_residues(const std::string& key) {
  return python_fields(key).residues != no;
}

}  // namespace starhist::io
