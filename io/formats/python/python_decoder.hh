#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/decoder/decoder_process.hh"
#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// A frame received from read_frames.py.
struct PythonFrame {
  decoder::FrameHead head;
  std::vector<double> positions;  ///< x, y, z of each atom
  /// reason why the file's box cannot be used; "": it is usable
  std::string box_refusal;
  /// Type number of each particle, an index into PythonReader::info().species, for
  /// files whose particles change; otherwise empty.
  std::vector<std::uint32_t> types;

  std::array<bool, 3> periodic() const;
};

/// A process of scripts/user/read_frames.py, which reads files with Python packages.
class PythonDecoder {
 public:
  /// Starts Python. Throws InputError if Python or the script is missing.
  PythonDecoder();

  /// Sends the request `kind` for a file or stream address `path`. `format`: its name
  /// in read_frames.py. `structure`: may be null. Throws InputError with the package's
  /// message, without the file name.
  void ask(decoder::Request kind, const std::string& format, const std::string& path,
           const SharedStructure& structure);
  /// Requests a frame of the opened file. False if a stream has ended before it;
  /// content() is then the reason.
  bool ask_frame(std::uint64_t index);
  /// Returns the requested frame in `frame`.
  void take_frame(PythonFrame& frame) const;

  /// Content of the last reply.
  std::string_view content() const { return process_.content(); }

 private:
  decoder::Process process_;
  std::uint64_t source_bytes_ = 0;
};

/// The periodic axes of a file's or stream's frames, which must be equal in all frames.
class PythonPeriodicity {
 public:
  /// Sets FrameHead::periodic of frame 0, if it is known before any frame is checked.
  void set(std::uint64_t axes) { axes_ = axes; }
  /// Checks a frame; the first one sets the axes, unless set() did. Throws InputError
  /// without the path if the box of `frame` cannot be used or its axes differ.
  void check(const PythonFrame& frame);

 private:
  std::optional<std::uint64_t> axes_;  ///< bit k: axis k is periodic
};

}  // namespace starhist::io
