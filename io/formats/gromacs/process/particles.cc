#include "io/formats/gromacs/process/particles.hh"

#include <algorithm>
#include <cstring>

#include <gromacs/fileio/confio.h>
#include <gromacs/topology/topology.h>

namespace starhist::io::gromacs {

using namespace gmx;  // namespace of the same functions in later versions of libgromacs

namespace {

/// Converts libgromacs' PbcType, whose header is not installed; the numeric values have
/// not changed since GROMACS 3.
Pbc pbc_of(PbcType type) {
  constexpr Pbc kinds[] = {Pbc::xyz, Pbc::none, Pbc::xy, Pbc::screw};
  const int value = static_cast<int>(type);
  return value >= 0 && value < 4 ? kinds[value] : Pbc::unknown;
}

/// Numbers, in the whole system, of the atoms of one molecule of a block.
struct Numbering {
  bool counted = false;  ///< residues of small molecules are numbered consecutively
  std::int64_t first_residue = 0;
  std::int64_t molecule = 0;
};

void add_atom(const t_atoms& atoms, int k, const Numbering& numbering,
              bool has_molecules, ParticleTable& table) {
  const t_atom& atom = atoms.atom[k];
  table.name.emplace_back(*atoms.atomname[k]);
  const bool is_site = atom.elem[0] == '\0' && atoms.haveMass && atom.m == 0.0;
  table.element.emplace_back(is_site ? "DUMMY" : atom.elem);  // of virtual sites
  if (atoms.haveType) {
    table.type.emplace_back(*atoms.atomtype[k]);
  }
  if (atoms.haveMass && has_molecules) {
    table.mass.push_back(atom.m);
  }
  if (atoms.nres > 0) {
    const t_resinfo& residue = atoms.resinfo[atom.resind];
    table.residue_name.emplace_back(*residue.name);
    table.residue.push_back(numbering.counted ? numbering.first_residue + atom.resind
                                              : residue.nr);
  }
  if (has_molecules) {
    table.molecule.push_back(numbering.molecule);
  }
}

/// True if `gmx convert-tpr -n` wrote the topology: it puts all selected particles into
/// one molecule that has the name of the system.
bool has_lost_molecules(const gmx_mtop_t& topology) {
  if (topology.molblock.size() != 1 || topology.molblock[0].nmol != 1 ||
      topology.name == nullptr) {
    return false;
  }
  const gmx_moltype_t& only =
      topology.moltype[static_cast<std::size_t>(topology.molblock[0].type)];
  return only.atoms.nres > 1 && only.name != nullptr &&
         std::strcmp(*only.name, *topology.name) == 0;
}

/// Clears a column that lacks entries or contains no information.
template <class Value>
void drop_if_partial(std::vector<Value>& column, std::size_t count) {
  bool empty = column.size() != count;
  if constexpr (!std::is_arithmetic_v<Value>) {
    empty = empty || std::all_of(column.begin(), column.end(),
                                 [](const Value& value) { return value.empty(); });
  }
  if (empty) {
    column.clear();
  }
}

}  // namespace

Particles read_particles(const std::string& path) {
  gmx_mtop_t topology;
  bool has_molecules = false;
  PbcType pbc{};
  matrix box;
  readConfAndTopology(path.c_str(), &has_molecules, &topology, &pbc, nullptr, nullptr,
                      box);
  Particles particles;
  particles.pbc = has_molecules ? pbc_of(pbc) : Pbc::unknown;
  ParticleTable& table = particles.table;
  Numbering numbering;
  for (std::size_t b = 0; b < topology.molblock.size(); ++b) {
    const gmx_molblock_t& block = topology.molblock[b];
    const t_atoms& atoms = topology.moltype[static_cast<std::size_t>(block.type)].atoms;
    numbering.counted =
        has_molecules &&
        atoms.nres <= topology.maxResiduesPerMoleculeToTriggerRenumber();
    if (numbering.counted) {
      numbering.first_residue = topology.moleculeBlockIndices[b].residueNumberStart;
    }
    for (int m = 0; m < block.nmol; ++m) {
      for (int k = 0; k < atoms.nr; ++k) {
        add_atom(atoms, k, numbering, has_molecules, table);
      }
      numbering.first_residue += atoms.nres;
      ++numbering.molecule;
    }
  }
  table.count = table.name.size();
  if (has_lost_molecules(topology)) {
    table.molecule.clear();
  }
  drop_if_partial(table.type, table.count);
  drop_if_partial(table.element, table.count);
  drop_if_partial(table.residue_name, table.count);
  drop_if_partial(table.residue, table.count);
  drop_if_partial(table.mass, table.count);
  return particles;
}

}  // namespace starhist::io::gromacs
