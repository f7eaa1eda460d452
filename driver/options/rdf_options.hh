#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/options/option_values.hh"
#include "driver/run/frame_stream.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/run_record.hh"
#include "tasks/pair_counter.hh"
#include "tasks/runtime/runtime.hh"

namespace starhist::driver {

enum class Verbosity { normal, quiet };

/// Everything that `starhist rdf` was asked for, checked as far as is possible without
/// opening a file.
struct RdfOptions {
  std::vector<std::string> inputs;
  std::string output;
  bool overwrite = false;
  UniformBins bins;
  std::string pairs;  ///< empty: all
  std::string group;
  std::optional<Box> box;
  std::string length_unit;  ///< of files that do not say theirs

  std::vector<io::SpeciesGroup> species;  ///< empty: those of the file

  Exclusion exclusion = Exclusion::none;
  std::string structure;  ///< file that names the atoms; empty: none

  io::ReadOptions reading() const {
    io::ReadOptions reading{group, box, length_unit, species};
    reading.with_membership = exclusion != Exclusion::none;
    reading.structure = structure;
    return reading;
  }

  FrameSelection frames;
  std::uint32_t frames_per_block = 100;
  std::uint64_t memory_bytes = 0;
  std::uint64_t most_pairs_per_task = 0;
  tasks::Clustering clusters = tasks::Clustering::automatic;
  bool explain = false;
  tasks::CpuMode cpu_mode = tasks::CpuMode::core;
  BadFrames bad_frames = BadFrames::fail;
  Verbosity verbosity = Verbosity::normal;
  std::string json;         ///< path of the summary for machines; empty: none
  std::string trace;        ///< path of the list of tasks; empty: none
  std::string cpu_variant;  ///< empty: the best
  std::string cuda_variant = "auto";

  io::RunRecord as_written;  ///< the options as the user wrote them, for the provenance
};

/// Empty when help was asked for, and printed. Throws one InputError with all problems.
std::optional<RdfOptions> parse_rdf_options(const std::vector<std::string>& arguments);

}  // namespace starhist::driver
