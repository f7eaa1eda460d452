#include "driver/options/bin_options.hh"
#include "driver/options/output_option.hh"
#include "driver/options/planning_options.hh"
#include "driver/options/rdf_options.hh"
#include "driver/options/trajectory_options.hh"
#include "io/trajectory/format_texts.hh"

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
       "part I (1 to N) of the selected frames, divided at block boundaries: run one "
       "job per part, then starhist merge"},
      skip_bad_frames_option(),
      {species, "species", "RULES",
       "define species, named sets of particles. A=X Y: species A contains the file's "
       "species X and Y. A=SELECTION: see below. Separate several by ;"},
      {species,
       "by",
       "WHAT",
       "property that defines the species if --species is not given: name, type, "
       "element, resname, chain, segment, molecule (each molecule is a species) or all "
       "(one species)",
       {.otherwise = "the file's species, or elements if it has more than 40 species",
        .choices = {"name", "type", "element", "resname", "chain", "segment",
                    "molecule", "all", "file"}}},
      {counting,
       "r-max",
       "R",
       "count distances below R, in the file's length unit",
       {.otherwise = "99 % of half the shortest lattice vector of the first frame, "
                     "rounded down"}},
      {counting, "bins", "N",
       "number of bins between R0 (--r-min) and R; or log:N for N logarithmic bins, "
       "with R0 above 0"},
      bin_width_option(),
      {counting,
       "edges",
       "LIST",
       "instead of --bins and --r-max: rising edges of the bins, as a list such as "
       "0,0.1,0.25 or the path of a text file",
       {.path = io::PathUse::read}},
      {counting,
       "r-min",
       "R0",
       "lower edge of the first bin; with --bin-width a multiple of W; with --bins N "
       "the width is (R - R0)/N",
       {.otherwise = "0"}},
      {counting, "centred", "",
       "count in bins of half the width: W/2, where --bin-width or --bins (one is "
       "needed) defines W. starhist export --like gmx then makes of each two bins one "
       "of width W, centred at a multiple of W as in gmx rdf. Not with --r-min"},
      pairs_option(),
      {counting,
       "plane",
       "PLANE",
       "measure distances in a plane: xy, xz or yz (or its normal: 0,0,1 for xy, 0,1,0 "
       "for xz, 1,0,0 for yz); g(r) is normalised by areas of rings; no "
       "periodic images along the normal",
       {.examples = {"xy", "xz", "yz"}}},
      {counting, "open", "AXES",
       "axes of the box without periodic images, such as z or x,y"},
      {counting, "volume", "V",
       "volume occupied by the particles of an open box, needed for g(r), in the "
       "file's length unit cubed"},
      {counting,
       "geometry",
       "SHAPE",
       "slab (one open axis) or cylinder (two open axes): normalise g(r) by the ideal "
       "gas in this shape",
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
       "the pair and the axis z; dz, the distance of the two particles along z "
       "(likewise with x and y); or cos(vector A->B), the cosine of the angle between "
       "the pair and the vector from atom A to atom B in the residue of the pair's "
       "first particle. The first particle of a pair A-B is of species A; names of "
       "pairs "
       "are in alphabetical order. For cosines, pairs A-A are counted twice, once "
       "from each particle. --plane allows only the distance along its normal: dz, dx "
       "or dy",
       {.examples = {"cos(z)", "dz"}}},
      {counting,
       "axis2-bins",
       "N",
       "number of bins of the second quantity",
       {.otherwise = "21 for cosines, 50 for distances"}},
      {counting,
       "axis2-max",
       "LENGTH",
       "with --plane: upper edge of the last bin of the second quantity, the "
       "separation "
       "along the plane's normal",
       {.otherwise = "half the box's height in the first frame"}},
      {counting, "all-pairs", "",
       "count all pairs of the file's species even if there are more than 40 species, "
       "which are otherwise replaced by elements"},
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
       {.otherwise =
            "all, of up to 15 frames; 1, of 16 to 30 frames; of more frames, a "
            "number that makes 16 to 24 blocks, of which the last may be "
            "shorter; of a running simulation, 100"}},
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
      {running, "resume", "",
       "resume a stopped or killed run from FILE.partial; if FILE "
       "is finished, only check that it has the same frames and bins"},
      {running,
       "checkpoint",
       "SECONDS",
       "checkpoint interval: the most work a killed run can lose",
       {.fallback = "60"}},
      {running, "explain", "", "print the execution plan and exit"},
      {running, "quiet,q", "", "print neither progress nor summary, only warnings"},
      {running, "verbose", "", "add kernels, workers and their speeds to the summary"},
      {expert,
       "cpu-mode",
       "MODE",
       "core: one worker per core; team: one OpenMP worker per NUMA domain",
       {.fallback = "core", .choices = {"core", "team"}}},
      clusters_option(),
      labels_option(),
      task_pairs_option(),
      {expert,
       "variant",
       "NAME,...",
       "kernel: avx512, avx2, neon or baseline on CPUs; tensor, fixed-point or "
       "definition (two nested loops in double "
       "precision) on GPUs",
       {.examples = {"avx512", "avx2", "neon", "baseline", "tensor", "fixed-point",
                     "definition"}}},
      {expert,
       "trace",
       "FILE",
       "write one CSV line per task",
       {.path = io::PathUse::written}}};
}

}  // namespace

Manual rdf_manual() {
  return {
      .command = "rdf",
      .summary = "count the pairs of a trajectory, write a result file",
      .synopsis = "TRAJ... -o OUT.h5 [options]",
      .description =
          R"(Counts the distances between all pairs of particles in every frame, and writes a
histogram and g(r) for each pair of species. Counts are exact: one fixed
formula in double precision decides the bin of each pair, so every machine
returns the same integers. A species is a named set of particles, by default an
atom name, type or element of the file. Frames are counted in blocks of
consecutive frames, which give standard errors.

)" + io::formats_help(),
      .options = rdf_options(),
      .sections =
          {{R"(selections for --species, as in "OW=name OW; S=element S and not resname LIG")",
            R"(  A selection joins conditions by and, or, not. TERM, below, is one condition,
  or a selection in brackets.
  name|element|resname OW H* C?           words, with wildcards
  chain|segment|icode|altloc A            words; icode is the insertion code
  resid|molecule|id|index 1-100 205       numbers as in the file; index from 1
  type 1-3 5 C*                           numbers, or words with wildcards
  type|molecule|id 1*3 *3 2*              ranges as in LAMMPS: 1 to 3, up to 3,
      from 2 on (* is a wildcard only in words with a letter)
  species O H                             species of the file, by their names
  group Protein SOL                       groups of the --index file; a rule may
      also be a group name only: --species "SOL; NA"
  protein, backbone, water, ion           by residue and atom name, listed in
      docs/how-to/selections.md
  mass > 12, charge < 0                   also <= >= == !=
  same residue|molecule|chain as TERM     all particles of the residues,
      molecules or chains that contain a particle of TERM
  all, and, or, not, ( )                  precedence: not, then and, then or
  z < 2, x > 1 and x < 3                  coordinates in each frame, as stored:
      in the file's unit, not wrapped into the box
  within D of TERM, such as within 0.35 of name OW
      particles whose distance to the nearest particle of TERM is at most D,
      including the particles of TERM
  beyond D of TERM                        all other particles; within and beyond
      are evaluated in each frame, with periodic images; D in the file's unit
  res_com of, mol_com of, res_cog of, mol_cog of SELECTION
      centre of mass (com) or geometry (cog) of the selected atoms of each
      residue or molecule, made whole across boundaries: "W=res_com of all"
  starhist info FILE lists the properties that a file provides. Particles that
  no rule selects are left out. A particle may belong to several species; it is
  never paired with itself. In double quotes within a selection, keywords and
  wildcards lose their meaning, as in name "C*".
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
  only pairs of different molecules, from 2 Angstrom on:
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

}  // namespace starhist::driver
