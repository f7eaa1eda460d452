#include "driver/options/trajectory_options.hh"

#include <cmath>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/units.hh"
#include "driver/options/option_values.hh"
#include "io/particles/alternate_locations.hh"
#include "io/selection/species_groups.hh"
#include "io/trajectory/format_texts.hh"

namespace starhist::driver {
namespace {

/// The value of an option that is a time; empty if it is not given.
std::optional<double> parse_time(const std::string& name, const ParsedOptions& parsed) {
  if (!parsed.has(name)) {
    return std::nullopt;
  }
  const double time = parse_number("--" + name, parsed.get(name));
  if (!std::isfinite(time)) {
    throw InputError("--" + name + " " + parsed.get(name) + " is not a time");
  }
  return time;
}

}  // namespace

OptionSpec structure_option() {
  return {OptionGroup::input,
          "structure",
          "FILE",
          io::structure_help(),
          {.path = io::PathUse::read}};
}

OptionSpec altloc_option() {
  return {OptionGroup::input,
          "altloc",
          "WHICH",
          "alternate locations of atoms to read: first, all, or a letter; an atom "
          "without this letter is read at its first location",
          {.fallback = "first", .examples = {"first", "all", "A", "B"}}};
}

OptionSpec index_option() {
  return {OptionGroup::species,
          "index",
          "FILE",
          "GROMACS index file (.ndx), whose groups --species and --pairs can name",
          {.path = io::PathUse::read}};
}

OptionSpec aliases_option() {
  return {
      OptionGroup::species,
      "aliases",
      "FILE",
      "file with elements, for atoms without an element: an atom name and its element "
      "per line",
      {.path = io::PathUse::read}};
}

OptionSpec guess_elements_option() {
  return {OptionGroup::species, "guess-elements", "",
          "guess missing elements from atom names, and report the guesses"};
}

void parse_particle_options(const ParsedOptions& parsed, io::ReadOptions& reading) {
  reading.structure = parsed.get("structure");
  reading.altloc = io::parse_altloc(parsed.get("altloc"));
  reading.index = parsed.get("index");
  reading.aliases = parsed.get("aliases");
  reading.guess_elements = parsed.has("guess-elements");
  if (parsed.has("species")) {
    reading.species = io::parse_species_groups(
        parsed.get("species"),
        parsed.has("index") ? io::RuleNames::groups : io::RuleNames::species);
  }
}

OptionSpec group_option() {
  return {OptionGroup::input, "group", "NAME",
          "particle group to read if an H5MD file has several"};
}

OptionSpec unit_option() {
  return {OptionGroup::input,
          "unit",
          "UNIT",
          "length unit of files that do not specify one: nm, A, sigma, ...",
          {.examples = {"nm", "A", "sigma"}}};
}

OptionSpec time_unit_option() {
  return {OptionGroup::input,
          "time-unit",
          "UNIT",
          "time unit of files that do not specify one: ps, fs, ns, tau, ...",
          {.examples = {"ps", "fs", "ns", "tau"}}};
}

OptionSpec out_unit_option() {
  return {OptionGroup::output,
          "out-unit",
          "UNIT",
          "convert lengths to this unit: " + length_unit_names(),
          {.otherwise = "the file's", .examples = {"A", "nm", "pm"}}};
}

OptionElsewhere out_unit_elsewhere(const std::string& what) {
  return {"out-unit",
          what +
              " keeps the units of its files; to convert them, use --out-unit of "
              "starhist export, analyze, plot, peaks, report or info"};
}

std::string given_length_unit(const ParsedOptions& parsed) {
  return parsed.has("unit") ? parse_length_unit("--unit", parsed.get("unit")) : "";
}

std::string given_time_unit(const ParsedOptions& parsed) {
  return parsed.has("time-unit")
             ? parse_time_unit("--time-unit", parsed.get("time-unit"))
             : "";
}

io::ShownUnits shown_units(const ParsedOptions& parsed) {
  return {given_length_unit(parsed),
          parsed.has("out-unit")
              ? parse_shown_unit("--out-unit", parsed.get("out-unit"))
              : "",
          given_time_unit(parsed)};
}

OptionSpec box_option() {
  return {
      OptionGroup::input,
      "box",
      "BOX",
      "simulation box, one of: file (the box in the trajectory); none (open "
      "boundaries); a,b,c (edges of a rectangular box); a,b,c,alpha,beta,gamma (with "
      "angles in degrees); ax,ay,az,bx,by,bz,cx,cy,cz (edge vectors); or the path of a "
      "file "
      "with a box for each frame, such as CP2K's .cell",
      {.fallback = "file",
       .otherwise = "the box in the trajectory",
       .examples = {"file", "none"},
       .path = io::PathUse::read}};
}

void set_box(const std::string& text, io::ReadOptions& reading) {
  BoxChoice choice = parse_box_choice(text);
  reading.box = choice.box;
  reading.box_file = std::move(choice.file);
}

OptionSpec first_option() {
  return {OptionGroup::input,
          "first",
          "I",
          "first frame, counted from 0",
          {.fallback = "0"}};
}

OptionSpec last_option() {
  return {OptionGroup::input,
          "last",
          "I",
          "last frame, inclusive; a number beyond the last frame means the last",
          {.otherwise = "the last of the trajectory"}};
}

OptionSpec step_option() {
  return {OptionGroup::input, "step", "N", "every N-th frame", {.fallback = "1"}};
}

OptionSpec begin_option() {
  return {OptionGroup::input, "begin", "T",
          "frames at time T or later, in the file's time unit"};
}

OptionSpec end_option() {
  return {OptionGroup::input, "end", "T", "frames at time T or earlier"};
}

OptionSpec every_option() {
  return {
      OptionGroup::input, "every", "T",
      "frames at time T0, T0 + T, T0 + 2 T, ...; T0 is the time of the first selected "
      "frame"};
}

OptionSpec skip_bad_frames_option() {
  return {
      OptionGroup::input, "skip-bad-frames", "",
      "leave out unusable frames (exit code 3) instead of stopping at the first; an "
      "incomplete last frame is always left out, and the exit code is then 3 too"};
}

OptionSpec repeated_option() {
  return {OptionGroup::input,
          "repeated",
          "WHAT",
          "for frames whose time occurred before, in the same or an earlier file: drop "
          "(leave them out), keep (count them) or fail",
          {.fallback = "drop", .choices = {"drop", "keep", "fail"}}};
}

OptionSpec allow_external_option() {
  return {OptionGroup::input, "allow-external", "",
          "read HDF5 files that store data in other files"};
}

void parse_frame_options(const ParsedOptions& parsed, FrameSelection& frames,
                         TimeSelection& times, Problems& problems) {
  for (const auto& [number, time] :
       {std::pair{"first", "begin"}, std::pair{"last", "end"},
        std::pair{"step", "every"}}) {
    if (parsed.has(number) && parsed.has(time)) {
      problems.add(std::string("--") + number + " and --" + time +
                   " exclude each other (one counts frames, the other is a time)");
    }
  }
  problems.collect([&] { frames.first = parse_count("--first", parsed.get("first")); });
  problems.collect([&] {
    if (parsed.has("last")) {
      frames.last = parse_count("--last", parsed.get("last"));
      if (*frames.last < frames.first) {
        throw InputError("no frames are selected (--first " + parsed.get("first") +
                         ", --last " + parsed.get("last") + ")");
      }
    }
  });
  problems.collect([&] { frames.step = parse_positive("--step", parsed.get("step")); });
  problems.collect([&] { times.begin = parse_time("begin", parsed); });
  problems.collect([&] {
    times.end = parse_time("end", parsed);
    if (times.begin && times.end && *times.end < *times.begin) {
      throw InputError("no frames are selected (--begin " + parsed.get("begin") +
                       ", --end " + parsed.get("end") + ")");
    }
  });
  problems.collect([&] {
    times.every = parse_time("every", parsed);
    if (times.every && *times.every <= 0.0) {
      throw InputError("--every " + parsed.get("every") +
                       " is not a time between frames (must be more than 0)");
    }
  });
}

io::ExternalFiles external_files(const ParsedOptions& parsed) {
  return parsed.has("allow-external") ? io::ExternalFiles::followed
                                      : io::ExternalFiles::refused;
}

}  // namespace starhist::driver
