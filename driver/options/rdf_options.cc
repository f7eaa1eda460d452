#include "driver/options/rdf_options.hh"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <limits>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/option_parser.hh"
#include "driver/run/run_checks.hh"
#include "io/reader/units.hh"
#include "io/selection/species_groups.hh"

namespace starhist::driver {
namespace {

const std::vector<OptionSpec> specs{
    {"output,o", "FILE",
     "result file (HDF5); grows as FILE.partial until it is complete"},
    {"r-max", "R", "count distances below R, in the file's length unit"},
    {"bins", "N", "number of bins on [0, R)"},
    {"bin-width", "W", "width of a bin instead of their number; must divide R"},
    {"r-min", "R0",
     "bins from R0 on, a whole number of them from 0; --bins are on [R0, R)"},
    {"pairs", "A-B,...", "species pairs to count (default: all)"},
    {"exclude-same", "UNIT", "leave out pairs of the same molecule or residue"},
    {"only-same", "UNIT", "count only pairs of the same molecule or residue"},
    {"species", "RULES",
     "species A=X Y of what the file calls X and Y, or A=SELECTION (below)"},
    {"group", "NAME", "particle group of an H5MD file, if it has several"},
    {"box", "BOX", "file (default), none, a,b,c or a,b,c,alpha,beta,gamma (degrees)"},
    {"structure", "FILE",
     "names of the atoms, for XTC, TRR, TNG: a GRO, PDB, G96 or TPR"},
    {"unit", "UNIT", "length unit of files that do not say theirs: nm, A, sigma, ..."},
    {"first", "I", "first frame, counted from 0 (default 0)"},
    {"last", "I", "last frame, inclusive (default: the last there is)"},
    {"step", "N", "every N-th frame (default 1)"},
    {"block", "N", "frames per block of counts in the result (default 100)"},
    {"memory", "GiB",
     "memory to use for frames and counts (default: half of the machine's)"},
    {"skip-bad-frames", "",
     "leave out frames that cannot be used, and exit with code 3"},
    {"force,f", "", "replace an existing FILE, and FILE.partial of an earlier run"},
    {"cpu-mode", "MODE",
     "core: a worker per core (default); team: one per NUMA domain, with OpenMP"},
    {"tiles", "WHEN",
     "auto (default), on, off: sort particles in space, find tiles out of range"},
    {"explain", "", "tell how the run would be worked on, and count nothing"},
    {"task-pairs", "N",
     "split species pairs into tasks of at most N pairs (default: chosen)"},
    {"variant", "NAME,...",
     "kernels: avx512, avx2, baseline; on GPUs tensor, fixed-point, definition"},
    {"trace", "FILE", "write a line of CSV about every task"},
    {"json", "FILE", "write the summary as JSON too"},
    {"quiet,q", "", "no progress, no summary"},
};

tasks::Clustering parse_clustering(const std::string& text) {
  if (text == "auto") {
    return tasks::Clustering::automatic;
  }
  if (text == "on" || text == "off") {
    return text == "on" ? tasks::Clustering::on : tasks::Clustering::off;
  }
  throw InputError("--tiles '" + text + "' is none of auto, on, off");
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

void print_help() {
  std::cout
      << "usage: starhist rdf TRAJ... -o OUT.h5 --r-max R (--bins N | --bin-width W)\n"
         "\n"
         "Counts, exactly, the distances of all pairs of particles in every frame and\n"
         "writes the counts and g(r) of each species pair. TRAJ: H5MD, CADISHI HDF5, "
         "a\n"
         "LAMMPS text dump, XYZ, GRO or PDB (these also .gz), XTC, TRR or TNG with a\n"
         "--structure; several files are read as one trajectory.\n"
         "scripts/user/convert_any.py makes H5MD of other formats.\n\n"
      << option_table(specs)
      << "\nselections for --species, as in \"OW=name OW; S=element S and not resname "
         "LIG\"\n"
         "  name, type, element, resname OW H* C?   words, with wildcards\n"
         "  resid, molecule, id, index 1-100 205    numbers as in the file; index from "
         "1\n"
         "  species 1 2                             what the file calls its species\n"
         "  all, and, or, not, ( )                  not binds first, then and\n"
         "  res_com of, mol_com of, res_cog of, mol_cog of SELECTION\n"
         "      centres of mass or geometry of residues or molecules, of the atoms\n"
         "      selected: \"W=res_com of resname SOL\". Made whole at the boundaries\n"
         "  What a file tells to select by: starhist info FILE. Other particles are "
         "left\n"
         "  out. Words in double quotes stand for themselves.\n"
      << "\nexamples\n"
         "  all pairs up to 1.2 nm in 240 bins:\n"
         "    starhist rdf water.h5 -o rdf.h5 --r-max 1.2 --bins 240\n"
         "  O-O only, every 10th frame from frame 1000 on, a block of counts every "
         "50:\n"
         "    starhist rdf water.h5 -o oo.h5 --r-max 1.2 --bin-width 0.005 \\\n"
         "      --pairs O-O --first 1000 --step 10 --block 50\n"
         "  types 1 and 2 of a LAMMPS dump in Angstrom are O and H:\n"
         "    starhist rdf water.dump --species \"O=1; H=2\" --unit A -o rdf.h5 \\\n"
         "      --r-max 12 --bins 240\n"
         "  water of GROMACS, atoms named as in the topology:\n"
         "    starhist rdf md.xtc --structure md.tpr -o rdf.h5 --r-max 1 --bins 200 "
         "\\\n"
         "      --species \"O=OW; H=HW1 HW2\" --pairs O-O,O-H\n"
         "  water oxygen and the centres of a ligand's molecules:\n"
         "    starhist rdf run.dump --species \"OW=type 1; L=mol_com of type 5-9\" \\\n"
         "      -o rdf.h5 --r-max 12 --bins 240\n"
         "  pairs of different molecules only, from 2 A on:\n"
         "    starhist rdf run.dump -o inter.h5 --exclude-same molecule \\\n"
         "      --r-min 2 --r-max 12 --bin-width 0.05\n"
         "  no periodicity, whatever the file says:\n"
         "    starhist rdf cluster.h5 -o p.h5 --r-max 30 --bins 3000 --box none\n"
         "\nexit codes: 0 done, 1 bad usage or input, 2 failure at run time,\n"
         "3 finished but frames were left out. STARPU_SCHED, STARPU_NCPU and StarPU's\n"
         "other variables are respected; STARHIST_CPU_VARIANT chooses the kernel.\n";
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

void check_output(const RdfOptions& options, Problems& problems) {
  if (options.output.empty()) {
    problems.add("--output is missing (-o OUT.h5)");
    return;
  }
  const std::string problem = output_problem(options.output, options.inputs);
  if (!problem.empty()) {
    problems.add(problem);
  }
}

/// Such a file is written last, so that a name that cannot be written must be known
/// first.
void check_side_file(const std::string& option, const std::string& file,
                     const RdfOptions& options, Problems& problems) {
  if (file.empty()) {
    return;
  }
  const std::string given = option + " '" + file + "'";
  std::error_code ignored;
  const std::filesystem::path path(file);
  if (std::filesystem::is_directory(path, ignored)) {
    problems.add(given + " is a directory");
  } else if (path.has_parent_path() &&
             !std::filesystem::is_directory(path.parent_path(), ignored)) {
    problems.add(given + ": there is no directory '" + path.parent_path().string() +
                 "'");
  }
  const auto is_file = [&](const std::string& other) {
    return file == other || same_file(file, other);
  };
  if (is_file(options.output)) {
    problems.add(given + " is the output file");
  }
  for (const std::string& input : options.inputs) {
    if (is_file(input)) {
      problems.add(given + " is the input file");
    }
  }
}

/// One variant for CPUs and one for GPUs; of several the last.
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
        throw InputError("--variant '" + name + "' is none of " + join(names, ", "));
      }
      options.cpu_variant = kernels::cpu::find_variant(name).name;
    }
  }
}

}  // namespace

std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments) {
  Problems problems;
  const ParsedOptions parsed = parse_options(specs, arguments, problems);
  if (parsed.has("help")) {
    print_help();
    return std::nullopt;
  }
  RdfOptions options;
  options.inputs = parsed.positional;
  if (options.inputs.empty()) {
    problems.add("no trajectory is given");
  }
  options.output = parsed.get("output");
  options.overwrite = parsed.has("force");
  options.pairs = parsed.get("pairs");
  options.group = parsed.get("group");
  options.structure = parsed.get("structure");
  options.json = parsed.get("json");
  options.trace = parsed.get("trace");
  options.record_tasks = !options.trace.empty();
  options.bad_frames =
      parsed.has("skip-bad-frames") ? BadFrames::skip : BadFrames::fail;
  options.length_unit = io::unit_spelling(parsed.get("unit"));
  problems.collect([&] {
    if (parsed.has("species")) {
      options.species = io::parse_species_groups(parsed.get("species"));
    }
  });
  options.verbosity = parsed.has("quiet") ? Verbosity::quiet : Verbosity::normal;
  options.explain = parsed.has("explain");
  if (!options.explain) {
    check_output(options, problems);
  }
  check_side_file("--json", options.json, options, problems);
  check_side_file("--trace", options.trace, options, problems);
  std::optional<double> r_max;
  problems.collect([&] { r_max = parse_r_max(parsed.get("r-max")); });
  problems.collect([&] {
    options.bins = parse_bins(parsed.get("r-min"), r_max, parsed.get("bins"),
                              parsed.get("bin-width"))
                       .value_or(UniformBins());
  });
  problems.collect([&] { options.exclusion = parse_exclusion_options(parsed); });
  problems.collect([&] { options.box = parse_box(parsed.get("box", "file")); });
  problems.collect(
      [&] { options.frames.first = parse_count("--first", parsed.get("first", "0")); });
  problems.collect([&] {
    if (parsed.has("last")) {
      options.frames.last = parse_count("--last", parsed.get("last"));
      if (*options.frames.last < options.frames.first) {
        throw InputError("no frames are selected (--first " + parsed.get("first", "0") +
                         ", --last " + parsed.get("last") + ")");
      }
    }
  });
  problems.collect(
      [&] { options.frames.step = parse_positive("--step", parsed.get("step", "1")); });
  problems.collect([&] {
    options.frames_per_block = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(parse_positive("--block", parsed.get("block", "100")),
                                std::numeric_limits<std::uint32_t>::max()));
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
  problems.collect([&] {
    options.cpu_mode = tasks::parse_cpu_mode(parsed.get("cpu-mode", "core"));
  });
  problems.collect([&] { parse_variants(parsed.get("variant"), options); });
  problems.throw_if_any("rdf");

  for (const auto& [name, value] : parsed.values) {
    options.as_written.emplace_back("option --" + name, value);
  }
  return options;
}

}  // namespace starhist::driver
