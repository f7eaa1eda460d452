#include <algorithm>
#include <iostream>
#include <optional>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/commands/info/printed_result.hh"
#include "driver/commands/info/printed_trajectory.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/trajectory_json.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"
#include "io/result/result_reader.hh"

namespace starhist::driver {

Manual info_manual() {
  return {
      .command = "info",
      .summary = "describe a trajectory or a result file",
      .synopsis = "FILE... [options]",
      .description =
          R"(Describes a trajectory (frames, species, properties to select particles by,
boxes, units, and the largest r, up to which g(r) is normalised by complete
shells) or a result file, including a FILE.partial. Several trajectory files are
read as one trajectory.
Frames, blocks and the molecules of a TPR are numbered from 0, particles
(`index`) from 1.)",
      .options = {group_option(),
                  {OptionGroup::species, "species", "RULES",
                   "define species by rules (see starhist rdf --help)"},
                  structure_option(),
                  altloc_option(),
                  index_option(),
                  aliases_option(),
                  guess_elements_option(),
                  unit_option(),
                  time_unit_option(),
                  out_unit_option(),
                  box_option(),
                  allow_external_option(),
                  {OptionGroup::input, "all", "",
                   "read every frame instead of 1000, and list all species and pairs"},
                  {OptionGroup::output, "json", "",
                   "describe a trajectory as JSON: units, species, columns, and step, "
                   "time, box and number of particles of the first frame; or a result: "
                   "its command, frames, blocks and provenance"},
                  {OptionGroup::output, "particles", "",
                   "with --json: also list every column of the particles"},
                  {OptionGroup::output,
                   "frames",
                   "WHICH",
                   "with --json: the first frame or all",
                   {.fallback = "first", .choices = {"first", "all"}}}},
      .sections = {{"examples",
                    "  starhist info water.h5\n"
                    "  starhist info rdf.h5\n"
                    "  starhist info --json --particles --frames all water.gro\n"}}};
}

namespace {

/// Throws InputError for options that have no effect on the description of a result.
void refuse_trajectory_options(const ParsedOptions& parsed) {
  for (const char* option : {"group", "species", "structure", "altloc", "index",
                             "aliases", "guess-elements", "box"}) {
    if (parsed.has(option)) {
      throw InputError(parsed.positional.front() + ": --" + option +
                       " describes a trajectory, and this is a result (leave it out)");
    }
  }
}

/// Contents of the JSON document; empty if none is requested.
std::optional<JsonContents> json_contents(const ParsedOptions& parsed) {
  if (parsed.has("json")) {
    if (parsed.has("out-unit")) {
      throw InputError(
          "--json lists lengths in the unit of the file, so --out-unit "
          "has no effect (leave it out)");
    }
    return JsonContents{.all_frames = parsed.get("frames") == "all",
                        .particles = parsed.has("particles")};
  }
  for (const std::string option : {"particles", "frames"}) {
    if (parsed.has(option)) {
      throw InputError("--" + option + " needs --json");
    }
  }
  return std::nullopt;
}

/// True for a result of any command.
bool is_any_result(const std::string& path, io::ExternalFiles external) {
  return io::is_result(path, external) || io::is_lag_result(path, external) ||
         io::is_coordination_result(path, external);
}

/// Describes the files as one trajectory.
ExitCode describe_trajectory(const ParsedOptions& parsed,
                             const io::ReadOptions& reading,
                             const std::optional<JsonContents>& json,
                             const std::string& out_unit) {
  const auto reader = io::open_trajectory(parsed.positional, reading);
  std::uint64_t unusable = 0;
  if (json) {
    std::cout << trajectory_json(*reader, reading, *json);
  } else {
    unusable = print_trajectory(*reader, reading, parsed.has("all"), out_unit);
  }
  for (const std::string& sentence : reader->info().remarks) {
    std::cerr << "starhist: " << sentence << '\n';
  }
  for (const std::string& sentence : reader->info().truncation) {
    std::cerr << "starhist: " << sentence << '\n';
  }
  return reader->info().truncation.empty() && unusable == 0 ? ExitCode::done
                                                            : ExitCode::frames_left_out;
}

}  // namespace

ExitCode run_info(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto given = parse_unless_help(info_manual(), arguments, problems);
  if (!given) {
    return ExitCode::done;
  }
  const ParsedOptions& parsed = *given;
  if (parsed.positional.empty()) {
    problems.add(no_file_problem(info_manual(), "file"));
  }
  io::ReadOptions reading;
  reading.group = parsed.get("group");
  io::ShownUnits units;
  problems.collect([&] { units = shown_units(parsed); });
  reading.length_unit = units.unit;
  reading.time_unit = units.time_unit;
  reading.external = external_files(parsed);
  reading.repeated = io::RepeatedFrames::describe;
  problems.collect([&] { set_box(parsed.get("box"), reading); });
  problems.collect([&] { parse_particle_options(parsed, reading); });
  std::optional<JsonContents> json;
  problems.collect([&] { json = json_contents(parsed); });
  problems.throw_if_any("info");

  const std::size_t results = std::count_if(
      parsed.positional.begin(), parsed.positional.end(),
      [&](const std::string& path) { return is_any_result(path, reading.external); });
  if (results > 0 && json &&
      (parsed.positional.size() > 1 || json->all_frames || json->particles)) {
    throw InputError(parsed.positional.front() +
                     ": --json describes one result, without --frames and --particles "
                     "(starhist export --format json writes its curves)");
  }
  if (results == parsed.positional.size()) {
    refuse_trajectory_options(parsed);
    for (const std::string& path : parsed.positional) {
      std::cout << (path == parsed.positional.front() ? "" : "\n");
      print_result(path, reading.external, units, json.has_value(), parsed.has("all"));
    }
    return ExitCode::done;
  }
  if (results > 0) {
    throw InputError(std::to_string(results) + " of the " +
                     std::to_string(parsed.positional.size()) +
                     " files are starhist results, the others trajectories (give "
                     "either results or trajectories)");
  }
  return describe_trajectory(parsed, reading, json, units.out_unit);
}

}  // namespace starhist::driver
