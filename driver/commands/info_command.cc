#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "codelets/core/base/counted_noun.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/layout_text.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "driver/commands/command.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/coordination_report.hh"
#include "driver/report/lag_report.hh"
#include "driver/report/particle_summary.hh"
#include "driver/report/record_lines.hh"
#include "driver/report/trajectory_json.hh"
#include "driver/run/exclusions.hh"
#include "io/export/export_columns.hh"
#include "io/export/neighbours/coordination_table.hh"
#include "io/output/checkpoint_file.hh"
#include "io/output/output_lock.hh"
#include "io/particles/elements.hh"
#include "io/particles/read_from.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/reader/units.hh"
#include "io/result/external_record.hh"
#include "io/result/result_reader.hh"
#include "io/selection/species_groups.hh"
#include "io/text/index_groups.hh"

namespace starhist::driver {
namespace {

/// Largest number of species or pairs shown, the most frequent ones, unless all are
/// requested.
constexpr std::size_t most_species = 20;
constexpr std::size_t shown_of_more_species = 12;
constexpr std::size_t most_pairs = 20;

/// Indices of the `most` largest values, in descending order; if there are no more than
/// `most`, all in their order.
std::vector<std::size_t> largest(const std::vector<double>& values, std::size_t most) {
  std::vector<std::size_t> indexes(values.size());
  std::iota(indexes.begin(), indexes.end(), 0);
  if (values.size() > most) {
    std::stable_sort(indexes.begin(), indexes.end(), [&](std::size_t a, std::size_t b) {
      return values[a] > values[b];
    });
    indexes.resize(most);
  }
  return indexes;
}

/// The value with six digits, rounded to nearest, or down: a value rounded down is
/// valid for --r-max.
std::string six_digits(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}
std::string six_digits_down(double value) {
  if (!std::isfinite(value) || value <= 0.0) {
    return six_digits(value);
  }
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 5.0);
  return six_digits(std::floor(value / unit * (1.0 + 1e-12)) * unit);
}

/// A time with the digits of a float if it was a float (0.1, not 0.10000000149011612),
/// otherwise with 15.
std::string time_digits(double time) {
  char text[40];
  const auto single = static_cast<float>(time);
  if (static_cast<double>(single) == time) {
    return {text, std::to_chars(text, text + sizeof text, single).ptr};
  }
  std::snprintf(text, sizeof text, "%.15g", time);
  return text;
}

/// Smallest and largest of the values added.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// False if only NaN was added.
  bool any() const { return low <= high; }
  std::string text() const {
    return low == high ? number_text(low)
                       : number_text(low) + " .. " + number_text(high);
  }
  /// The range with six digits.
  std::string short_text() const {
    const std::string from = six_digits(low);
    const std::string to = six_digits(high);
    return from == to ? from : from + " .. " + to;
  }
  /// The range in another unit. `power`: power of length in the unit.
  Range in(const io::LengthConversion& conversion, int power) const {
    return {conversion(low, power), conversion(high, power)};
  }
};

/// Properties of the frames that were read.
struct Survey {
  std::uint64_t frames = 0;
  std::uint64_t unusable = 0;  ///< number of unusable frames
  std::string first_problem;   ///< problem of the first unusable frame
  std::map<std::string, std::uint64_t> box_kinds;
  std::vector<Range> particles;  // per species
  Range volume;
  Range inscribed_radius;
  Range covering_radius;
  Range time;
  std::set<Plane> planes;  ///< two_dimensional() of each frame
};

Survey survey(io::TrajectoryReader& reader, std::uint64_t most_frames) {
  const io::TrajectoryInfo& info = reader.info();
  Survey seen;
  seen.particles.resize(info.species.size());
  const std::uint64_t count = info.stream ? 1 : std::min(info.frame_count, most_frames);
  Frame frame;
  for (std::uint64_t k = 0; k < count; ++k) {
    // Evenly spread, including the first and the last frame.
    const std::uint64_t index =
        count == 1 ? 0 : k * (info.frame_count - 1) / (count - 1);
    ++seen.frames;
    try {
      reader.read(FrameIndex(index), frame);
    } catch (const InputError& error) {
      if (seen.unusable++ == 0) {
        seen.first_problem = error.what();
      }
      continue;
    }
    ++seen.box_kinds[to_string(frame.box.kind()) +
                     (frame.box.periodic_axis_count() % 3 == 0
                          ? ""
                          : " (periodic along " +
                                std::to_string(frame.box.periodic_axis_count()) +
                                " axes)")];
    seen.inscribed_radius.add(frame.box.inscribed_radius());
    seen.covering_radius.add(frame.box.covering_radius());
    seen.volume.add(frame.box.volume());
    seen.time.add(frame.time);
    seen.planes.insert(two_dimensional(frame.box, frame.positions));
    for (std::uint32_t s = 0; s < info.species.size(); ++s) {
      seen.particles[s].add(static_cast<double>(frame.particle_count(SpeciesId(s))));
    }
  }
  if (seen.unusable == seen.frames) {
    throw InputError(seen.first_problem);
  }
  return seen;
}

/// Lists the properties of the first frame on which particles can be selected, or the
/// reason why selection is not possible. `residues`: source of the residues; replaced
/// if only the reading of single particles finds them.
std::string selection_text(const std::string& path, io::ReadOptions reading,
                           std::string& residues) {
  reading.species.clear();
  reading.per_particle = true;
  try {
    const auto reader = io::open_trajectory({path}, reading);
    residues = residues == "none" ? reader->info().from.residues : residues;
    return reader->info().particles.count > 0
               ? particle_summary(reader->info().particles)
               : "select by    not possible: the first frame has no particles\n";
  } catch (const InputError& error) {
    return std::string("select by    not possible: ") + error.what() + "\n";
  }
}

/// Prints a line for each other file that holds data of this one.
void print_external(const io::ExternalFileList& files) {
  for (const io::ExternalFile& file : files) {
    std::cout << "\ndata in      " << io::external_file_text(file);
  }
}

std::string time_text(const Range& time, const std::string& unit) {
  if (!time.any()) {
    return "not specified in the file";
  }
  const std::string low = time_digits(time.low);
  const std::string high = time_digits(time.high);
  return (low == high ? low : low + " .. " + high) + unit_suffix(unit);
}

/// "O: 216, H: 432". For many species their number and the most frequent ones, or with
/// `all` one species per line.
std::string species_text(const std::vector<std::string>& species,
                         const std::vector<Range>& particles, bool all) {
  std::vector<std::string> entries;
  std::vector<double> numbers;
  for (std::size_t s = 0; s < species.size(); ++s) {
    entries.push_back(species[s] + ": " + particles[s].text());
    numbers.push_back(particles[s].high);
  }
  if (entries.size() <= most_species) {
    return join(entries, ", ");
  }
  const std::string count = grouped(entries.size());
  if (all) {
    return count + "\n             " + join(entries, "\n             ");
  }
  std::vector<std::string> shown;
  for (const std::size_t s : largest(numbers, shown_of_more_species)) {
    shown.push_back(entries[s]);
  }
  return count + "; the most frequent: " + join(shown, ", ") +
         ", ... (--all lists all)";
}

/// Text, starting with a newline, with a line of elements for each of their sources; ""
/// if none is known.
std::string elements_text(const std::vector<std::string>& names,
                          const std::vector<SpeciesElement>& elements) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> by_source;
  for (std::size_t s = 0; s < elements.size(); ++s) {
    const auto& [element, source] = elements[s];
    if (!element.empty()) {
      const bool mixture = element.find(',') != std::string::npos;
      by_source[source][mixture ? "(" + element + ")" : element].insert(names[s]);
    }
  }
  std::string text;
  for (const auto& [source, of_source] : by_source) {
    text += (text.empty() ? "\nelements     " : "\n             ") +
            io::names_by_element(of_source) + " (" + source + ")";
  }
  return text;
}

/// Lines with the sources of the data, and one for each assumption.
std::string sources_text(const io::ReadFrom& from) {
  using Words = std::pair<std::string, std::string>;
  std::string elements = from.elements;
  if (!from.elements_by_rule.empty()) {
    elements = elements == "none" ? "" : elements;
    io::add_phrase(from.elements_by_rule, elements);
  }
  std::string box = from.box;
  if (from.periodic != from.box) {
    box += ", periodic axes by " + from.periodic;
  }
  std::string text;
  for (const auto& [part, source] :
       std::initializer_list<Words>{{"box", box},
                                    {"names", from.names},
                                    {"elements", elements},
                                    {"residues", from.residues},
                                    {"times", from.times},
                                    {"units", from.units}}) {
    text += std::string(text.empty() ? "read from    " : "             ") + part +
            ": " + source + "\n";
  }
  for (const std::string& assumption : from.assumptions) {
    text += "assumed      " + assumption + "\n";
  }
  return text;
}

/// `own`: the file's unit; `shown`: the unit of the printed lengths.
std::string length_unit_text(const std::string& own, const std::string& shown) {
  return own.empty() ? "not specified in the file (give it with --unit)"
                     : own + (shown == own ? "" : ", shown in " + shown);
}

/// `out_unit`: unit of printed lengths; "": the file's unit. Returns the number of
/// unusable frames.
std::uint64_t print_trajectory(io::TrajectoryReader& reader,
                               const io::ReadOptions& reading, bool all,
                               const std::string& out_unit) {
  constexpr std::uint64_t sample = 1000;
  const io::TrajectoryInfo& info = reader.info();
  const std::string shown = out_unit.empty() ? info.length_unit : out_unit;
  const io::LengthConversion conversion(info.paths.front(), info.length_unit, shown);
  const Survey seen = survey(reader, all ? info.frame_count : sample);
  const std::string unit = unit_suffix(shown);
  std::cout << join(info.paths, ", ") << ": " << info.format << " trajectory"
            << (info.group.empty() ? "" : ", group " + info.group) << '\n'
            << "frames       "
            << (info.stream ? "as they arrive" : std::to_string(info.frame_count));
  if (seen.frames < info.frame_count && !info.stream) {
    std::cout << " (" << seen.frames << " of them read; --all reads all)";
  }
  if (seen.unusable > 0) {
    std::cout << "\nunusable     " << seen.unusable
              << " of these; the first: " << seen.first_problem;
  }
  print_external(info.external_files);
  std::cout << "\ntime         " << time_text(seen.time, info.time_unit)
            << "\nlength unit  " << length_unit_text(info.length_unit, shown)
            << "\nspecies      " << species_text(info.species, seen.particles, all)
            << elements_text(info.species, info.elements) << '\n';
  io::ReadFrom from = info.from;
  if (!info.stream) {  // a stream cannot be opened again
    std::cout << selection_text(info.paths.front(), reading, from.residues);
  }
  if (!reading.index.empty()) {
    std::cout << "groups       " << join(io::IndexGroups(reading.index).names(), ", ")
              << '\n';
  }
  const bool any_box = seen.box_kinds.size() > 1 || !seen.box_kinds.contains("open");
  std::cout << sources_text(io::seen_in_frames(from, any_box, seen.time.any()))
            << "box          ";
  const char* separator = "";
  for (const auto& [kind, frames] : seen.box_kinds) {
    std::cout << separator << kind;
    if (seen.box_kinds.size() > 1) {
      std::cout << " in " << frames << " frames";
    }
    separator = ", ";
  }
  if (seen.volume.low > 0.0) {
    std::cout << "\nvolume       " << seen.volume.in(conversion, 3).short_text()
              << (unit.empty() ? "" : unit + "^3") << "\nlargest r    "
              << six_digits_down(conversion(seen.inscribed_radius.low)) << unit
              << " for g(r) (half the shortest lattice vector)\n             "
              << six_digits(conversion(seen.covering_radius.low)) << unit
              << " is the largest possible nearest-image distance";
  }
  if (seen.planes.size() == 1 && *seen.planes.begin() != Plane::none) {
    std::cout
        << "\nplane        all particles lie in one (for g(r) in it: starhist rdf "
           "--plane "
        << to_string(*seen.planes.begin()) << ")";
  }
  std::cout << '\n';
  return seen.unusable;
}

/// OUT of OUT.partial; empty for another name.
std::optional<std::string> output_of_partial(const std::string& path) {
  constexpr std::string_view suffix = ".partial";
  if (!path.ends_with(suffix)) {
    return std::nullopt;
  }
  return path.substr(0, path.size() - suffix.size());
}

/// Text on whether the run that writes a partial result is still active.
std::string partial_text(const std::string& path) {
  if (const auto output = output_of_partial(path)) {
    if (const auto holder = io::holder_of_output(*output)) {
      return ", partial (the run is in progress: " + *holder + ")";
    }
  }
  return ", partial (the run did not finish)";
}

/// Line about the checkpoint of OUT.partial; "" without one.
std::string checkpoint_text(const io::ResultFile& result) {
  const auto output = output_of_partial(result.path);
  const std::string file = output.value_or("") + ".checkpoint";
  std::error_code ignored;
  if (!output || !std::filesystem::exists(file, ignored)) {
    return "";
  }
  const std::string id = io::value_of(result.record, io::result_id).value_or("");
  const std::optional<io::Checkpoint> found =
      io::CheckpointFile(*output, result.layout, id).read();
  std::string what = "incomplete, or from another result; it is not used";
  if (found && found->blocks_before != result.blocks.size()) {
    what = "from a block that is already in this file";
  } else if (found) {
    what = counted(found->block.frames, "frame") +
           " of an unfinished block, up to frame " +
           std::to_string(found->block.last_frame.get()) +
           " (starhist rdf --resume continues after it)";
  }
  return "checkpoint   " + file + ": " + what + '\n';
}

/// Prints a line for each pair of a result, with its numbers of pairs in and out of
/// range.
void print_pairs(const HistogramLayout& layout, const BlockCounts& sum, bool all) {
  const std::vector<double> numbers(sum.pairs.begin(), sum.pairs.end());
  const std::size_t most = all ? numbers.size() : most_pairs;
  const char* label = "pairs        ";
  if (numbers.size() > most) {
    std::cout << label << grouped(numbers.size()) << "; the most frequent"
              << " (--all lists all):\n";
    label = "             ";
  }
  for (const std::size_t p : largest(numbers, most)) {
    std::cout << label << pair_name(layout.pairs[p], layout.species) << ": "
              << grouped(sum.pairs[p]) << ", of these " << grouped(sum.out_of_range[p])
              << " beyond r_max";
    if (layout.bins.below > 0) {
      std::cout << ", " << grouped(sum.underflow[p]) << " below the first bin";
    }
    const std::string excluded = exclusion_sentence(layout.exclusion, sum.excluded[p]);
    std::cout << (excluded.empty() ? "" : "; " + excluded) << '\n';
    label = "             ";
  }
}

/// Prints the rules that are evaluated in each frame, and in how many frames they are
/// empty.
void print_selections(const HistogramLayout& layout, const BlockCounts& sum) {
  for (std::size_t s = 0; s < layout.selections.size(); ++s) {
    if (!layout.selections[s].empty()) {
      std::cout << "selection    " << layout.species[s] << " = " << layout.selections[s]
                << " (evaluated in each frame"
                << (sum.empty_frames[s] == 0
                        ? ""
                        : "; empty in " + counted(sum.empty_frames[s], "frame"))
                << ")\n";
    }
  }
}

void print_result(const io::ResultFile& result, bool all) {
  std::cout << result.path << ": starhist result"
            << (result.state == io::ResultState::partial ? partial_text(result.path)
                                                         : "")
            << '\n';
  const HistogramLayout& layout = result.layout;
  const std::string unit = unit_suffix(layout.length_unit);
  std::cout << "species      "
            << (all ? join(layout.species, ", ") : listed(layout.species, most_species))
            << elements_text(layout.species, layout.elements) << "\nbins         "
            << layout.bins.count
            << (layout.bins.uniform() ? " of " + six_digits(layout.bins.width()) + unit
                                      : std::string(" of unequal width"))
            << (layout.bins.below > 0
                    ? " from " + number_text(layout.bins.r_min()) + unit
                    : "")
            << " up to " << number_text(layout.bins.r_max) << unit
            << (result.edge_shift == 0.0
                    ? ", counted by an older version, which assigned distances "
                      "within a billionth of a bin below an edge to the lower bin"
                    : "");
  if (layout.plane != Plane::none) {
    std::cout << "\nplane        " << to_string(layout.plane)
              << " (distances in the plane; g(r) by areas)";
  }
  if (layout.second) {
    std::cout << "\nsecond axis  " << second_axis_text(layout.second)
              << " (starhist export --quantity axis2)";
  }
  if (layout.region.shape != Region::Shape::box) {
    std::cout << "\nvolume       g(r) has " << region_text(layout.region) << unit
              << (layout.region.shape == Region::Shape::volume && !unit.empty() ? "^3"
                                                                                : "");
  }
  print_external(result.external_files);
  std::cout << "\nblocks       " << result.blocks.size() << '\n';
  if (result.lost_blocks > 0) {
    std::cout << "lost blocks  " << result.lost_blocks
              << " at the end, incomplete: the run was killed while writing\n";
  }
  std::cout << checkpoint_text(result);
  if (result.blocks.empty()) {
    return;
  }
  const BlockCounts sum = total(result.blocks);
  const io::FrameRange range = io::frame_range(result.blocks);
  std::cout << "frames       " << sum.frames << " (" << range.first << " to "
            << range.last << ")\n";
  print_selections(layout, sum);
  print_pairs(layout, sum, all);
  for (const auto& [name, value] : result.record) {
    std::cout << record_line(name, value);
  }
}

}  // namespace

Manual info_manual() {
  return {
      .command = "info",
      .summary = "describe a trajectory or a result file",
      .synopsis = "FILE... [options]",
      .description =
          R"(Describes a trajectory (frames, species, properties to select particles by,
boxes, units, the largest r_max for which g(r) is defined) or a result file,
including a FILE.partial. Several trajectory files are read as one trajectory.)",
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
  problems.collect([&] { set_box(parsed.get("box"), reading); });
  problems.collect([&] { parse_particle_options(parsed, reading); });
  std::optional<JsonContents> json;
  problems.collect([&] { json = json_contents(parsed); });
  problems.throw_if_any("info");

  const auto is_any_result = [&](const std::string& path) {
    return io::is_result(path, reading.external) ||
           io::is_lag_result(path, reading.external) ||
           io::is_coordination_result(path, reading.external);
  };
  const std::size_t results =
      std::count_if(parsed.positional.begin(), parsed.positional.end(), is_any_result);
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
      if (io::is_lag_result(path, reading.external)) {
        io::LagResult lagged = io::read_lag_result(path, reading.external);
        if (json) {
          std::cout << result_json(lagged.channels, "vanhove");
          continue;
        }
        io::set_units(lagged, units);
        const bool partial = lagged.channels.state == io::ResultState::partial;
        std::cout << lag_result_text(lagged, partial ? partial_text(path) : "");
        continue;
      }
      if (io::is_coordination_result(path, reading.external)) {
        auto neighbours = io::read_coordination_result(path, reading.external);
        if (json) {
          std::cout << result_json(neighbours.file, "coordination");
          continue;
        }
        io::set_units(neighbours, units);
        const bool partial = neighbours.file.state == io::ResultState::partial;
        std::cout << coordination_text(neighbours, partial ? partial_text(path) : "");
        continue;
      }
      io::ResultFile result = io::read_result(path, reading.external);
      if (json) {
        std::cout << result_json(result, "rdf");
        continue;
      }
      io::set_units(result, units);
      print_result(result, parsed.has("all"));
    }
    return ExitCode::done;
  }
  if (results > 0) {
    throw InputError(std::to_string(results) + " of the " +
                     std::to_string(parsed.positional.size()) +
                     " files are starhist results, the others trajectories (give "
                     "either results or trajectories)");
  }
  const auto reader = io::open_trajectory(parsed.positional, reading);
  std::uint64_t unusable = 0;
  if (json) {
    std::cout << trajectory_json(*reader, reading, *json);
  } else {
    unusable = print_trajectory(*reader, reading, parsed.has("all"), units.out_unit);
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

}  // namespace starhist::driver
