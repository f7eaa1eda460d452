#include "io/trajectory/format_texts.hh"

#include <sstream>
#include <vector>

#include "codelets/core/base/text.hh"
#include "io/trajectory/formats.hh"

namespace starhist::io {
namespace {

using Names = TrajectoryFormat::Names;

/// Names of the formats for which `test` holds.
template <class Test>
std::vector<std::string> names_where(Test test) {
  std::vector<std::string> names;
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (test(format)) {
      names.push_back(format.name);
    }
  }
  return names;
}

std::vector<std::string> readable() {
  return names_where([](const TrajectoryFormat& f) { return f.open != nullptr; });
}

/// "A, B and C", `last` being "and".
std::string listed(std::vector<std::string> words, const std::string& last) {
  if (words.size() > 1) {
    const std::string end = words.back();
    words.pop_back();
    words.back() += " " + last + " " + end;
  }
  return join(words, ", ");
}

/// Lines of at most 80 characters, without the last newline.
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

std::string compression_of(const TrajectoryFormat& format) {
  return format.compression.empty() ? (format.gzip ? "by gzip (`.gz`)" : "no")
                                    : format.compression;
}

}  // namespace

std::string trajectory_format_names() {
  return listed(readable(), "and");
}

std::string structure_format_names() {
  return listed(names_where([](const TrajectoryFormat& format) {
                  return format.read_structure != nullptr;
                }),
                "or");
}

std::string named_by_structure() {
  return listed(names_where([](const TrajectoryFormat& format) {
                  return format.names != Names::file;
                }),
                "and");
}

std::string formats_by_libgromacs() {
  return listed(names_where([](const TrajectoryFormat& f) { return f.by_libgromacs; }),
                "and");
}

std::string formats_help() {
  const auto gzip = names_where([](const TrajectoryFormat& f) { return f.gzip; });
  const auto nameless = names_where(
      [](const TrajectoryFormat& format) { return format.names == Names::structure; });
  return wrapped("TRAJ: " + listed(readable(), "or") + "; " + listed(gzip, "and") +
                 " also as .gz. " + listed(nameless, "and") +
                 " hold no names of atoms: --structure does. Several files are read as "
                 "one trajectory. scripts/user/convert_any.py makes H5MD of other "
                 "formats.");
}

std::string structure_help() {
  const auto nameless = names_where(
      [](const TrajectoryFormat& format) { return format.names == Names::structure; });
  return "names of the atoms, for " + join(nameless, ", ") + ": a " +
         structure_format_names();
}

std::string format_table() {
  std::string table =
      "| format | usual endings | known by | compressed | species are | needs |\n"
      "|---|---|---|---|---|---|\n";
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.open == nullptr && format.read_structure == nullptr) {
      continue;
    }
    table += "| " + format.name + " | `." + join(format.extensions, "`, `.") + "` | " +
             format.known_by + " | " + compression_of(format) + " | " + format.species +
             (format.by_libgromacs ? " | libgromacs |\n" : " | |\n");
  }
  return table;
}

}  // namespace starhist::io
