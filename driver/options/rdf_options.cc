#include "driver/options/rdf_options.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/default_bins.hh"
#include "driver/options/output_option.hh"
#include "driver/options/planning_options.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/run/run_checks.hh"
#include "io/selection/species_groups.hh"
#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::driver {
namespace {

double parse_volume(const std::string& text) {
  const double volume = parse_number("--volume", text);
  if (!std::isfinite(volume) || volume <= 0.0) {
    throw InputError("--volume " + text +
                     " is not a volume (must be finite and positive)");
  }
  return volume;
}

SelectionPart parse_part(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) {
    throw InputError("--part " + text +
                     " is not of the form I/N (such as 2/8, the second of 8 parts)");
  }
  const SelectionPart part{
      parse_positive("--part " + text + ":", text.substr(0, slash)),
      parse_positive("--part " + text + ":", text.substr(slash + 1))};
  if (part.number > part.count) {
    throw InputError("--part " + text + ": the parts are 1/" +
                     std::to_string(part.count) + " to " + std::to_string(part.count) +
                     "/" + std::to_string(part.count));
  }
  return part;
}

Exclusion parse_exclusion_options(const ParsedOptions& parsed) {
  if (parsed.has("exclude-same") && parsed.has("only-same")) {
    throw InputError("--exclude-same and --only-same exclude each other");
  }
  const std::string option = parsed.has("only-same") ? "only-same" : "exclude-same";
  if (!parsed.has(option)) {
    return Exclusion::none;
  }
  try {
    const Compound unit = parse_compound(parsed.get(option));
    return option == "only-same" ? only_same(unit) : exclude_same(unit);
  } catch (const InputError& error) {
    throw InputError("--" + option + " " + error.what());
  }
}

Plane parse_plane_option(const std::string& text) {
  try {
    return parse_plane(text);
  } catch (const InputError& error) {
    throw InputError(std::string("--plane ") + error.what());
  }
}

/// Sets the open axes and the region. Throws InputError for contradictions.
void parse_space_options(const ParsedOptions& parsed, RdfOptions& options) {
  for (const char* option : {"open", "volume", "geometry"}) {
    if (parsed.has(option) && options.reading.plane != Plane::none) {
      throw InputError("--plane and --" + std::string(option) +
                       " exclude each other (g(r) in a plane needs its area): give one "
                       "of them");
    }
  }
  if (parsed.has("open") && parsed.get("box") == "none") {
    throw InputError("--open and --box " + parsed.get("box") +
                     " exclude each other (without a box no axis can be opened): omit "
                     "one of them");
  }
  const std::vector<std::string> axes = split_list(parsed.get("open"));
  for (const std::string& axis : axes) {
    const std::size_t k = axis.size() == 1 ? std::string("xyz").find(axis) : 3;
    if (k >= 3) {
      throw InputError("--open " + parsed.get("open") +
                       " is not a list of axes: give x, y or z, such as x,z");
    }
    options.reading.open[k] = true;
  }
  if (parsed.has("volume") && parsed.has("geometry")) {
    throw InputError(
        "--volume and --geometry exclude each other (the geometry defines the volume): "
        "give one of them");
  }
  if (parsed.has("extent") && !parsed.has("geometry")) {
    throw InputError(
        "--extent is the thickness of a slab or the radius of a cylinder: give "
        "--geometry slab or --geometry cylinder");
  }
  if (parsed.has("volume")) {
    options.region = {Region::Shape::volume, parse_volume(parsed.get("volume"))};
  }
  if (parsed.has("geometry")) {
    const std::string name = parsed.get("geometry");
    if (name != "slab" && name != "cylinder") {
      throw InputError("--geometry '" + name + "' is unknown: give slab or cylinder");
    }
    options.region = {
        parse_shape(name),
        parsed.has("extent") ? parse_length("--extent", parsed.get("extent")) : 0.0};
  }
}

void parse_second_axis_options(const ParsedOptions& parsed, RdfOptions& options) {
  if (!parsed.has("axis2")) {
    for (const std::string option : {"axis2-bins", "axis2-max"}) {
      if (parsed.has(option)) {
        throw InputError("--" + option +
                         " needs --axis2, the quantity that it divides");
      }
    }
    return;
  }
  if (parsed.has("explain")) {
    throw InputError(
        "--explain predicts runs without --axis2, which take much longer: leave it "
        "out");
  }
  if (parsed.get("cpu-mode", "core") == "team") {
    throw InputError(
        "--axis2 is counted by single cores, not by teams: leave out --cpu-mode team");
  }
  try {
    options.second = parse_second_axis(parsed.get("axis2"));
  } catch (const InputError& error) {
    throw InputError(std::string("--axis2 ") + error.what());
  }
  if (parsed.has("axis2-bins")) {
    const std::uint64_t bins = parse_positive("--axis2-bins", parsed.get("axis2-bins"));
    if (bins > most_second_bins) {
      throw InputError("--axis2-bins " + parsed.get("axis2-bins") +
                       " is too many (at most " + std::to_string(most_second_bins) +
                       "): give fewer");
    }
    options.second->count = static_cast<std::uint32_t>(bins);
  }
  if (parsed.has("axis2-max")) {
    options.second->limit = parse_length("--axis2-max", parsed.get("axis2-max"));
  }
}

/// The values of the options for bins; --centred halves the width.
BinTexts bin_texts(const ParsedOptions& parsed) {
  BinTexts given{parsed.get("r-min"), parsed.get("r-max"), parsed.get("bins"),
                 parsed.get("bin-width"), parsed.get("box") == "none"};
  if (!parsed.has("centred")) {
    return given;
  }
  if (!given.r_min.empty()) {
    throw InputError(
        "--centred and --r-min exclude each other (centred bins start at r = 0)");
  }
  if (given.bins.empty() == given.bin_width.empty()) {
    throw InputError(
        given.bins.empty()
            ? "--centred needs the bin width (give --bin-width W or --bins N)"
            : "--bins and --bin-width exclude each other");
  }
  if (given.bins.empty()) {
    given.bin_width = number_text(0.5 * parse_length("--bin-width", given.bin_width));
  } else {
    given.bins = std::to_string(2 * parse_positive("--bins", given.bins));
  }
  return given;
}

/// Sets the bins, or how to choose the missing part of them. Throws InputError for one
/// of the problems, and adds the others.
void parse_bin_options(const ParsedOptions& parsed, RdfOptions& options,
                       Problems& problems) {
  if (parsed.has("edges")) {
    for (const char* other : {"bins", "bin-width", "r-min", "r-max", "centred"}) {
      if (parsed.has(other)) {
        throw InputError(std::string("--edges and --") + other +
                         " exclude each other (the edges define all bins)");
      }
    }
    options.bins = parse_edges(parsed.get("edges"));
    return;
  }
  if (parsed.has("centred")) {
    check_equal_bins("--centred", parsed.get("bins"));
  }
  const BinTexts given = bin_texts(parsed);
  std::optional<double> r_max;
  if (!given.r_max.empty()) {
    problems.collect([&] { r_max = parse_r_max(given.r_max); });
  }
  if (is_complete(given)) {
    options.bins = parse_bins(given.r_min, r_max, given.bins, given.bin_width)
                       .value_or(UniformBins());
    return;
  }
  const bool has_width = !given.bins.empty() || !given.bin_width.empty();
  parse_bins(given.r_min, {}, has_width ? given.bins : "1", given.bin_width);
  options.choose_bins = [given](const Frame& frame, const std::string& length_unit) {
    return choose_bins(given, frame, length_unit);
  };
}

/// Sets how species are made without rules.
void parse_default_species(const ParsedOptions& parsed, RdfOptions& options) {
  if (parsed.has("by") && parsed.has("species")) {
    throw InputError("--by and --species exclude each other");
  }
  if (parsed.has("by") && parsed.has("index")) {
    throw InputError(
        "--by and --index exclude each other (the groups are the species)");
  }
  if (parsed.has("all-pairs") && parsed.has("pairs")) {
    throw InputError("--all-pairs and --pairs exclude each other");
  }
  options.all_pairs = parsed.has("all-pairs") || parsed.has("by");
  if (parsed.has("by")) {
    try {
      options.reading.by = io::parse_species_by(parsed.get("by"));
    } catch (const InputError& error) {
      throw InputError(std::string("--by ") + error.what());
    }
  }
}

/// Sets the CPU and the CUDA variant from a list.
void parse_variants(const std::string& text, RdfOptions& options) {
  std::string cpu;
  std::string gpu;
  const auto set = [&](std::string& variant, const std::string& name) {
    if (!variant.empty()) {
      throw InputError("--variant " + text + " names two kernels of one kind, " +
                       variant + " and " + name +
                       " (a run has one on CPUs and one on GPUs): give one of them");
    }
    variant = name;
  };
  for (const std::string& name :
       text.empty() ? std::vector<std::string>() : split_list(text)) {
    std::vector<std::string> names{"tensor", "fixed-point", "definition"};
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      set(gpu, name);
    } else {
      for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
        names.push_back(variant.name);
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw InputError("--variant '" + name + "' is not one of " + join(names, ", ") +
                         did_you_mean(name, names));
      }
      set(cpu, kernels::cpu::find_variant(name).name);
    }
  }
  options.kernels.cpu_variant = cpu;
  options.kernels.cuda_variant = gpu.empty() ? options.kernels.cuda_variant : gpu;
}

/// Parses the options of a resumable result.
void parse_output_options(const ParsedOptions& parsed, RdfOptions& options,
                          Problems& problems) {
  options.output = parsed.get("output");
  options.overwrite = parsed.has("force");
  options.resume = parsed.has("resume");
  // Other commands lack some of the options, and then have their defaults.
  const std::string checkpoint = parsed.get("checkpoint");
  if (!checkpoint.empty() || parsed.has("checkpoint")) {
    problems.collect(
        [&] { options.checkpoint_seconds = parse_checkpoint(checkpoint); });
  }
}

/// Parses the options of reading the inputs.
void parse_reading_options(const ParsedOptions& parsed, RdfOptions& options,
                           Problems& problems) {
  options.reading.group = parsed.get("group");
  options.reading.external = external_files(parsed);
  options.bad_frames =
      parsed.has("skip-bad-frames") ? BadFrames::skip : BadFrames::fail;
  problems.collect([&] { options.reading.length_unit = given_length_unit(parsed); });
  problems.collect([&] { options.reading.time_unit = given_time_unit(parsed); });
  problems.collect([&] { parse_particle_options(parsed, options.reading); });
}

void parse_verbosity(const ParsedOptions& parsed, RdfOptions& options,
                     Problems& problems) {
  options.verbosity = parsed.has("quiet")     ? Verbosity::quiet
                      : parsed.has("verbose") ? Verbosity::verbose
                                              : Verbosity::normal;
  problems.collect([&] {
    if (parsed.has("quiet") && parsed.has("verbose")) {
      throw InputError("--quiet and --verbose contradict each other (give one)");
    }
  });
  options.explain = parsed.has("explain");
}

/// Sets the files of the summary and the tasks.
void parse_side_files(const ParsedOptions& parsed, RdfOptions& options) {
  options.json = parsed.get("json");
  options.trace = parsed.get("trace");
  options.written_later = {{options.json, io::PathUse::written, "--json"},
                           {options.trace, io::PathUse::written, "--trace"}};
  options.counting.record_tasks = !options.trace.empty();
}

void check_written_files(const RdfOptions& options, Problems& problems) {
  if (!options.explain) {
    check_output(options.output, problems);
    check_result_name(options.output, problems);
  }
  for (const auto& [option, file] :
       {std::pair("--json", options.json), std::pair("--trace", options.trace)}) {
    problems.collect([&, name = option, path = file] {
      check_text_name(name, path);
      check_side_file(name, path);
    });
  }
}

/// Parses the options of the counted pairs.
void parse_pair_options(const ParsedOptions& parsed, RdfOptions& options,
                        Problems& problems) {
  options.pairs = parsed.get("pairs");
  problems.collect([&] { parse_bin_options(parsed, options, problems); });
  problems.collect([&] { options.exclusion = parse_exclusion_options(parsed); });
  problems.collect([&] { set_box(parsed.get("box"), options.reading); });
  problems.collect([&] {
    if (parsed.has("plane")) {
      options.reading.plane = parse_plane_option(parsed.get("plane"));
    }
  });
  problems.collect([&] { parse_space_options(parsed, options); });
  problems.collect([&] { parse_second_axis_options(parsed, options); });
}

/// Parses the options of the selected frames and their blocks.
void parse_selection_options(const ParsedOptions& parsed, RdfOptions& options,
                             Problems& problems) {
  problems.collect([&] {
    options.reading.repeated = io::parse_repeated_frames(parsed.get("repeated"));
  });
  parse_frame_options(parsed, options.frames, options.times, problems);
  problems.collect([&] {
    if (parsed.has("part")) {
      options.part = parse_part(parsed.get("part"));
    }
  });
  options.choose_block_length = !parsed.has("block") && !parsed.has("blocks");
  problems.collect([&] {
    if (parsed.has("block")) {
      options.counting.frames_per_block = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(parse_positive("--block", parsed.get("block")),
                                  std::numeric_limits<std::uint32_t>::max()));
    }
  });
  problems.collect([&] {
    if (!parsed.has("blocks")) {
      return;
    }
    if (parsed.has("block")) {
      throw InputError(
          "--block and --blocks exclude each other (frames per block, and number of "
          "blocks)");
    }
    options.blocks = parse_positive("--blocks", parsed.get("blocks"));
  });
}

/// Parses the options of the execution, which change no count.
void parse_execution_options(const ParsedOptions& parsed, RdfOptions& options,
                             Problems& problems) {
  problems.collect([&] {
    if (parsed.has("memory")) {
      options.counting.memory_bytes = parse_memory(parsed.get("memory"));
    }
  });
  problems.collect([&] {
    if (parsed.has("task-pairs")) {
      options.counting.most_pairs_per_task =
          parse_positive("--task-pairs", parsed.get("task-pairs"));
    }
  });
  problems.collect([&] {
    options.counting.clusters = parse_clustering(parsed.get("clusters", "auto"));
  });
  problems.collect(
      [&] { options.counting.labels = parse_labelling(parsed.get("labels", "auto")); });
  problems.collect([&] {
    options.cpu_mode = tasks::parse_cpu_mode(parsed.get("cpu-mode", "core"));
  });
  problems.collect([&] { parse_variants(parsed.get("variant"), options); });
}

}  // namespace

void add_options_of_rdf(std::span<const char* const> except,
                        std::vector<OptionSpec>& options) {
  for (const OptionSpec& option : rdf_manual().options) {
    if (std::find(except.begin(), except.end(), option.name) == except.end()) {
      options.push_back(option);
    }
  }
}

Manual without_options_of_rdf(Manual manual) {
  const auto has = [](const auto& list, const std::string& name, auto name_of) {
    return std::any_of(list.begin(), list.end(),
                       [&](const auto& item) { return name_of(item) == name; });
  };
  for (const OptionSpec& option : rdf_manual().options) {
    const std::string name = long_name(option);
    if (!has(manual.options, name, long_name) &&
        !has(manual.elsewhere, name, [](const OptionElsewhere& o) { return o.name; })) {
      manual.elsewhere.push_back({name, "starhist rdf has it, but starhist " +
                                            manual.command +
                                            " does not (leave it out)"});
    }
  }
  return manual;
}

std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments,
                                            bool writes) {
  return parse_run_options(rdf_manual(), arguments, writes);
}

std::optional<RdfOptions> parse_run_options(
    const Manual& manual, const std::vector<std::string>& arguments, bool writes,
    const std::function<void(const ParsedOptions&, RdfOptions&, Problems&)>& further) {
  Problems problems;
  const auto given = parse_unless_help(manual, arguments, problems);
  if (!given) {
    return std::nullopt;
  }
  const ParsedOptions& parsed = *given;
  RdfOptions options;
  options.inputs = parsed.positional;
  if (options.inputs.empty()) {
    problems.add(no_file_problem(manual, "trajectory"));
  }
  parse_output_options(parsed, options, problems);
  parse_side_files(parsed, options);
  parse_reading_options(parsed, options, problems);
  problems.collect([&] { parse_default_species(parsed, options); });
  parse_verbosity(parsed, options, problems);
  if (writes) {
    check_written_files(options, problems);
  }
  parse_pair_options(parsed, options, problems);
  parse_selection_options(parsed, options, problems);
  parse_execution_options(parsed, options, problems);
  if (further) {
    further(parsed, options, problems);
  }
  problems.throw_if_any(manual.command);

  for (const auto& [name, value] : parsed.values) {
    options.as_written.emplace_back("option --" + name, value);
  }
  return options;
}

}  // namespace starhist::driver
