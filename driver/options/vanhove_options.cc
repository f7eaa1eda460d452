#include "driver/options/vanhove_options.hh"

#include <algorithm>
#include <array>

#include "codelets/core/base/error.hh"
#include "driver/options/bin_options.hh"

namespace starhist::driver {
namespace {

/// Options of rdf without a meaning between frames, or not supported there.
constexpr std::array not_between_frames{
    "checkpoint", "explain",    "exclude-same", "only-same", "labels",
    "plane",      "edges",      "volume",       "geometry",  "extent",
    "axis2",      "axis2-bins", "axis2-max"};

std::vector<OptionSpec> vanhove_options() {
  using enum OptionGroup;
  std::vector<OptionSpec> options{
      {counting,
       "lags",
       "LIST",
       "lags from the origin to the later frame: a list, such as 0,1,2,5; a range "
       "FIRST:LAST:STEP; or log:N, 0 and N logarithmically spaced lags up to half of "
       "the frames",
       {.fallback = "log:20"}},
      {counting,
       "lag-unit",
       "UNIT",
       "unit of --lags: frames (only selected ones count), or time, the file's time "
       "unit",
       {.fallback = "frames", .choices = {"frames", "time"}}},
      {counting,
       "every-origin",
       "K",
       "frames 0, K, 2K, ... are origins, the first frames of pairs",
       {.fallback = "1"}},
      {counting, "unwrapped", "",
       "positions in the file are continuous: do not follow particles through the "
       "nearest image from frame to frame"}};
  add_options_of_rdf(not_between_frames, options);
  const auto named = [&](const char* name) {
    return std::find_if(options.begin(), options.end(),
                        [&](const OptionSpec& option) { return option.name == name; });
  };
  named("bins")->help = "number of bins between 0 and R";
  named("pairs")->help +=
      "; O-H is H-O, with H in the earlier frame (species are sorted)";
  return options;
}

}  // namespace

Manual vanhove_manual() {
  return without_options_of_rdf(
      {.command = "vanhove",
       .summary = "count distances between frames (van Hove functions)",
       .synopsis = "TRAJ... -o OUT.h5 [options]",
       .description =
           R"(Counts the distances between particles of one frame, the origin, and particles
of a later frame, exactly. The lag is the number of frames from the origin to
the later frame. For each lag the result contains the distinct part of the van
Hove function (pairs of different particles, for each pair of species), its self
part (how far each particle moves) and the mean squared displacement. Lag 0
counts the pairs of single frames, as rdf does. Distances between two frames are
measured in the box of the later frame.
starhist export OUT.h5 writes the curves.)",
       .options = vanhove_options(),
       .sections =
           {{"examples",
             R"(  all pairs of species at 0, 1, 2, 5 and 10 frames, up to 1 nm:
    starhist vanhove water.h5 -o vh.h5 --lags 0,1,2,5,10 --r-max 1 --bins 200
  oxygen only, logarithmic lags, every 5th frame is an origin:
    starhist vanhove md.xtc --structure md.tpr --species "O=OW" -o vh.h5 \
      --lags log:30 --every-origin 5 --r-max 1 --bins 200
  lags of 0 to 10 ps in steps of 2 ps:
    starhist vanhove water.h5 -o vh.h5 --lags 0:10:2 --lag-unit time
  curves, and the mean squared displacement:
    starhist export vh.h5 --quantity g -o distinct.csv
    starhist export vh.h5 --quantity self -o self.csv
    starhist export vh.h5 --quantity msd --errors -o msd.csv
)"},
            {"exit codes",
             R"(  0 success, 1 invalid usage or input, 2 run-time failure, 3 finished but frames
  were left out, 4 stopped by a signal (continue with --resume; the counts of
  the last, unfinished block are lost)
)"}},
       .elsewhere = {
           {"checkpoint",
            "vanhove saves whole blocks of frames (give a shorter --block)"},
           {"edges",
            "vanhove counts in bins of equal width (give --bins or --bin-width)"},
           {"plane", "vanhove measures distances in space (in planes: starhist rdf)"},
           {"exclude-same",
            "vanhove cannot exclude pairs (choose species with --species)"},
           {"only-same",
            "vanhove cannot exclude pairs (choose species with --species)"},
           {"explain", "only runs of starhist rdf can be predicted (leave it out)"}}});
}

std::optional<RdfOptions> parse_vanhove_options(
    const std::vector<std::string>& arguments, bool writes) {
  return parse_run_options(
      vanhove_manual(), arguments, writes,
      [](const ParsedOptions& parsed, RdfOptions& options, Problems& problems) {
        std::uint64_t every_origin = 1;
        problems.collect([&] { check_equal_bins("vanhove", parsed.get("bins")); });
        problems.collect([&] {
          every_origin = parse_positive("--every-origin", parsed.get("every-origin"));
        });
        problems.collect([&] {
          options.lags = LagChoice{LagList("--lags", parsed.get("lags")),
                                   parsed.get("lag-unit") == "time", every_origin,
                                   parsed.has("unwrapped")};
        });
      });
}

}  // namespace starhist::driver
