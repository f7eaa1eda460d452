#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/histogram.hh"
#include "driver/lags/lag_list.hh"
#include "driver/run/frames/frame_selection.hh"
#include "driver/run/frames/frame_stream.hh"
#include "driver/run/frames/trajectory_input.hh"
#include "driver/run/resume_point.hh"
#include "io/output/path_conflicts.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/run_record.hh"
#include "tasks/planning/counting_options.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

/// Largest number of species for which all pairs are counted by default.
inline constexpr std::size_t most_default_species = 40;

/// Bins that are partly chosen by default.
struct ChosenBins {
  UniformBins bins;
  /// The options that were not given: "--r-max", "--bin-width" or both.
  std::vector<std::string> defaults;
};

/// Chooses bins from a frame and the trajectory's length unit ("": unknown).
using BinChooser =
    std::function<ChosenBins(const Frame& frame, const std::string& length_unit)>;

/// Lags of a count between frames.
struct LagChoice {
  LagList list;
  bool in_time = false;            ///< the list is in the trajectory's time unit
  std::uint64_t every_origin = 1;  ///< LagOptions::every_origin
  bool unwrapped = false;          ///< LagOptions::unwrapped
};

/// Specification of a run. The fields are the options of `starhist rdf`; error messages
/// use the names of these options. `inputs`, `output` and either `bins` or
/// `choose_bins` are required.
struct TrajectoryRunSpec {
  std::vector<std::string> inputs;  ///< paths of trajectory files, read as one
  /// How the inputs are read. `species` empty: the species of the file or, with
  /// `index`, the groups in `pairs`; `by` SpeciesBy::file: the file's species, or its
  /// elements if there are more than most_default_species species and `pairs` is empty.
  /// The provenance lists files that are followed (`external`). most_species,
  /// with_membership, tell_order and heights follow from other fields
  /// (reading_options()).
  io::ReadOptions reading;
  /// Space that the particles fill. size = 0: measured in the first selected frame, for
  /// a slab or cylinder.
  Region region = {};
  bool all_pairs = false;    ///< count all pairs of any number of species
  FrameSelection frames;     ///< default: all
  TimeSelection times;       ///< of `frames`; default: all
  SelectionPart part;        ///< part of the frames selected by both; default: all
  FrameSelection all_parts;  ///< set by TrajectoryRun: frames of all parts
  BadFrames bad_frames = BadFrames::fail;

  UniformBins bins;  ///< from make_bins() [length unit of the trajectory]
  /// Chooses the bins from the first usable selected frame, in place of `bins`. Empty:
  /// use `bins`.
  BinChooser choose_bins = {};
  std::string pairs;  ///< species pairs: "O-O,H-O"; "": all pairs of the species
  Exclusion exclusion = Exclusion::none;
  /// Second quantity by which pairs are sorted; its count 0 means the default. Not with
  /// `region`, `lags` or a running simulation. In a plane, the separation along the
  /// normal, whose limit 0 means the default.
  std::optional<SecondAxis> second = {};
  /// Count pairs between frames, for starhist vanhove; empty: pairs within frames. Not
  /// for a running simulation.
  std::optional<LagChoice> lags = {};
  bool particle_order = false;  ///< set Frame::order, as `lags` does
  /// `memory_bytes`: 0: half of the machine's memory; divided by the number of
  /// processes. `frames` and the fields of a resumed run are set by TrajectoryRun.
  tasks::CountingOptions counting = {.memory_bytes = 0};
  /// Use the length of the blocks of the run that is resumed, otherwise
  /// default_block_length(); counting.frames_per_block only for a running simulation.
  bool choose_block_length = false;
  /// The value of resumed_block_length() if another process has read it; 0: read it.
  std::uint32_t resumed_block_length = 0;
  /// Maximum number of blocks of the run: blocks get the smallest length for which
  /// these hold all frames. 0: use counting.frames_per_block.
  std::uint64_t blocks = 0;

  std::string output;  ///< path of the result file; OUTPUT.partial until it is complete
  /// Files that the caller writes after the run, such as its summary.
  std::vector<io::UsedPath> written_later;
  bool overwrite = false;  ///< replace an existing result
  /// Reads the result that `resume` continues, if starhist rdf does not write it.
  EarlierReader read_earlier = {};
  /// Resume a stopped or killed run to the same output; without one, start from the
  /// beginning.
  bool resume = false;
  /// Checkpoint interval: the most counting time that a killed run can lose, or one
  /// frame [s, > 0].
  double checkpoint_seconds = 60.0;
  /// Additional entries of the provenance, such as {"option --r-max", "1.2"}.
  io::RunRecord as_written;
  /// Set by TrajectoryRun: extent_problem() and small_box_problem() of the first frame.
  std::vector<std::string> warnings = {};

  std::uint32_t processes_on_host = 1;  ///< processes of this run [>= 1]
  tasks::KernelChoice kernels = {};     ///< `bin_count` is set by TrajectoryRun
};

/// Entry of the provenance with a measured Region::size.
inline constexpr const char* measured_extent_entry = "default --extent";

/// The options with which the inputs are opened.
io::ReadOptions reading_options(const TrajectoryRunSpec& spec);

/// Returns the specification. Throws InputError if it is invalid.
const TrajectoryRunSpec& checked(const TrajectoryRunSpec& spec);

/// The specification with frames selected by time and part, and with values for missing
/// settings: the length of blocks, the memory and the bins. Adds the options for which
/// default bins were chosen to `defaults`; the values go to the provenance.
TrajectoryRunSpec completed(TrajectoryRunSpec spec, TrajectoryInput& input,
                            std::vector<std::string>& defaults);

/// Layout of the counts of a completed specification.
HistogramLayout make_layout(const TrajectoryRunSpec& spec,
                            const io::TrajectoryInfo& info);

/// The first usable selected frame.
Frame first_frame(const TrajectoryRunSpec& spec, TrajectoryInput& input);

/// A frame of the input with its checksum; empty if it cannot be read.
std::optional<Frame> lookup(const HistogramLayout& layout, TrajectoryInput& input,
                            FrameIndex index);

}  // namespace starhist::driver
