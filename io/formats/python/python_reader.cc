#include "io/formats/python/python_reader.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/reader/units.hh"

namespace starhist::io {

using decoder::Request;

PythonReader::PythonReader(const std::string& path, const std::string& format,
                           const std::string& key, const ReadOptions& options,
                           const SharedStructure& structure)
    : AtomTrajectory(path, format, options, structure) {
  info_.sequential_only = true;  // several processes would read the same file
  try {
    decoder_.ask(Request::open, key, path, structure ? structure->particles.count : 0);
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
  if (info_.frame_count == 0) {
    throw InputError(path() + ": has no frame");
  }
  if (unpacker.take<char>() != 0) {
    take_own_atoms([&](ParticleTable& table) { table = unpacker.take_particles(); });
  }
  set_atoms(count);
  if (info_.format == "DCD" && info_.length_unit.empty() && !says_unit) {
    info_.remarks.push_back(
        path() +
        ": was written by LAMMPS, in the units of the run (--unit says that of "
        "lengths, "
        "or a data file of write_data as --structure those of lengths and times)");
  }
}

void PythonReader::read(FrameIndex index, Frame& frame) {
  try {
    decoder_.ask_frame(index.get());
    const decoder::FrameHead head = decoder_.take_frame(positions_);
    fill({index, head.step, head.time}, positions_, head.box, frame);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

SharedStructure read_python_structure(const std::string& path, const std::string& key) {
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  try {
    PythonDecoder decoder;
    decoder.ask(Request::particles_and_pbc, key, path, 0);
    decoder::Unpacker unpacker(decoder.content());
    structure->pbc = unpacker.take<Pbc>();
    structure->particles = unpacker.take_particles();
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  if (structure->particles.count == 0) {
    throw InputError(path + ": has no atoms");
  }
  return structure;
}

}  // namespace starhist::io
