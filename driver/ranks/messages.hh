#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "driver/ranks/work_unit.hh"
#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// An unusable frame has ended the counting of a rank.
struct BadFrame {
  std::uint64_t unit = 0;  ///< number of its work unit
  std::string message;
};

/// A signal asked a rank to stop.
struct StopRequest {
  int signal = 0;
};

/// Progress of a rank.
struct Pulse {
  std::uint64_t pairs = 0;  ///< number of pairs counted so far
};

/// Final report of a rank, which has no unit in hand and sends nothing afterwards.
struct RankWork {
  std::uint32_t rank = 0;
  std::string host;
  std::uint64_t units = 0;  ///< number of work units counted
  /// Without blocks. Task times are relative to the start of the rank's counting.
  RunResult result;
  /// Times without counting, because there was no work unit, or no frame was read yet
  /// [s].
  double waited_for_work = 0.0;
  double waited_for_reading = 0.0;
  std::string changed_file;  ///< an input that has changed; "": none
};

using FromRank = std::variant<UnitCounts, BadFrame, StopRequest, Pulse, RankWork>;

/// There are no more units for this rank.
struct NoMoreUnits {};
/// Ends a rank's current unit after the frames already started.
struct StopNow {};

using ToRank = std::variant<WorkUnit, NoMoreUnits, StopNow>;

/// Messages as bytes, for ranks of the same program on the same kind of processor.
std::vector<char> packed(const FromRank& message);
std::vector<char> packed(const ToRank& message);
/// Throw InternalError for invalid bytes.
FromRank unpacked_from_rank(const std::vector<char>& bytes);
ToRank unpacked_to_rank(const std::vector<char>& bytes);

}  // namespace starhist::driver
