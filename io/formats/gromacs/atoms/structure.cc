#include "io/formats/gromacs/atoms/structure.hh"

#include <algorithm>
#include <array>
#include <filesystem>

#include "codelets/core/base/error.hh"
#include "io/files/file_signature.hh"
#include "io/formats/gromacs/text/pdb_elements.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

std::shared_ptr<Structure> ask_for(const std::string& path,
                                   const gromacs::Source& source) {
  auto structure = std::make_shared<Structure>();
  structure->path = path;
  gromacs::Packer packer;
  packer.add_source(source);
  gromacs::Process process;
  process.ask(gromacs::Request::particles_and_pbc, packer.bytes());
  gromacs::Unpacker unpacker(process.content());
  structure->pbc = unpacker.take<gromacs::Pbc>();
  structure->particles = unpacker.take_particles();
  if (structure->particles.count == 0) {
    throw InputError("has no atoms");
  }
  return structure;
}

std::vector<std::string> pdb_elements(const std::string& path, std::size_t atoms) {
  TextFile file(path);
  PdbElements elements;
  std::string_view line;
  // libgromacs reads a last line without an end, too.
  const auto any = [](std::string_view) { return true; };
  while (next_or_whole_rest(file, line, any) && elements.add_line(line)) {
  }
  std::vector<std::string> found = elements.take();
  if (found.size() != atoms) {
    found.clear();
  }
  return found;
}

}  // namespace

std::string gromacs_ending(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
  });
  if (name.ends_with(".gz")) {
    name.resize(name.size() - 3);
  }
  const std::size_t dot = name.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : name.substr(dot + 1);
  constexpr std::array known{"gro", "pdb", "g96", "tpr", "xtc", "trr", "tng"};
  if (ending == "ent" || ending == "brk") {
    return "pdb";
  }
  return std::find(known.begin(), known.end(), ending) == known.end() ? "" : ending;
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

std::shared_ptr<const Structure> read_structure(const std::string& path) {
  check_is_file(path);
  const std::string ending = gromacs_ending(path);
  constexpr std::array known{"gro", "pdb", "g96", "tpr"};
  if (std::find(known.begin(), known.end(), ending) == known.end() ||
      path.ends_with(".gz")) {
    throw InputError(
        path +
        ": is no structure (--structure takes a GRO, PDB, G96 or TPR file, "
        "not compressed, and knows it by the ending of its name)");
  }
  gromacs::check_built(path, "a structure of GROMACS");
  if (ending == "g96" && !g96_has_names(path)) {
    throw InputError(path + ": has no POSITION block, hence no names of atoms");
  }
  const std::string absolute = std::filesystem::absolute(path).string();
  try {
    auto structure = ask_for(path, {ending, gromacs::Source::Kind::path, absolute});
    if (ending == "pdb") {
      structure->particles.element = pdb_elements(path, structure->particles.count);
    }
    return structure;
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
}

std::shared_ptr<const Structure> read_structure(const std::string& path,
                                                const std::string& ending,
                                                std::string_view bytes) {
  auto structure = ask_for(path, {ending, gromacs::Source::Kind::bytes, bytes});
  if (ending == "pdb") {
    PdbElements elements;
    while (!bytes.empty()) {
      const std::size_t end = std::min(bytes.find('\n'), bytes.size());
      if (!elements.add_line(bytes.substr(0, end))) {
        break;
      }
      bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    structure->particles.element = elements.take();
  }
  return structure;
}

}  // namespace starhist::io
