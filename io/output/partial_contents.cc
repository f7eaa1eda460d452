#include "io/output/partial_contents.hh"

#include <optional>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/files/local_time.hh"
#include "io/result/coordination_result.hh"
#include "io/result/lag_result.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {
namespace {

/// End of the message about a file that --resume can continue.
constexpr const char* remedy =
    ": add --resume to continue it, with the same files and options; or --force to "
    "replace it, or rename it to keep it";

std::optional<ResultExtent> extent_of(const std::string& path) {
  try {
    return read_result_extent(path);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

std::string partial_contents(const std::string& partial) {
  struct stat file {};
  const bool known = ::stat(partial.c_str(), &file) == 0;
  const std::string modified =
      known ? ", last modified " + local_time(file.st_mtime) : "";
  const std::optional<ResultExtent> extent = extent_of(partial);
  const bool lags = !extent && is_lag_result(partial);
  if (lags || (!extent && is_coordination_result(partial))) {
    return std::string("with finished blocks of ") +
           (lags ? "pairs between frames" : "neighbours") + modified + remedy;
  }
  if (!extent && is_result(partial)) {
    return "but is damaged, or of a version of starhist before 0.3" + modified +
           ": finish it with that version, or rename it to keep it; --force replaces "
           "it";
  }
  if (!extent) {
    return "but cannot be read as a result" +
           (known ? ", has " + counted(static_cast<std::uint64_t>(file.st_size), "byte")
                  : std::string()) +
           modified + ": rename it to keep it; --force replaces it";
  }
  if (extent->blocks == 0) {
    return "without a finished block" + modified + remedy;
  }
  const std::string blocks = counted(extent->blocks, "block") + " with " +
                             counted(extent->frames, "frame") + " (" +
                             std::to_string(extent->first_frame.get()) + " to " +
                             std::to_string(extent->last_frame.get()) + ")" + modified;
  if (extent->state == ResultState::complete) {
    return "with a complete result of " + blocks +
           ": rename it to keep it; --force replaces it";
  }
  return "with finished blocks: " + blocks + remedy;
}

}  // namespace starhist::io
