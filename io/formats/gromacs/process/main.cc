// starhist-gromacs: the separate process that contains libgromacs, which exits on files
// that it rejects. starhist starts it and requests frames; see
// io/decoder/decoder_process.hh for the other side.

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>

#include <gromacs/utility/baseversion.h>
#include <unistd.h>

#include "io/decoder/protocol.hh"
#include "io/formats/gromacs/process/input_file.hh"
#include "io/formats/gromacs/process/particles.hh"
#include "io/formats/gromacs/process/trajectory.hh"

namespace starhist::io::gromacs {
namespace {

using namespace decoder;

constexpr int socket = 3;

/// Thrown if starhist has exited.
struct NobodyListens {};

void reply(Reply kind, const std::string& head, const void* rest = nullptr,
           std::size_t rest_size = 0) {
  const std::uint64_t size = sizeof kind + head.size() + rest_size;
  const bool sent =
      send_all(socket, &size, sizeof size) && send_all(socket, &kind, sizeof kind) &&
      send_all(socket, head.data(), head.size()) && send_all(socket, rest, rest_size);
  if (!sent) {
    throw NobodyListens();
  }
}

void reply_next(Trajectory* trajectory) {
  if (trajectory == nullptr || !trajectory->next()) {
    reply(Reply::end, "");
    return;
  }
  const FrameHead head = trajectory->head();
  Packer packer;
  packer.add(head);
  reply(Reply::frame, packer.bytes(), trajectory->positions(),
        3 * sizeof(float) * head.atoms);
}

void answer(std::string_view request, InputFile& file,
            std::unique_ptr<Trajectory>& trajectory) {
  Unpacker unpacker(request);
  switch (unpacker.take<Request>()) {
    case Request::version:
      reply(Reply::text, gmx_version());
      return;
    case Request::frame: {
      Trajectory single(file.name_of(unpacker.take_source()));
      reply_next(&single);
      return;
    }
    case Request::open:
      trajectory = std::make_unique<Trajectory>(file.name_of(unpacker.take_source()));
      reply(Reply::text, "");
      return;
    case Request::next:
      reply_next(trajectory.get());
      return;
    case Request::read:
      reply(Reply::refusal, "libgromacs reads frames one after the other");
      return;
    case Request::particles_and_pbc: {
      const Particles particles = read_particles(file.name_of(unpacker.take_source()));
      Packer packer;
      packer.add(particles.pbc);
      packer.add_particles(particles.table);
      reply(Reply::particles, packer.bytes());
      return;
    }
  }
}

int serve(const std::string& folder) {
  ::setenv("GMX_TRAJECTORY_IO_VERBOSITY", "0", 1);
  InputFile file(folder);
  std::unique_ptr<Trajectory> trajectory;
  std::string request;
  std::uint64_t size = 0;
  while (receive_all(socket, &size, sizeof size)) {
    request.resize(size);
    if (!receive_all(socket, request.data(), size)) {
      break;
    }
    try {
      answer(request, file, trajectory);
    } catch (const NobodyListens&) {
      break;
    }
  }
  return 0;
}

}  // namespace
}  // namespace starhist::io::gromacs

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "starhist-gromacs reads GROMACS files for starhist, which starts it\n";
    return 1;
  }
  try {
    const int status = starhist::io::gromacs::serve(arguments[1]);
    const std::filesystem::path folder(arguments[1]);
    if (folder.filename().string().starts_with("starhist-gromacs-")) {
      std::error_code ignored;  // starhist removes it, too, unless it was killed
      std::filesystem::remove_all(folder, ignored);
    }
    // Skip the destructors of libgromacs and memory that it has not freed.
    _exit(status);
  } catch (const std::exception& error) {
    std::cerr << "Fatal error:\n" << error.what() << "\n\n" << std::flush;
    _exit(1);
  }
}
