#include "io/trajectory/format_texts.hh"

#include <sstream>
#include <vector>

#include "codelets/core/base/text.hh"
#include "io/compression/byte_source.hh"
#include "io/trajectory/formats.hh"

namespace starhist::io {
namespace {

using Names = TrajectoryFormat::Names;

/// Returns the names of the formats that pass `test`, without formats of Python
/// packages.
template <class Test>
std::vector<std::string> names_where(Test test) {
  std::vector<std::string> names;
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.python_package.empty() && test(format)) {
      names.push_back(format.name);
    }
  }
  return names;
}

std::vector<std::string> readable() {
  return names_where([](const TrajectoryFormat& f) { return f.open != nullptr; });
}

/// Joins words to "A, B and C", with `last` = "and".
std::string joined_by(std::vector<std::string> words, const std::string& last) {
  if (words.size() > 1) {
    const std::string end = words.back();
    words.pop_back();
    words.back() += " " + last + " " + end;
  }
  return join(words, ", ");
}

/// Abbreviates lists that would be too long with the names of all formats.
constexpr const char* of_python =
    "with Python's MDAnalysis installed also DCD, Amber NetCDF, GSD and others; with "
    "h5py also mdtraj HDF5";

/// Wraps the text to lines of at most 80 characters, without a final newline.
std::string wrapped(const std::string& text) {
  constexpr std::size_t widest = 80;
  std::istringstream words(text);
  std::string lines;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > widest) {
      lines += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line;
}

bool has_reader(const TrajectoryFormat& format) {
  return format.open != nullptr || format.open_stream != nullptr ||
         format.read_structure != nullptr;
}

std::string compression_of(const TrajectoryFormat& format) {
  const bool packed =
      format.packed || (!format.python_package.empty() &&
                        format.contents == TrajectoryFormat::Contents::text);
  if (!format.compression.empty()) {
    return format.compression;
  }
  return packed ? "`" + join(compressed_endings(), "`, `") + "`" : "no";
}

}  // namespace

std::string trajectory_format_names() {
  return join(readable(), ", ") + "; " + of_python;
}

std::string structure_format_names() {
  return joined_by(names_where([](const TrajectoryFormat& format) {
                     return format.read_structure != nullptr;
                   }),
                   "or") +
         "; with Python's MDAnalysis installed also PSF, Amber topology and others";
}

std::string named_by_structure() {
  return joined_by(names_where([](const TrajectoryFormat& format) {
                     return format.names != Names::file;
                   }),
                   "and") +
         ", and for formats that Python's MDAnalysis reads";
}

std::string formats_by_libgromacs() {
  return joined_by(
      names_where([](const TrajectoryFormat& f) { return f.by_libgromacs; }), "and");
}

std::string formats_help() {
  const auto packed = names_where([](const TrajectoryFormat& f) { return f.packed; });
  const auto nameless = names_where(
      [](const TrajectoryFormat& format) { return format.names == Names::structure; });
  return wrapped("TRAJ: " + joined_by(readable(), "or") + "; " +
                 joined_by(packed, "and") + " also as " +
                 joined_by(compressed_endings(), "or") + ". " +
                 joined_by(nameless, "and") +
                 " are read without atom names: --structure supplies them. With "
                 "Python's MDAnalysis installed, also DCD, Amber NetCDF, GSD and "
                 "others; with h5py, mdtraj HDF5 (docs/reference/formats.md). Several "
                 "files are read as one trajectory.");
}

std::string structure_help() {
  const auto nameless = names_where(
      [](const TrajectoryFormat& format) { return format.names == Names::structure; });
  return "atom names for a trajectory without names (" + join(nameless, ", ") +
         ", DCD and others). FILE is " + structure_format_names();
}

std::string format_table() {
  std::string table =
      "| format | usual endings | known by | compressed | species are | needs |\n"
      "|---|---|---|---|---|---|\n";
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (!has_reader(format)) {
      continue;
    }
    const std::string endings =
        format.extensions.empty() ? "" : "`." + join(format.extensions, "`, `.") + "`";
    const std::string needs =
        format.by_libgromacs ? "libgromacs" : format.python_package;
    table += "| " + format.name + " | " + endings + (endings.empty() ? "| " : " | ") +
             format.known_by + " | " + compression_of(format) + " | " + format.species +
             " | " + needs + (needs.empty() ? "|\n" : " |\n");
  }
  return table;
}

std::string field_table() {
  std::string table =
      "| format | box | names | residues | elements, masses | molecules | bonds | "
      "times | unit of lengths |\n"
      "|---|---|---|---|---|---|---|---|---|\n";
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (!has_reader(format)) {
      continue;
    }
    const DeliveredFields& fields = format.fields;
    table +=
        "| " +
        join({format.name, fields.box, fields.names, fields.residues, fields.elements,
              fields.molecules, fields.bonds, fields.times, fields.units},
             " | ") +
        " |\n";
  }
  return table;
}

}  // namespace starhist::io
