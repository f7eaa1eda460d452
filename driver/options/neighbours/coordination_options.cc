#include "driver/options/neighbours/coordination_options.hh"

#include <array>

#include "codelets/core/base/error.hh"
#include "driver/options/bin_options.hh"
#include "driver/options/trajectory_options.hh"

namespace starhist::driver {
namespace {

/// Options of rdf that coordination does not have.
constexpr std::array not_of_neighbours{
    "checkpoint", "explain",   "labels",   "r-min",      "r-max",
    "bins",       "bin-width", "pairs",    "all-pairs",  "centred",
    "trace",      "variant",   "clusters", "task-pairs", "json",
    "cpu-mode",   "verbose",   "plane",    "volume",     "geometry",
    "extent",     "edges",     "axis2",    "axis2-bins", "axis2-max"};

std::vector<OptionSpec> coordination_options() {
  using enum OptionGroup;
  std::vector<OptionSpec> options{
      {counting, "cutoff", "LIST",
       "neighbours are closer than this distance, in the file's length unit: one for "
       "all pairs, 0.35, or one per pair, O-H=0.245,O-O=0.35; min: the first minimum "
       "of g(r) in --from"},
      {counting,
       "pairs",
       "LIST",
       "pairs of species, such as O-H,H-O: O-H means the neighbours H of each O",
       {.otherwise = "the pairs in --cutoff, or all"}},
      {counting, "r-max", "R",
       "with --bins or --bin-width: decide at the bin edges of starhist rdf with the "
       "same options; cut-offs must be edges"},
      {counting, "bins", "N", "number of these bins up to R"},
      {counting, "bin-width", "W", "width of these bins"},
      {counting,
       "from",
       "FILE",
       "result of starhist rdf with the minima of g(r) for min in --cutoff",
       {.path = io::PathUse::read}},
      {running,
       "checkpoint",
       "SECONDS",
       "time between saves of finished blocks for --resume",
       {.fallback = "60"}},
      {output, "per-frame", "", "also record the neighbours of each frame"},
      {output, "per-particle", "",
       "also record the neighbours of each particle, summed over frames"}};
  add_options_of_rdf(not_of_neighbours, options);
  return options;
}

/// Sets the bins whose edges are cut-offs. Throws InputError if they are incomplete.
void set_bins(const ParsedOptions& parsed, CoordinationOptions& options) {
  check_equal_bins("coordination", parsed.get("bins"));
  RdfOptions& run = options.run;
  if (!run.choose_bins) {
    options.bins = run.bins;
    return;
  }
  if (parsed.has("r-max") || parsed.has("bins") || parsed.has("bin-width")) {
    throw InputError(
        "--r-max, and --bins or --bin-width, define bins only together (cut-offs are "
        "their edges): give both, or omit both");
  }
  run.choose_bins = {};
  const double largest = options.cutoffs.largest();  // 0: invalid, and reported
  run.bins = make_bins(largest > 0.0 ? largest : 1.0, 1);
}

/// Throws InputError unless --from is given with, and only with, cut-offs at minima.
void check_minima(const CutoffList& cutoffs, const ParsedOptions& parsed) {
  const std::vector<std::string> pairs = cutoffs.pairs_of_minima();
  if (!pairs.empty() && !parsed.has("from")) {
    throw InputError("--cutoff " + pairs.front() +
                     "=min needs a result of starhist rdf with that g(r): give it with "
                     "--from RESULT.h5");
  }
  if (pairs.empty() && parsed.has("from")) {
    throw InputError(
        "--from has no effect without min in --cutoff: write --cutoff O-H=min, or omit "
        "--from");
  }
  if (!pairs.empty() && (parsed.has("r-max") || parsed.has("bins"))) {
    throw InputError(
        "--cutoff " + pairs.front() +
        "=min uses the bins of --from: omit --r-max, --bins and --bin-width");
  }
}

}  // namespace

Manual coordination_manual() {
  return without_options_of_rdf(
      {.command = "coordination",
       .summary = "count the neighbours of each particle within a cut-off",
       .synopsis = "TRAJ... -o OUT.h5 --cutoff LIST [options]",
       .description =
           R"(Counts, in every frame, the neighbours within a cut-off distance of each
particle, exactly, and writes how many particles have 0, 1, 2, ... neighbours.
The distribution P(n), the mean number of neighbours and their standard errors
follow from these counts. The mean equals the coordination number of starhist
rdf at a bin edge.
starhist export OUT.h5 writes the tables.)",
       .options = coordination_options(),
       .sections =
           {{"examples",
             R"(  hydrogens within 0.245 nm of each oxygen, up to the first minimum of g(r):
    starhist coordination water.h5 -o cn.h5 --cutoff O-H=0.245
  ions, with a time series and means per particle:
    starhist coordination md.xtc --structure md.tpr -o cn.h5 \
      --species "NA=name NA; OW=name OW" --cutoff NA-OW=0.32 \
      --per-frame --per-particle
  neighbours in other molecules only:
    starhist coordination run.dump -o cn.h5 --pairs C-C --cutoff 5 \
      --exclude-same molecule
  cut-off at the first minimum of g(r):
    starhist rdf water.h5 -o rdf.h5 --r-max 0.6 --bins 120
    starhist coordination water.h5 -o cn.h5 --cutoff O-O=min --from rdf.h5
  distribution, mean and time series:
    starhist export cn.h5 --errors
    starhist export cn.h5 --quantity mean --errors
    starhist export cn.h5 --quantity per-frame -o series.csv
)"},
            {"exit codes",
             R"(  0 success, 1 invalid usage or input, 2 run-time failure, 3 finished but frames
  were left out, 4 stopped by a signal (continue with --resume)
)"}},
       .elsewhere = {
           out_unit_elsewhere("a result"),
           {"explain", "only runs of starhist rdf can be predicted (leave it out)"}}});
}

std::optional<CoordinationOptions> parse_coordination_options(
    const std::vector<std::string>& arguments, bool writes) {
  CoordinationOptions options;
  std::optional<RdfOptions> run = parse_run_options(
      coordination_manual(), arguments, writes,
      [&](const ParsedOptions& parsed, RdfOptions& given, Problems& problems) {
        problems.collect([&] {
          options.cutoffs = CutoffList(parsed.get("pairs"), parsed.get("cutoff"));
        });
        options.from = parsed.get("from");
        problems.collect([&] { check_minima(options.cutoffs, parsed); });
        options.run = given;
        problems.collect([&] { set_bins(parsed, options); });
        given.bins = options.run.bins;
        given.choose_bins = options.run.choose_bins;
        given.pairs = options.cutoffs.pair_names();
        given.all_pairs = given.all_pairs || !given.pairs.empty();
        given.particle_order = true;
        options.per_frame = parsed.has("per-frame");
        options.per_particle = parsed.has("per-particle");
      });
  if (!run) {
    return std::nullopt;
  }
  options.run = *std::move(run);
  return options;
}

}  // namespace starhist::driver
