#pragma once

#include <string>

#include "codelets/core/counting/frame.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

/// Parses "drop", "keep" or "fail". Throws InputError.
RepeatedFrames parse_repeated_frames(const std::string& word);

/// Whether frames at the end of a file and at the begin of the next one are the same
/// moment: of equal step and time, one of which is known, as simulation programs write
/// them where they go on.
bool is_repeated(const Frame& last, const Frame& first);

/// What is said of a first frame that repeats the last one of the file before.
std::string repeated_frame_sentence(const std::string& path, const std::string& before,
                                    const Frame& frame, const std::string& time_unit);

}  // namespace starhist::io
