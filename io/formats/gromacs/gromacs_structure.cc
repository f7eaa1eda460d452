#include "io/formats/gromacs/gromacs_structure.hh"

#include <filesystem>

#include "codelets/core/base/error.hh"
#include "io/formats/gromacs/decoder/gromacs_program.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

/// `ending`: the extension by which libgromacs identifies the format.
SharedStructure read_by_libgromacs(const std::string& path, const char* ending) {
  gromacs::check_built(path, "a structure of GROMACS");
  const std::string absolute = std::filesystem::absolute(path).string();
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  try {
    decoder::Packer packer;
    packer.add_source(
        {.kind = decoder::Source::Kind::path, .format = ending, .content = absolute});
    decoder::Process process(gromacs::program());
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
    process.ask(decoder::Request::particles_and_pbc, packer.bytes(), {},
                ignored ? 0 : bytes);
    decoder::Unpacker unpacker(process.content());
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

}  // namespace

SharedStructure read_tpr_structure(const std::string& path) {
  return read_by_libgromacs(path, "tpr");
}

SharedStructure read_g96_structure(const std::string& path) {
  gromacs::check_built(path, "a structure of GROMACS");
  if (!g96_has_names(path)) {
    throw InputError(path + ": has no POSITION block, and therefore no atom names");
  }
  return read_by_libgromacs(path, "g96");
}

bool g96_has_names(const std::string& path) {
  TextFile file(path);
  std::string_view line;
  while (file.next(line)) {
    if (line.starts_with("POSITION")) {
      return !line.starts_with("POSITIONRED");
    }
  }
  return false;
}

}  // namespace starhist::io
