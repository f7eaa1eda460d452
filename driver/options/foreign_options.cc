#include "driver/options/foreign_options.hh"

#include <algorithm>
#include <array>
#include <string_view>

#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

/// Options of other programs with the same effect.
struct ForeignOption {
  std::string_view names;   ///< without dashes, each between blanks: " s top "
  std::string_view option;  ///< our option, which the command must have
  std::string_view remedy;
};

constexpr std::array<ForeignOption, 26> foreign_options{{
    {" s p top topol topology parm prmtop psf tpr ", "structure",
     "use --structure FILE for names, residues and masses"},
    {" n ndx ", "index", "use --index FILE for the groups of a GROMACS index file"},
    {" f i y in traj trajectory trajin input ", "step",
     "write trajectories without an option, before or after the options"},
    {" x ofile ", "output", "use -o FILE for the output"},
    {" overwrite replace clobber ", "force", "use --force to replace an existing file"},
    {" b ", "begin", "use --begin T for the first time"},
    {" e ", "end", "use --end T for the last time"},
    {" dt ", "every", "use --every T for the time between frames"},
    {" start ", "first", "use --first I for the first frame, counted from 0"},
    {" stop ", "last", "use --last I for the last frame, which is included"},
    {" skip stride ", "step", "use --step N for every N-th frame"},
    {" bin binwidth bin_width delta dr ", "bin-width",
     "use --bin-width W for the width of a bin"},
    {" nbins n_bins nbin ", "bins", "use --bins N for the number of bins"},
    {" cutoff rcut r_cut rc range r_range ", "r-max",
     "use --r-max R for the largest distance; starhist coordination --cutoff counts "
     "the neighbours of each particle"},
    {" errors like quantity temperature rebin smooth normalization per-block ", "r-max",
     "this command counts; give the option to starhist export or starhist analyze, "
     "which read the result"},
    {" cut ", "r-min",
     "use --r-max R for the largest distance, or --r-min R0 for the shortest one (gmx "
     "rdf -cut)"},
    {" ref sel sel1 sel2 select selection selection1 selection2 ", "species",
     "use --species \"A=SELECTION; B=SELECTION\" and --pairs A-B"},
    {" com selrpos seltype center2 ", "species",
     "use --species \"A=mol_com of SELECTION\" for centres of mass"},
    {" excl exclusion_block exclusion intramol nointramol ", "exclude-same",
     "use --exclude-same molecule to leave out pairs of the same molecule"},
    {" pbc nopbc noimage usepbc periodic ", "box",
     "the periodic box of the file is used (usepbc 1); use --box none to ignore it "
     "(gmx -nopbc, usepbc 0)"},
    {" tu ", "time-unit",
     "times have the unit of the file, which --time-unit UNIT sets if it is missing"},
    {" norm density nonorm ", "r-max",
     "a result contains the counts; starhist export OUT.h5 --quantity "
     "counts|g|density prints the norm of your choice"},
    {" cn ", "r-max",
     "starhist export OUT.h5 --quantity coordination prints coordination numbers of a "
     "result"},
    {" xy ", "plane", "use --plane xy for distances in the plane xy"},
    {" surf ", "r-max",
     "starhist counts distances between particles only (gmx rdf -surf counts from a "
     "surface)"},
    {" nt np ntomp ncpu nthreads threads j ", "r-max",
     "set the environment variable STARPU_NCPU=N for the number of CPU workers"},
}};

/// Words for a choice in other programs, or in common use.
struct ForeignChoice {
  std::string_view words;  ///< in lower case, each between blanks
  std::string_view choice;
};

constexpr std::array<ForeignChoice, 9> foreign_choices{{
    {" rdf gr g(r) ", "g"},
    {" cn n n(r) rdfcn ", "coordination"},
    {" s(q) sk s(k) sofq structure-factor ", "sq"},
    {" iq i(q) saxs waxs intensity ", "xray"},
    {" kb kbi g_ij ", "kirkwood-buff"},
    {" gromacs ", "gmx"},
    {" mda ", "mdanalysis"},
    {" amber ", "cpptraj"},
    {" residue resn ", "resname"},
}};

}  // namespace

std::string foreign_option_hint(const std::string& name,
                                const std::vector<OptionSpec>& specs) {
  const std::string word = " " + name + " ";
  for (const ForeignOption& foreign : foreign_options) {
    const bool has_counterpart = std::any_of(
        specs.begin(), specs.end(),
        [&](const OptionSpec& spec) { return long_name(spec) == foreign.option; });
    if (has_counterpart && foreign.names.find(word) != std::string_view::npos) {
      return ": " + std::string(foreign.remedy);
    }
  }
  return "";
}

std::string choice_hint(const std::string& word,
                        const std::vector<std::string>& choices) {
  const std::string wanted = " " + lower_case(word) + " ";
  for (const ForeignChoice& foreign : foreign_choices) {
    const std::string choice(foreign.choice);
    if (foreign.words.find(wanted) != std::string_view::npos &&
        std::find(choices.begin(), choices.end(), choice) != choices.end()) {
      return ": did you mean " + choice + "?";
    }
  }
  return did_you_mean(word, choices);
}

}  // namespace starhist::driver
