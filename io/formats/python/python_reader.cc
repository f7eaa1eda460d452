#include "io/formats/python/python_reader.hh"

#include <limits>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/formats/python/python_fields.hh"
#include "io/particles/particle_compounds.hh"
#include "io/reader/positions.hh"
#include "io/text/text_index.hh"

namespace starhist::io {

using decoder::Request;

namespace {

/// Adds a remark about particles without bonds, whose molecules may be wrong.
void add_loose_remark(const std::string& path, const ParticleTable& table,
                      std::vector<std::string>& remarks) {
  if (const std::uint64_t loose = loose_particles(table); loose > 0) {
    remarks.push_back(
        path + ": " + counted(loose, "particle") + (loose == 1 ? " has" : " have") +
        " no bonds, but share a residue with others: each counts as a molecule (if "
        "bonds are missing, use residues in place of molecules: --exclude-same "
        "residue, "
        "res_com)");
  }
}

/// Extracts the atoms from a message. Without `has_residues`, residues are dropped:
/// MDAnalysis puts all atoms of such formats into residue 1, which would exclude every
/// pair within a residue.
ParticleTable particles_of(decoder::Unpacker& unpacker, bool has_residues) {
  ParticleTable table = unpacker.take_particles();
  table.molecule_divides_residues = false;
  if (!has_residues) {
    table.residue.clear();
    table.residue_name.clear();
  }
  return table;
}

}  // namespace

PythonReader::PythonReader(const std::string& path, const std::string& format,
                           const std::string& key, const ReadOptions& options,
                           const SharedStructure& structure)
    : AtomTrajectory(path, format, options, structure),
      needs_particles_(options.per_particle || structure),
      has_residues_(has_python_residues(key)) {
  info_.sequential_only = true;  // otherwise several processes would read the same file
  try {
    decoder_.ask(Request::open, key, path, structure);
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  take_opened(!options.length_unit.empty() ||
              (structure && !structure->length_unit.empty()));
}

void PythonReader::take_opened(bool says_unit) {
  decoder::Unpacker unpacker(decoder_.content());
  info_.frame_count = unpacker.take<std::uint64_t>();
  const auto count = unpacker.take<std::uint64_t>();
  info_.length_unit = unit_spelling(std::string(unpacker.take_text()));
  info_.time_unit = std::string(unpacker.take_text());
  moments_.resize(unpacker.take<std::uint64_t>());
  for (StepAndTime& moment : moments_) {
    moment.step = unpacker.take<std::int64_t>();
    moment.time = unpacker.take<double>();
  }
  info_.lists_moments = !moments_.empty();
  const std::string truncation(unpacker.take_text());
  if (!truncation.empty()) {
    info_.truncation.push_back(path() + ": " + truncation);
  }
  const auto periodic = unpacker.take<std::uint64_t>();
  if (periodic <= decoder::all_axes) {
    periodicity_.set(periodic);
  }
  info_.from.box = unpacker.take_text();
  if (info_.frame_count == 0) {
    throw InputError(path() + ": has no frame");
  }
  if (take_types(unpacker)) {
    return;
  }
  if (unpacker.take<char>() != 0) {
    take_own_atoms(
        [&](ParticleTable& table) { table = particles_of(unpacker, has_residues_); });
    add_loose_remark(path(), info_.particles, info_.remarks);
  } else {
    set_atoms(count);
  }
  if (info_.format == "NAMD coordinates" && !has_fixed_box()) {
    info_.remarks.push_back(path() +
                            ": has no box, because its format cannot store one (NAMD "
                            "writes it to the .xsc file: give it with --box)");
  }
  if (info_.from.box == "lengths and angles by CP2K" && !has_fixed_box()) {
    info_.remarks.push_back(
        path() +
        ": has the cell as lengths and angles, but CP2K's DCD keeps the directions of "
        "the run: its positions fit only if a is along x, and b in the xy plane "
        "(otherwise give CP2K's .cell file with --box, or write DCD_ALIGNED_CELL)");
  }
  if (info_.format == "DCD" && info_.length_unit.empty() && !says_unit) {
    info_.remarks.push_back(
        path() +
        ": was written by LAMMPS, in the units of the run (give the length unit with "
        "--unit, or both units with a data file of write_data as --structure)");
  }
}

void PythonReader::read(FrameIndex index, Frame& frame) {
  try {
    decoder_.ask_frame(index.get());
    decoder_.take_frame(read_);
    if (!has_fixed_box()) {
      periodicity_.check(read_);
    }
    if (by_types_) {
      fill_by_types(index, frame);
      return;
    }
    check_types();
    const decoder::FrameHead& head = read_.head;
    fill(index, {head.step, head.time}, read_.positions, head.box, frame,
         read_.periodic());
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

bool PythonReader::take_types(decoder::Unpacker& unpacker) {
  std::vector<std::string> types(unpacker.take<std::uint64_t>());
  for (std::string& type : types) {
    type = unpacker.take_text();
  }
  by_types_ = !types.empty() && !needs_particles_;
  if (by_types_) {
    info_.species = std::move(types);
  }
  return by_types_;
}

void PythonReader::check_types() const {
  if (read_.head.types == decoder::FrameHead::Types::differ &&
      read_.head.atoms == atoms()) {
    throw InputError(
        "has particles of other types than the first frame (rules that select "
        "particles, --by and --structure need the same in all frames: give frames by "
        "--first and --last, or count the file's types)");
  }
}

void PythonReader::fill_by_types(FrameIndex index, Frame& frame) const {
  start_frame(index, info_.species.size(), tells_order(), frame);
  frame.step = read_.head.step;
  frame.time = read_.head.time;
  frame.box = box_of(read_.head.box, read_.periodic());
  frame.coordinate_bound = std::numeric_limits<double>::infinity();
  check_positions(read_.positions, all_particles(read_.types.size()), {});
  for (std::uint32_t k = 0; k < read_.types.size(); ++k) {
    if (read_.types[k] >= info_.species.size()) {
      throw InternalError("a particle has a type that its file does not define");
    }
    const double* p = &read_.positions[std::size_t{3} * k];
    add_atom(read_.types[k], {p[0], p[1], p[2]}, k, "", frame);
  }
}

SharedStructure read_python_structure(const std::string& path, const std::string& key) {
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  try {
    PythonDecoder decoder;
    decoder.ask(Request::particles_and_pbc, key, path, nullptr);
    decoder::Unpacker unpacker(decoder.content());
    structure->pbc = unpacker.take<Pbc>();
    structure->particles = particles_of(unpacker, has_python_residues(key));
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  if (structure->particles.count == 0) {
    throw InputError(path + ": has no atoms");
  }
  add_loose_remark(path, structure->particles, structure->remarks);
  return structure;
}

}  // namespace starhist::io
