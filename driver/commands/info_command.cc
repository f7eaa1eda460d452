#include <algorithm>
#include <iostream>
#include <limits>
#include <map>
#include <string_view>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/report/particle_summary.hh"
#include "driver/run/exclusions.hh"
#include "io/output/output_lock.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/reader/units.hh"
#include "io/result/external_record.hh"
#include "io/result/result_reader.hh"
#include "io/selection/species_groups.hh"
#include "io/text/index_groups.hh"

namespace starhist::driver {
namespace {

std::string unit_suffix(const std::string& unit) {
  return unit.empty() ? "" : " " + unit;
}

/// Smallest and largest of the values added.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  /// False where no value but NaN was added.
  bool any() const { return low <= high; }
  std::string text() const {
    return low == high ? number_text(low)
                       : number_text(low) + " .. " + number_text(high);
  }
};

/// Properties of the frames that were read.
struct Survey {
  std::uint64_t frames = 0;
  std::map<std::string, std::uint64_t> box_kinds;
  std::vector<Range> particles;  // per species
  Range volume;
  Range inscribed_radius;
  Range covering_radius;
  Range time;
};

Survey survey(io::TrajectoryReader& reader, std::uint64_t most_frames) {
  const io::TrajectoryInfo& info = reader.info();
  Survey seen;
  seen.particles.resize(info.species.size());
  const std::uint64_t count = info.stream ? 1 : std::min(info.frame_count, most_frames);
  Frame frame;
  for (std::uint64_t k = 0; k < count; ++k) {
    // Evenly spread, the first and the last included.
    const std::uint64_t index =
        count == 1 ? 0 : k * (info.frame_count - 1) / (count - 1);
    reader.read(FrameIndex(index), frame);
    ++seen.frames;
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
    for (std::uint32_t s = 0; s < info.species.size(); ++s) {
      seen.particles[s].add(static_cast<double>(frame.particle_count(SpeciesId(s))));
    }
  }
  return seen;
}

/// Lines that say by which properties of the first frame particles can be selected, or
/// why that is not possible.
std::string selection_text(const std::string& path, io::ReadOptions reading) {
  reading.species.clear();
  reading.per_particle = true;
  try {
    const auto reader = io::open_trajectory({path}, reading);
    return reader->info().particles.count > 0
               ? particle_summary(reader->info().particles)
               : "select by    nothing: the first frame has no particles\n";
  } catch (const InputError& error) {
    return std::string("select by    nothing: ") + error.what() + "\n";
  }
}

/// A line for each other file in which data lie, each after a newline.
void print_external(const io::ExternalFileList& files) {
  for (const io::ExternalFile& file : files) {
    std::cout << "\ndata in      " << io::external_file_text(file);
  }
}

std::string time_text(const Range& time, const std::string& unit) {
  return time.any() ? time.text() + unit_suffix(unit) : "not said in the file";
}

void print_trajectory(io::TrajectoryReader& reader, const io::ReadOptions& reading,
                      std::uint64_t most_frames) {
  const io::TrajectoryInfo& info = reader.info();
  const Survey seen = survey(reader, most_frames);
  const std::string unit = unit_suffix(info.length_unit);
  std::cout << join(info.paths, ", ") << ": " << info.format << " trajectory"
            << (info.group.empty() ? "" : ", group " + info.group) << '\n'
            << "frames       "
            << (info.stream ? "as they come" : std::to_string(info.frame_count));
  if (seen.frames < info.frame_count && !info.stream) {
    std::cout << " (" << seen.frames << " of them looked at; --all for all)";
  }
  print_external(info.external_files);
  std::cout << "\ntime         " << time_text(seen.time, info.time_unit)
            << "\nlength unit  "
            << (info.length_unit.empty() ? "not said in the file" : info.length_unit)
            << "\nspecies      ";
  for (std::size_t s = 0; s < info.species.size(); ++s) {
    std::cout << (s == 0 ? "" : ", ") << info.species[s] << ": "
              << seen.particles[s].text();
  }
  std::cout << '\n';
  if (!info.stream) {  // which cannot be opened again
    std::cout << selection_text(info.paths.front(), reading);
  }
  if (!reading.index.empty()) {
    std::cout << "groups       " << join(io::IndexGroups(reading.index).names(), ", ")
              << '\n';
  }
  std::cout << "box          ";
  const char* separator = "";
  for (const auto& [kind, frames] : seen.box_kinds) {
    std::cout << separator << kind;
    if (seen.box_kinds.size() > 1) {
      std::cout << " in " << frames << " frames";
    }
    separator = ", ";
  }
  if (seen.volume.low > 0.0) {
    std::cout << "\nvolume       " << seen.volume.text()
              << (unit.empty() ? "" : unit + "^3") << "\nlargest r    "
              << number_text(seen.inscribed_radius.low) << unit
              << " for g(r) (half the shortest lattice vector)\n             "
              << number_text(seen.covering_radius.low) << unit
              << " is the largest distance that there is";
  }
  std::cout << '\n';
}

/// Whether the run that writes a partial result is still at work.
std::string partial_text(const std::string& path) {
  constexpr std::string_view suffix = ".partial";
  if (path.ends_with(suffix)) {
    if (const auto holder =
            io::holder_of_output(path.substr(0, path.size() - suffix.size()))) {
      return ", partial (the run goes on: " + *holder + ")";
    }
  }
  return ", partial (the run did not finish)";
}

void print_result(const io::ResultFile& result) {
  std::cout << result.path << ": starhist result"
            << (result.state == io::ResultState::partial ? partial_text(result.path)
                                                         : "")
            << '\n';
  const HistogramLayout& layout = result.layout;
  const std::string unit = unit_suffix(layout.length_unit);
  std::cout << "species      " << join(layout.species, ", ") << "\nbins         "
            << layout.bins.count << " of " << number_text(layout.bins.width()) << unit
            << (layout.bins.below > 0
                    ? " from " + number_text(layout.bins.r_min()) + unit
                    : "")
            << " up to " << number_text(layout.bins.r_max) << unit;
  print_external(result.external_files);
  std::cout << "\nblocks       " << result.blocks.size() << '\n';
  if (result.lost_blocks > 0) {
    std::cout << "lost blocks  " << result.lost_blocks
              << " at the end, not whole: the run was killed while it wrote\n";
  }
  if (result.blocks.empty()) {
    return;
  }
  const BlockCounts sum = total(result.blocks);
  std::cout << "frames       " << sum.frames << " (" << sum.first_frame.get() << " to "
            << sum.last_frame.get() << ")\n";
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    std::cout << (p == 0 ? "pairs        " : "             ")
              << pair_name(layout.pairs[p], layout.species) << ": "
              << grouped(sum.pairs[p]) << ", of these " << grouped(sum.out_of_range[p])
              << " out of range";
    if (layout.bins.below > 0) {
      std::cout << ", " << grouped(sum.underflow[p]) << " nearer than the bins";
    }
    const std::string excluded = exclusion_sentence(layout.exclusion, sum.excluded[p]);
    std::cout << (excluded.empty() ? "" : "; " + excluded) << '\n';
  }
  for (const auto& [name, value] : result.record) {
    std::cout << "  " << name << ": " << value << '\n';
  }
}

}  // namespace

Manual info_manual() {
  return {
      .command = "info",
      .summary = "what is in a trajectory or a result file",
      .synopsis = "FILE...",
      .description =
          R"(What is in a trajectory (frames, species, what to select particles by, boxes,
units, the largest r_max for which g(r) is defined) or in a result file, also a
FILE.partial.)",
      .options = {group_option(),
                  {"species", "RULES", "make species by rules (starhist rdf --help)"},
                  structure_option(),
                  index_option(),
                  aliases_option(),
                  guess_elements_option(),
                  unit_option(),
                  box_option(),
                  allow_external_option(),
                  {"all", "", "look at every frame, not at 1000 of them"}},
      .sections = {{"examples",
                    "  starhist info water.h5\n"
                    "  starhist info rdf.h5\n"}}};
}

ExitCode run_info(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto given = parse_unless_help(info_manual(), arguments, problems);
  if (!given) {
    return ExitCode::done;
  }
  const ParsedOptions& parsed = *given;
  if (parsed.positional.empty()) {
    problems.add("no file is given");
  }
  io::ReadOptions reading;
  reading.group = parsed.get("group");
  reading.length_unit = io::unit_spelling(parsed.get("unit"));
  reading.external = external_files(parsed);
  problems.collect([&] { reading.box = parse_box(parsed.get("box")); });
  problems.collect([&] { parse_particle_options(parsed, reading); });
  problems.throw_if_any("info");

  if (parsed.positional.size() == 1 &&
      io::is_result(parsed.positional.front(), reading.external)) {
    print_result(io::read_result(parsed.positional.front(), reading.external));
    return ExitCode::done;
  }
  const auto reader = io::open_trajectory(parsed.positional, reading);
  constexpr std::uint64_t sample = 1000;
  print_trajectory(*reader, reading,
                   parsed.has("all") ? reader->info().frame_count : sample);
  for (const std::string& sentence : reader->info().remarks) {
    std::cerr << "starhist: " << sentence << '\n';
  }
  for (const std::string& sentence : reader->info().truncation) {
    std::cerr << "starhist: " << sentence << '\n';
  }
  return reader->info().truncation.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

}  // namespace starhist::driver
