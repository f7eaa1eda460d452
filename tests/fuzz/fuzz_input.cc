#include "tests/fuzz/fuzz_input.hh"

#include <algorithm>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "io/reader/probed_file.hh"

namespace starhist::fuzz {

InputFile::InputFile(std::string_view bytes)
    : descriptor_(memfd_create("input", MFD_CLOEXEC)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written <= 0) {
      throw std::runtime_error("cannot write to memory");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

InputFile::~InputFile() {
  close(descriptor_);
}

void read_frames(io::TrajectoryReader& reader) {
  constexpr std::uint64_t most_frames = 8;
  Frame frame;
  for (std::uint64_t left = std::min(reader.info().frame_count, most_frames); left > 0;
       --left) {
    refuse_or([&] { reader.read(FrameIndex(left - 1), frame); });
  }
}

io::ReadOptions whole_species() {
  return {};
}

io::ReadOptions per_particle() {
  io::ReadOptions options;
  options.per_particle = true;
  options.tell_order = true;
  return options;
}

void read_trajectory(std::string_view bytes, const io::TrajectoryFormat& format,
                     bool own_structure) {
  const InputFile input(bytes);
  for (const io::ReadOptions& options : {whole_species(), per_particle()}) {
    refuse_or([&] {
      io::SharedStructure structure;
      if (own_structure && options.per_particle) {
        structure = format.read_structure(input.path());
      }
      io::ProbedFile file(input.path());
      read_frames(*format.open(file, options, structure));
    });
  }
}

}  // namespace starhist::fuzz
