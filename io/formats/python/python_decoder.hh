#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/decoder/decoder_process.hh"
#include "io/reader/trajectory_format.hh"

namespace starhist::io {

/// A frame as read_frames.py sends it.
struct PythonFrame {
  decoder::FrameHead head;
  std::vector<double> positions;  ///< x, y, z of each atom
  std::string box_refusal;        ///< why the file's box cannot be used; "": it can
  /// Number of each particle's type among PythonReader::info().species, of files whose
  /// particles change; else empty.
  std::vector<std::uint32_t> types;

  std::array<bool, 3> periodic() const;
};

/// A process of scripts/user/read_frames.py, which reads files by packages of Python.
class PythonDecoder {
 public:
  /// Starts Python. Throws InputError where it or the script is missing.
  PythonDecoder();

  /// Asks for `kind` of the file at `path`, or of the stream at this address. `format`:
  /// its name in read_frames.py. `structure`: null where there is none. Throws
  /// InputError, which does not name the file, with the package's message.
  void ask(decoder::Request kind, const std::string& format, const std::string& path,
           const SharedStructure& structure);
  /// Asks for a frame of the file that was opened. False where a stream has ended
  /// before it; content() is the reason then.
  bool ask_frame(std::uint64_t index);
  /// Takes the frame that was asked for.
  void take_frame(PythonFrame& frame) const;

  /// What the last reply holds.
  std::string_view content() const { return process_.content(); }

 private:
  decoder::Process process_;
  std::uint64_t source_bytes_ = 0;
};

}  // namespace starhist::io
