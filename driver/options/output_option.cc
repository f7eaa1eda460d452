#include "driver/options/output_option.hh"

#include <filesystem>

#include "driver/run/run_checks.hh"
#include "io/trajectory/formats.hh"

namespace starhist::driver {
namespace {

/// Whether a file is named as one of tables, pictures, or trajectories that are no
/// HDF5.
bool ends_as_other_format(const std::string& path) {
  const auto named_as = [&](const io::TrajectoryFormat& format) {
    return io::has_extension(format, path);
  };
  const auto is_hdf5 = [](const io::TrajectoryFormat& format) {
    return io::has_extension(format, "any.h5");
  };
  io::TrajectoryFormat tables;
  tables.extensions = {"csv", "tsv", "xvg", "txt", "dat",  "json",
                       "svg", "png", "pdf", "eps", "html", "htm"};
  bool other = named_as(tables);
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

}  // namespace

void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  Problems& problems) {
  if (output.empty()) {
    problems.add("--output is missing (-o OUT.h5)");
    return;
  }
  const std::string problem = output_problem(output, inputs);
  if (!problem.empty()) {
    problems.add(problem);
  }
}

void check_hdf5_name(const std::string& output, const std::string& what,
                     const std::string& more, Problems& problems) {
  if (ends_as_other_format(output)) {
    const std::string better =
        std::filesystem::path(output).replace_extension(".h5").string();
    problems.add("output '" + output + "' is named as another format, but " + what +
                 " (give -o " + better + more + ")");
  }
}

std::string table_format(const ParsedOptions& parsed) {
  const std::string ending = std::filesystem::path(parsed.get("output")).extension();
  const std::string named =
      ending == ".xvg" || ending == ".json" ? ending.substr(1) : "csv";
  return parsed.get("format", named);
}

void check_result_name(const std::string& output, Problems& problems) {
  check_hdf5_name(
      output, "a result is an HDF5 file",
      "; starhist export, peaks, plot and report then make tables and plots "
      "of it",
      problems);
}

}  // namespace starhist::driver
