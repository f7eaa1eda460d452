#include "driver/options/output_option.hh"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {
namespace {

/// Whether a path has one of the extensions, in any case.
bool ends_in(const std::string& path, std::vector<std::string> extensions) {
  io::TrajectoryFormat format;
  format.extensions = std::move(extensions);
  return io::has_extension(format, path);
}

/// True if a file has the name of a table, a picture, or a trajectory other than HDF5.
bool ends_as_other_format(const std::string& path) {
  const auto named_as = [&](const io::TrajectoryFormat& format) {
    return io::has_extension(format, path);
  };
  const auto is_hdf5 = [](const io::TrajectoryFormat& format) {
    return io::has_extension(format, "any.h5");
  };
  bool other = ends_in(path, {"csv", "tsv", "xvg", "txt", "dat", "json", "svg", "png",
                              "pdf", "eps", "html", "htm"});
  for (const io::TrajectoryFormat& format : io::trajectory_formats()) {
    if (named_as(format)) {
      if (is_hdf5(format)) {
        return false;
      }
      other = true;
    }
  }
  return other;
}

/// True if text may replace the file: it does not exist, is a device or pipe, is empty,
/// or begins like a table, summary, trace or report of starhist.
bool is_replaceable(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return true;
  }
  std::array<char, 512> bytes{};
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), static_cast<std::size_t>(file.gcount()));
  const std::string_view line = begin.substr(0, begin.find('\n'));
  const auto contains = [](std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  return begin.empty() || contains(line, ", written by starhist") ||
         (contains(line, "like ") && contains(line, ", bins of ")) ||  // export --like
         begin.starts_with("{\n  \"title\": ") ||
         begin.starts_with("{\n  \"program\": \"starhist") ||
         begin.starts_with("task,worker,kind,") ||
         contains(begin, "Verification of a starhist result");
}

/// Throws InputError if text would destroy a file that starhist did not write as text.
void check_replaced(const std::string& option, const std::string& path) {
  if (!is_replaceable(path)) {
    throw InputError(option + " '" + path +
                     "' would replace a file that is not text of starhist (choose "
                     "another name, or remove that file first)");
  }
}

}  // namespace

void check_output(const std::string& output, Problems& problems) {
  if (output.empty()) {
    problems.add("--output is missing (-o OUT.h5)");
  }
}

void check_text_name(const std::string& option, const std::string& path) {
  const auto& formats = io::trajectory_formats();
  const bool tabular = ends_in(path, {"csv", "tsv", "xvg", "txt", "dat", "json"});
  if (!tabular &&
      (ends_in(path, {"svg", "png", "jpg", "jpeg", "gif", "pdf", "eps", "html", "htm",
                      "xlsx", "xls", "ods", "docx", "odt"}) ||
       std::any_of(formats.begin(), formats.end(), [&](const auto& format) {
         return io::has_extension(format, path);
       }))) {
    throw InputError(option + " '" + path +
                     "' has the extension of another kind of file, but text is written "
                     "(give a name such as NAME.csv, .xvg, .json, .dat or .txt)");
  }
}

void check_side_file(const std::string& option, const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path(file);
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(option + " '" + file + "' is a directory");
  }
  if (path.has_parent_path() &&
      !std::filesystem::is_directory(path.parent_path(), ignored)) {
    throw InputError(option + " '" + file + "': directory '" +
                     path.parent_path().string() + "' does not exist");
  }
  check_replaced(option, file);
}

void check_hdf5_name(const std::string& output, const std::string& what,
                     const std::string& more, Problems& problems) {
  if (output == "-") {
    problems.add("output '-' stands for the standard output, but " + what +
                 " (give -o NAME.h5" + more + ")");
  }
  if (ends_as_other_format(output)) {
    const std::string better =
        std::filesystem::path(output).replace_extension(".h5").string();
    problems.add("output '" + output + "' has the extension of another format, but " +
                 what + " (give -o " + better + more + ")");
  }
}

std::string table_format(const ParsedOptions& parsed) {
  const std::string output = parsed.get("output");
  check_text_name("--output", output);
  check_replaced("--output", output);
  return parsed.get("format", ends_in(output, {"xvg"})    ? "xvg"
                              : ends_in(output, {"json"}) ? "json"
                                                          : "csv");
}

void check_result_name(const std::string& output, Problems& problems) {
  check_hdf5_name(
      output, "a result is an HDF5 file",
      "; starhist export, peaks, plot and report make tables and plots from it",
      problems);
}

}  // namespace starhist::driver
