#include "driver/options/rdf_options.hh"

#include <algorithm>
#include <limits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/counting_options.hh"
#include "driver/options/default_bins.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/run/run_checks.hh"
#include "io/selection/species_groups.hh"
#include "io/trajectory/format_texts.hh"
#include "io/trajectory/repeated_frames.hh"

namespace starhist::driver {
namespace {

std::vector<OptionSpec> rdf_options() {
  using enum OptionGroup;
  return {
      structure_option(),
      altloc_option(),
      index_option(),
      aliases_option(),
      guess_elements_option(),
      group_option(),
      unit_option(),
      time_unit_option(),
      box_option(),
      allow_external_option(),
      first_option(),
      last_option(),
      step_option(),
      begin_option(),
      end_option(),
      every_option(),
      repeated_option(),
      {OptionGroup::input, "part", "I/N",
       "part I of N of these frames, divided at block boundaries: run one job per "
       "part, then starhist merge"},
      skip_bad_frames_option(),
      {species, "species", "RULES",
       "define species, named sets of particles: A=X Y, species A made of the file's "
       "species X and Y; or A=SELECTION (see below); several separated by ;"},
      {species,
       "by",
       "WHAT",
       "property that defines the species if --species is not given: name, type, "
       "element, resname, chain, segment, molecule (each molecule is a species) or all "
       "(one species)",
       {.otherwise = "the file's species; element if there are more than 40",
        .choices = {"name", "type", "element", "resname", "chain", "segment",
                    "molecule", "all", "file"}}},
      {counting,
       "r-max",
       "R",
       "count distances below R, in the file's length unit",
       {.otherwise =
            "99 % of the largest r at which g(r) is defined in the first frame"}},
      {counting, "bins", "N",
       "number of bins between 0 and R; or log:N, N bins of equal ratio of their edges "
       "between R0 (--r-min) and R"},
      bin_width_option(),
      {counting, "edges", "LIST",
       "instead of --bins and --r-max: rising edges of the bins, as a list such as "
       "0,0.1,0.25 or the path of a text file"},
      {counting, "r-min", "R0",
       "lower edge of the first bin, a multiple of the bin width; --bins is then the "
       "number of bins between R0 and R"},
      {counting, "centred", "",
       "count in bins of half the given width; starhist export --like gmx merges them "
       "in pairs into bins centred at multiples of --bin-width, as gmx rdf does"},
      pairs_option(),
      {counting,
       "plane",
       "PLANE",
       "measure distances in the plane xy, xz or yz: g(r) by areas of annuli, the "
       "third axis open",
       {.examples = {"xy", "xz", "yz"}}},
      {counting, "open", "AXES",
       "open these axes of the box, x, y and z: distances have no images along them"},
      {counting, "volume", "V",
       "volume in which the particles of an open box are, for g(r), in the file's "
       "length unit cubed"},
      {counting,
       "geometry",
       "SHAPE",
       "normalise g(r) by the ideal gas in a slab (one open axis) or in a cylinder "
       "(two open axes)",
       {.choices = {"slab", "cylinder"}}},
      {counting,
       "extent",
       "LENGTH",
       "thickness of the slab, or radius of the cylinder",
       {.otherwise = "measured in the first frame"}},
      {counting,
       "axis2",
       "AXIS",
       "also count pairs by a second quantity: cos(z), the cosine of the angle between "
       "the pair and the axis z; dz, its distance along z (likewise with x and y); or "
       "cos(vector A->B), the angle to the vector from atom A to atom B of the first "
       "particle's residue",
       {.examples = {"cos(z)", "dz"}}},
      {counting,
       "axis2-bins",
       "N",
       "number of bins of the second quantity",
       {.otherwise = "21 for cosines, 50 for distances"}},
      {counting, "all-pairs", "",
       "count all pairs of the file's species, even if there are more than 40"},
      {counting,
       "exclude-same",
       "UNIT",
       "leave out pairs of the same molecule or residue",
       {.choices = {"molecule", "residue"}}},
      {counting,
       "only-same",
       "UNIT",
       "count only pairs of the same molecule or residue",
       {.choices = {"molecule", "residue"}}},
      {output,
       "output,o",
       "FILE",
       "result file (HDF5); named FILE.partial until it is complete",
       {.path = io::PathUse::grown}},
      {output, "force,f", "",
       "replace an existing FILE and the FILE.partial of an earlier run"},
      {output,
       "block",
       "N",
       "frames per block; counts are stored per block, for standard errors",
       {.otherwise = "chosen for 16 to 24 nearly equal blocks; 100 for a running "
                     "simulation"}},
      {output, "blocks", "N",
       "instead of --block: at most N blocks, all but the last of equal length"},
      {output,
       "json",
       "FILE",
       "also write the summary as JSON",
       {.path = io::PathUse::written}},
      {running,
       "memory",
       "GiB",
       "memory limit for frames and counts",
       {.otherwise = "half of the machine's memory"}},
      {running, "resume", "", "resume a stopped or killed run from FILE.partial"},
      {running,
       "checkpoint",
       "SECONDS",
       "checkpoint interval: the most work a killed run can lose",
       {.fallback = "60"}},
      {running, "explain", "", "print the execution plan and exit"},
      {running, "quiet,q", "", "print neither progress nor summary"},
      {running, "verbose", "", "add kernels, workers and their speeds to the summary"},
      {expert,
       "cpu-mode",
       "MODE",
       "core: one worker per core; team: one OpenMP worker per NUMA domain",
       {.fallback = "core", .choices = {"core", "team"}}},
      tiles_option(),
      labels_option(),
      task_pairs_option(),
      {expert,
       "variant",
       "NAME,...",
       "kernel: avx512, avx2, neon or baseline on CPUs; tensor, fixed-point or "
       "definition on "
       "GPUs",
       {.examples = {"avx512", "avx2", "neon", "baseline", "tensor", "fixed-point",
                     "definition"}}},
      {expert,
       "trace",
       "FILE",
       "write one CSV line per task",
       {.path = io::PathUse::written}}};
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
    if (parsed.has(option) && options.plane != Plane::none) {
      throw InputError("--plane and --" + std::string(option) +
                       " exclude each other (g(r) in a plane needs its area): give one "
                       "of them");
    }
  }
  const std::vector<std::string> axes = split_list(parsed.get("open"));
  if (parsed.has("open") && axes.empty()) {
    throw InputError("--open has no axes: give x, y or z, such as x,z");
  }
  for (const std::string& axis : axes) {
    const std::size_t k = axis.size() == 1 ? std::string("xyz").find(axis) : 3;
    if (k >= 3) {
      throw InputError("--open " + parsed.get("open") +
                       " is not a list of axes: give x, y or z, such as x,z");
    }
    options.open[k] = true;
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
    options.region = {Region::Shape::volume,
                      parse_length("--volume", parsed.get("volume"))};
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
    if (parsed.has("axis2-bins")) {
      throw InputError("--axis2-bins needs --axis2, the quantity that it divides");
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
        "--centred needs either --bin-width or --bins, whose bins it halves");
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
      options.species_by = io::parse_species_by(parsed.get("by"));
    } catch (const InputError& error) {
      throw InputError(std::string("--by ") + error.what());
    }
  }
}

/// Sets the CPU and the CUDA variant from a list; the last one of a kind counts.
void parse_variants(const std::string& text, RdfOptions& options) {
  for (const std::string& name :
       text.empty() ? std::vector<std::string>() : split_list(text)) {
    std::vector<std::string> names{"tensor", "fixed-point", "definition"};
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      options.cuda_variant = name;
    } else {
      for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
        names.push_back(variant.name);
      }
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        throw InputError("--variant '" + name + "' is not one of " + join(names, ", ") +
                         did_you_mean(name, names));
      }
      options.cpu_variant = kernels::cpu::find_variant(name).name;
    }
  }
}

}  // namespace

Manual rdf_manual() {
  return {
      .command = "rdf",
      .summary = "count the pairs of a trajectory, write a result file",
      .synopsis = "TRAJ... -o OUT.h5 [options]",
      .description =
          R"(Counts the distances between all pairs of particles in every frame, and writes a
histogram and g(r) for each pair of species. Counts are exact: each distance is
in the bin that double precision gives, on every machine. A species is a named
set of particles, by default an atom name, type or element of the file. Frames
are counted in blocks of consecutive frames, which give standard errors.

)" + io::formats_help(),
      .options = rdf_options(),
      .sections =
          {{R"(selections for --species, as in "OW=name OW; S=element S and not resname LIG")",
            R"(  A selection joins conditions by and, or, not. TERM is one condition, or a
  selection in brackets.
  name, type, element, resname OW H* C?   words, with wildcards
  chain, segment, icode, altloc A         words; icode is the insertion code
  resid, molecule, id, index 1-100 205    numbers as in the file; index from 1
  type, molecule, id 1*3 *3 2*            ranges as in LAMMPS; 2* is open-ended
  species 1 2                             species of the file
  group Protein SOL                       groups of the --index file; a rule may
      also be a group name only: --species "SOL; NA"
  protein, backbone, water, ion           by residue name (lists: docs/how-to)
  mass > 12, charge < 0                   also <= >= == !=
  same residue|molecule|chain as TERM     all particles of the residues,
      molecules or chains that contain a particle of TERM
  all, and, or, not, ( )                  precedence: not, then and, then or
  z < 2, x > 1 and x < 3                  coordinates as stored, in each frame
  within 0.35 of TERM, beyond 1 of TERM   particles at most 0.35 (within) or
      more than 1 (beyond) from the nearest particle of TERM, by nearest images,
      in each frame, in the file's length unit; particles of TERM are within
  res_com of, mol_com of, res_cog of, mol_cog of SELECTION
      centre of mass (com) or geometry (cog) of the selected atoms of each
      residue or molecule, made whole across boundaries: "W=res_com of all"
  starhist info FILE lists the properties that a file provides. Particles that
  no rule selects are left out. A particle may belong to several species; it is
  never paired with itself. Words in double quotes are taken literally.
)"},
           {"examples", R"(  all pairs, up to 99 % of half the shortest lattice vector:
    starhist rdf water.h5 -o rdf.h5
  all pairs up to 1.2 nm in 240 bins:
    starhist rdf water.h5 -o rdf.h5 --r-max 1.2 --bins 240
  only O-O, every 10th frame from frame 1000, blocks of 50 frames:
    starhist rdf water.h5 -o oo.h5 --r-max 1.2 --bin-width 0.005 \
      --pairs O-O --first 1000 --step 10 --block 50
  types 1 and 2 of a LAMMPS dump in Angstrom are O and H:
    starhist rdf water.dump --species "O=1; H=2" --unit A -o rdf.h5 \
      --r-max 12 --bins 240
  GROMACS water, with the atom names of the topology:
    starhist rdf md.xtc --structure md.tpr -o rdf.h5 --r-max 1 --bins 200 \
      --species "O=OW; H=HW1 HW2" --pairs O-O,O-H
  water oxygen and the centres of mass of ligand molecules:
    starhist rdf run.dump --species "OW=type 1; L=mol_com of type 5-9" \
      -o rdf.h5 --r-max 12 --bins 240
  water oxygen in the first shell of ions, selected in each frame:
    starhist rdf md.xtc --structure md.tpr -o shell.h5 \
      --species "shell=name OW and within 0.35 of ion; OW=name OW"
  only pairs of different molecules, from 2 A:
    starhist rdf run.dump -o inter.h5 --exclude-same molecule \
      --r-min 2 --r-max 12 --bin-width 0.05
  open boundaries, whatever box the file has:
    starhist rdf cluster.h5 -o p.h5 --r-max 30 --bins 3000 --box none
)"},
           {"exit codes",
            R"(  0 success, 1 invalid usage or input, 2 run-time failure, 3 finished but frames
  were left out, 4 stopped by a signal (continue with --resume)
)"},
           {"environment",
            R"(  STARPU_SCHED, STARPU_NCPU and StarPU's other variables apply;
  STARHIST_CPU_VARIANT selects the CPU kernel.
)"}},
      .elsewhere = {out_unit_elsewhere("a result")}};
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
  options.output = parsed.get("output");
  options.overwrite = parsed.has("force");
  options.resume = parsed.has("resume");
  // Other commands lack some of the options, and then have their defaults.
  const std::string checkpoint = parsed.get("checkpoint");
  if (!checkpoint.empty() || parsed.has("checkpoint")) {
    problems.collect(
        [&] { options.checkpoint_seconds = parse_checkpoint(checkpoint); });
  }
  options.pairs = parsed.get("pairs");
  options.group = parsed.get("group");
  options.external = external_files(parsed);
  options.json = parsed.get("json");
  options.trace = parsed.get("trace");
  options.written_later = {{options.json, io::PathUse::written, "--json"},
                           {options.trace, io::PathUse::written, "--trace"}};
  options.record_tasks = !options.trace.empty();
  options.bad_frames =
      parsed.has("skip-bad-frames") ? BadFrames::skip : BadFrames::fail;
  problems.collect([&] { options.length_unit = given_length_unit(parsed); });
  problems.collect([&] { options.time_unit = given_time_unit(parsed); });
  problems.collect([&] {
    io::ReadOptions particles;
    parse_particle_options(parsed, particles);
    options.species = std::move(particles.species);
    options.structure = particles.structure;
    options.altloc = particles.altloc;
    options.index = particles.index;
    options.aliases = particles.aliases;
    options.guess_elements = particles.guess_elements;
  });
  problems.collect([&] { parse_default_species(parsed, options); });
  options.verbosity = parsed.has("quiet")     ? Verbosity::quiet
                      : parsed.has("verbose") ? Verbosity::verbose
                                              : Verbosity::normal;
  problems.collect([&] {
    if (parsed.has("quiet") && parsed.has("verbose")) {
      throw InputError("--quiet and --verbose contradict each other (give one)");
    }
  });
  options.explain = parsed.has("explain");
  if (!options.explain && writes) {
    check_output(options.output, problems);
    check_result_name(options.output, problems);
  }
  if (writes) {
    for (const auto& [option, file] :
         {std::pair("--json", options.json), std::pair("--trace", options.trace)}) {
      problems.collect([&, name = option, path = file] {
        check_text_name(name, path);
        check_side_file(name, path);
      });
    }
  }
  problems.collect([&] { parse_bin_options(parsed, options, problems); });
  problems.collect([&] { options.exclusion = parse_exclusion_options(parsed); });
  problems.collect([&] {
    BoxChoice choice = parse_box_choice(parsed.get("box"));
    options.box = choice.box;
    options.box_file = std::move(choice.file);
  });
  problems.collect([&] {
    if (parsed.has("plane")) {
      options.plane = parse_plane_option(parsed.get("plane"));
    }
  });
  problems.collect([&] { parse_space_options(parsed, options); });
  problems.collect([&] { parse_second_axis_options(parsed, options); });
  problems.collect(
      [&] { options.repeated = io::parse_repeated_frames(parsed.get("repeated")); });
  parse_frame_options(parsed, options.frames, options.times, problems);
  problems.collect([&] {
    if (parsed.has("part")) {
      options.part = parse_part(parsed.get("part"));
    }
  });
  options.choose_block_length = !parsed.has("block") && !parsed.has("blocks");
  problems.collect([&] {
    if (parsed.has("block")) {
      options.frames_per_block = static_cast<std::uint32_t>(
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
  problems.collect([&] {
    if (parsed.has("memory")) {
      options.memory_bytes = parse_memory(parsed.get("memory"));
    }
  });
  problems.collect([&] {
    if (parsed.has("task-pairs")) {
      options.most_pairs_per_task =
          parse_positive("--task-pairs", parsed.get("task-pairs"));
    }
  });
  problems.collect(
      [&] { options.clusters = parse_clustering(parsed.get("tiles", "auto")); });
  problems.collect(
      [&] { options.labels = parse_labelling(parsed.get("labels", "auto")); });
  problems.collect([&] {
    options.cpu_mode = tasks::parse_cpu_mode(parsed.get("cpu-mode", "core"));
  });
  problems.collect([&] { parse_variants(parsed.get("variant"), options); });
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
