#include "io/formats/python/python_decoder.hh"

#include <cstring>
#include <filesystem>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"

namespace starhist::io {
namespace {

decoder::Program python() {
  // Isolated: neither the user's folders nor variables change what is imported.
  return {.command = {chosen_python("MDAnalysis"), "-I", "-B",
                      find_script("read_frames.py", own_program())},
          .name = "starhist-python",
          .library = "Python",
          .most_seconds = 60.0,
          .seconds_per_byte = 1e-6};
}

}  // namespace

PythonDecoder::PythonDecoder() : process_(python()) {}

void PythonDecoder::ask(decoder::Request kind, const std::string& format,
                        const std::string& path, std::uint64_t atoms) {
  std::error_code ignored;
  const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
  source_bytes_ = ignored ? 0 : bytes;
  const bool is_address = path.find("://") != std::string::npos;
  const std::string absolute =
      is_address ? path : std::filesystem::absolute(path).string();
  decoder::Packer packer;
  packer.add_source({.kind = decoder::Source::Kind::path,
                     .format = format,
                     .atoms = atoms,
                     .content = absolute});
  if (process_.ask(kind, packer.bytes(), {}, source_bytes_) ==
      decoder::Reply::refusal) {
    throw InputError(std::string(content()));
  }
}

bool PythonDecoder::ask_frame(std::uint64_t index) {
  decoder::Packer packer;
  packer.add(index);
  const decoder::Reply reply =
      process_.ask(decoder::Request::read, packer.bytes(), {}, source_bytes_);
  if (reply == decoder::Reply::refusal) {
    throw InputError(std::string(content()));
  }
  return reply != decoder::Reply::end;
}

decoder::FrameHead PythonDecoder::take_frame(std::vector<float>& positions) const {
  decoder::Unpacker unpacker(content());
  const auto head = unpacker.take<decoder::FrameHead>();
  positions.resize(3 * head.atoms);
  const std::size_t size = positions.size() * sizeof(float);
  std::memcpy(positions.data(), unpacker.take_bytes(size).data(), size);
  return head;
}

}  // namespace starhist::io
