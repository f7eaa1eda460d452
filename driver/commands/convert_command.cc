#include <iostream>
#include <memory>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/command.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/options/output_option.hh"
#include "driver/options/trajectory_options.hh"
#include "driver/run/frames/box_checks.hh"
#include "driver/run/frames/trajectory_input.hh"
#include "driver/run/run_checks.hh"
#include "driver/run/version.hh"
#include "io/formats/h5md/h5md_writer.hh"
#include "io/selection/species_groups.hh"
#include "io/text/text_index_store.hh"
#include "io/trajectory/joined/repeated_frames.hh"

namespace starhist::driver {
namespace {

struct Options {
  std::vector<std::string> inputs;
  std::string output;
  io::ReadOptions reading;
  FrameSelection frames;
  TimeSelection times;
  BadFrames bad_frames = BadFrames::fail;
  io::Overwrite overwrite = io::Overwrite::no;
  io::H5mdFormat format;
};

io::H5mdEdges parse_edges(const std::string& text) {
  if (text != "matrix" && text != "vector") {
    throw InputError("--edges '" + text + "' is neither matrix nor vector");
  }
  return text == "matrix" ? io::H5mdEdges::matrix : io::H5mdEdges::vector;
}

Options take_options(const ParsedOptions& parsed, Problems& problems) {
  Options options;
  options.inputs = parsed.positional;
  if (options.inputs.empty()) {
    problems.add(no_file_problem(convert_manual(), "trajectory"));
  }
  options.output = parsed.get("output");
  check_output(options.output, problems);
  check_hdf5_name(options.output, "convert writes H5MD, which is HDF5", "", problems);
  options.reading.group = parsed.get("group");
  problems.collect([&] {
    options.reading.length_unit = given_length_unit(parsed);
    options.reading.time_unit = given_time_unit(parsed);
  });
  problems.collect([&] {
    options.reading.repeated = io::parse_repeated_frames(parsed.get("repeated"));
  });
  options.reading.external = external_files(parsed);
  problems.collect([&] { set_box(parsed.get("box"), options.reading); });
  problems.collect([&] { parse_particle_options(parsed, options.reading); });
  problems.collect([&] { options.format.edges = parse_edges(parsed.get("edges")); });
  parse_frame_options(parsed, options.frames, options.times, problems);
  options.bad_frames =
      parsed.has("skip-bad-frames") ? BadFrames::skip : BadFrames::fail;
  options.overwrite = parsed.has("force") || parsed.has("overwrite")
                          ? io::Overwrite::yes
                          : io::Overwrite::no;
  return options;
}

/// Throws InputError for options that need all frames of a running simulation.
void check_stream(const Options& options, const io::TrajectoryInfo& info) {
  if (!info.stream) {
    return;
  }
  if (options.times.any()) {
    throw InputError(info.paths.front() +
                     ": selecting by time cannot be used with a running simulation "
                     "(--first, --last and --step count its frames as they arrive)");
  }
  if (!options.frames.last) {
    throw InputError(info.paths.front() +
                     ": is a running simulation, so its number of frames is unknown "
                     "(give the last one with --last)");
  }
}

/// Throws InputError for a rule that selects other particles in each frame.
void refuse_changing(const io::TrajectoryInfo& info) {
  for (std::size_t s = 0; s < info.selections.size(); ++s) {
    if (!info.selections[s].empty()) {
      throw InputError("--species: " + info.species[s] + " = '" + info.selections[s] +
                       "' selects particles in each frame, but an H5MD file of "
                       "starhist has the same ones in all frames (select without "
                       "within, beyond, x, y and z, or when you count)");
    }
  }
}

/// Result of convert().
struct Outcome {
  bool exact = true;  ///< false: not written, since single precision would round
  std::uint64_t frames = 0;
  std::string particles;        ///< "O: 216, H: 432"
  bool species_change = false;  ///< numbers of particles differ between frames
  std::vector<std::string> left_out;
  std::string box_problem;  ///< small_box_problem() of the first frame
};

std::string particles_text(const io::TrajectoryInfo& info, const Frame& frame) {
  std::vector<std::string> words;
  for (std::uint32_t s = 0; s < info.species.size(); ++s) {
    words.push_back(info.species[s] + ": " +
                    std::to_string(frame.particle_count(SpeciesId(s))));
  }
  return join(words, ", ");
}

/// Columns of the particles in the first file. Empty for a stream, which cannot be
/// opened twice, and, with a note, for a file whose particles differ between frames.
io::ParticleTable particle_columns(const Options& options,
                                   const io::TrajectoryInfo& info) {
  if (info.stream) {
    return {};
  }
  io::ReadOptions reading = options.reading;
  reading.species.clear();
  reading.index.clear();
  reading.box_file.clear();  // has boxes for the frames of all files
  reading.per_particle = true;
  try {
    return io::open_trajectory({info.paths.front()}, reading)->info().particles;
  } catch (const InputError& error) {
    std::cerr << "starhist: names, residues and masses are not written: "
              << error.what() << '\n';
    return {};
  }
}

Outcome convert(const Options& options, const io::TrajectoryInfo& info,
                TrajectoryInput& input) {
  Outcome outcome;
  const auto frames = input.stream(options.frames, options.bad_frames);
  std::optional<io::H5mdWriter> writer;
  while (std::optional<Frame> frame = frames->next()) {
    if (!writer) {
      writer.emplace(options.output, options.overwrite, info, *frame,
                     options.frames.count(info.frame_count), options.format);
      outcome.particles = particles_text(info, *frame);
      if (!info.stream && sets_box(options.reading)) {
        outcome.box_problem = small_box_problem(options.inputs, input.options(), *frame,
                                                info.length_unit);
      }
    }
    if (!writer->append(*frame)) {
      outcome.exact = false;
      return outcome;
    }
    ++outcome.frames;
    frames->recycle(std::move(*frame));
  }
  if (!writer) {
    refuse_no_frames(frames->skipped());
  }
  outcome.species_change = writer->species_change();
  outcome.left_out = input.left_out(options.frames, frames->skipped());
  writer->finish(version());
  return outcome;
}

}  // namespace

Manual convert_manual() {
  return {
      .command = "convert",
      .summary = "convert a trajectory to H5MD",
      .synopsis = "TRAJ... -o OUT.h5 [options]",
      .description =
          R"(Converts any trajectory that starhist reads to H5MD 1.1, which starhist,
MDAnalysis and VOTCA read. Positions and boxes are exact (in float32 if that
loses no digits); units, steps and times are unchanged. Atoms, also those that
--species selects, keep the order of the file; atoms with ids keep the order of
the first frame. The number of atoms must not change.)",
      .options = {structure_option(),
                  altloc_option(),
                  {OptionGroup::species, "species", "A=X Y;...",
                   "species A made of the file's species X and Y; others are left out"},
                  index_option(),
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
                  skip_bad_frames_option(),
                  {OptionGroup::output,
                   "output,o",
                   "FILE",
                   "H5MD file; named FILE.partial until it is complete",
                   {.path = io::PathUse::grown}},
                  {OptionGroup::output,
                   "edges",
                   "FORM",
                   "form of the boxes: matrix or, for VOTCA, vector",
                   {.fallback = "matrix", .choices = {"matrix", "vector"}}},
                  {OptionGroup::output, "force,f", "",
                   "replace an existing FILE and the FILE.partial of an earlier run"},
                  {OptionGroup::output, "overwrite", "", "same as --force"}},
      .sections = {{"examples", R"(  starhist convert md.xtc --structure md.tpr -o md.h5
  starhist convert md.xtc --structure conf.gro -o water.h5 \
    --species "O=OW; H=HW1 HW2" --first 100 --step 10
  starhist convert run.dump.gz --unit A -o run.h5 --edges vector
)"}},
      .elsewhere = {out_unit_elsewhere("H5MD of starhist")}};
}

ExitCode run_convert(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_unless_help(convert_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  Options options = take_options(*parsed, problems);
  problems.throw_if_any("convert");

  options.reading.tell_order = true;
  options.reading.text_indexes = std::make_shared<io::TextIndexStore>();
  TrajectoryInput input(options.inputs, options.reading);
  io::TrajectoryInfo info = input.info();
  check_external_conflicts(convert_manual(), *parsed, info.external_files);
  info.particles = particle_columns(options, info);
  for (const std::string& sentence : info.remarks) {
    std::cerr << sentence << '\n';
  }
  check_stream(options, info);
  refuse_changing(info);
  options.frames = select_by_time(options.frames, options.times, input.reader());
  options.frames.count(info.frame_count);
  Outcome outcome = convert(options, info, input);
  if (!outcome.exact) {
    options.format.precision = io::H5mdPrecision::full;
    outcome = convert(options, info, input);
  }
  std::cerr << options.output << ": " << outcome.frames << " frames, "
            << outcome.particles
            << (outcome.species_change ? " (species change with time)" : "")
            << "; lengths in "
            << (info.length_unit.empty()
                    ? "a unit that the file does not specify (give it with --unit)"
                    : info.length_unit)
            << ", positions in "
            << (options.format.precision == io::H5mdPrecision::single ? "float32"
                                                                      : "float64")
            << '\n';
  if (!outcome.box_problem.empty()) {
    std::cerr << "starhist: " << outcome.box_problem << '\n';
  }
  for (const std::string& sentence : outcome.left_out) {
    std::cerr << "starhist: left out: " << sentence << '\n';
  }
  return outcome.left_out.empty() ? ExitCode::done : ExitCode::frames_left_out;
}

}  // namespace starhist::driver
