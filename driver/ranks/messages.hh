#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "driver/ranks/work_unit.hh"
#include "driver/run/run_summary.hh"

namespace starhist::driver {

/// A frame that cannot be used has ended the counting of a rank.
struct BadFrame {
  std::uint64_t unit = 0;  ///< number of its work unit
  std::string message;
};

/// A rank was asked to stop by a signal.
struct StopRequest {
  int signal = 0;
};

/// Progress of a rank.
struct Pulse {
  std::uint64_t pairs = 0;  ///< number of pairs that its tasks have counted so far
};

/// What a rank has done. It has no unit in hand any more and will send nothing else.
struct RankWork {
  std::uint32_t rank = 0;
  std::string host;
  std::uint64_t units = 0;  ///< number of work units counted
  /// Without blocks. Times of tasks are from the start of the rank's counting.
  RunResult result;
  /// Times in which nothing was being counted, as there was no work unit, and as no
  /// frame was read yet [s].
  double waited_for_work = 0.0;
  double waited_for_reading = 0.0;
  std::string changed_file;  ///< an input that has changed; "": none has
};

using FromRank = std::variant<UnitCounts, BadFrame, StopRequest, Pulse, RankWork>;

/// There are no more units for this rank.
struct NoMoreUnits {};
/// The rank ends its current unit behind the frames that it has begun.
struct StopNow {};

using ToRank = std::variant<WorkUnit, NoMoreUnits, StopNow>;

/// Messages as bytes, for ranks of the same program on the same kind of processor.
std::vector<char> packed(const FromRank& message);
std::vector<char> packed(const ToRank& message);
/// Throw InternalError for bytes that are no message.
FromRank unpacked_from_rank(const std::vector<char>& bytes);
ToRank unpacked_to_rank(const std::vector<char>& bytes);

}  // namespace starhist::driver
