#include "io/formats/python/python_stream.hh"

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

const SharedStructure& required(const SharedStructure& structure,
                                const std::string& address) {
  if (!structure) {
    throw InputError(address +
                     ": does not provide the number of atoms and their names (give "
                     "--structure FILE)");
  }
  return structure;
}

}  // namespace

PythonStream::PythonStream(const std::string& address, const ReadOptions& options,
                           const SharedStructure& structure)
    : AtomTrajectory(address, "IMD", options, required(structure, address)) {
  info_.stream = true;
  info_.sequential_only = true;
  info_.frame_count = most_stream_frames;
  try {
    decoder_.ask(decoder::Request::open, "IMD", address, structure);
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
  decoder::Unpacker unpacker(decoder_.content());
  unpacker.take<std::uint64_t>();  // skip the number of frames
  const auto count = unpacker.take<std::uint64_t>();
  const std::string& unit =
      options.length_unit.empty() ? structure->length_unit : options.length_unit;
  info_.length_unit = unit.empty() ? std::string(unpacker.take_text()) : unit;
  set_atoms(count);
  if (info_.length_unit != "A") {
    info_.time_unit.clear();  // the engine's units differ from the protocol's
  }
  if (unit.empty()) {
    info_.remarks.push_back(path() +
                            ": lengths are assumed to be in Angstrom, as IMD requires "
                            "(an engine with other units, such as LAMMPS with units "
                            "lj, sends those: give the unit with --unit)");
  }
}

void PythonStream::read(FrameIndex index, Frame& frame) {
  try {
    if (!decoder_.ask_frame(index.get())) {
      throw EndOfStream(path() + ": frame " + std::to_string(index.get()) +
                        " and later frames: the simulation stopped sending (" +
                        std::string(decoder_.content()) + ")");
    }
    decoder_.take_frame(read_);
    if (!has_fixed_box()) {
      periodicity_.check(read_);
    }
    const decoder::FrameHead& head = read_.head;
    fill({index, head.step, head.time}, read_.positions, head.box, frame,
         read_.periodic());
  } catch (const InputError& error) {
    throw InputError(path() + ": " + error.what());
  }
}

}  // namespace starhist::io
