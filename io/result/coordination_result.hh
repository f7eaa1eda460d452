#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/counting/coordination.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Neighbours by frame, in the order of the frames of all blocks; entry frame * shells
/// + shell.
struct FrameNeighbours {
  std::vector<std::uint64_t> centres;     ///< number of particles that have neighbours
  std::vector<std::uint64_t> neighbours;  ///< sum of their numbers of neighbours
};

/// Neighbours by particle of a shell's centre species.
struct ParticleNeighbours {
  FileOrder order;                        ///< of the first frame
  std::vector<std::uint64_t> neighbours;  ///< sum over all frames
};

/// Contents of a result of starhist coordination.
struct CoordinationResult {
  /// Path, provenance, layout and blocks. layout.pairs are the pairs of the shells,
  /// layout.bins is unused. Blocks have frames, particle numbers and no counts.
  ResultFile file;
  std::vector<NeighbourShell> shells;
  std::vector<std::vector<NeighbourCounts>> counts;  ///< by block and shell
  std::vector<double> times;              ///< Frame::time of the frames of all blocks
  std::optional<FrameNeighbours> frames;  ///< empty: not recorded
  std::vector<ParticleNeighbours> particles;  ///< by shell; empty: not recorded
};

/// The shells' pairs of species, each once.
std::vector<SpeciesPair> pairs_of(const std::vector<NeighbourShell>& shells);

/// The problem if numbers contradict each other: particles of a block, neighbours of
/// its frames, neighbours of all particles. "" without one.
std::string coordination_problem(const CoordinationResult& result);

/// Reads such a result. Throws InputError like read_result().
CoordinationResult read_coordination_result(
    const std::string& path, ExternalFiles external = ExternalFiles::refused);

/// Whether the groups of the file look like such a result. Does not throw InputError.
bool is_coordination_result(const std::string& path,
                            ExternalFiles external = ExternalFiles::refused);

}  // namespace starhist::io
