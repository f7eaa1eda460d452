#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"
#include "io/decoder/decoder_process.hh"

namespace starhist::io::gromacs {

/// A frame from libgromacs; lengths in nm.
struct DecodedFrame {
  std::vector<float> positions;  ///< x, y, z of each atom
  double edges[9] = {};          ///< all zero: no box
  StepAndTime moment;            ///< time [ps]
};

/// Reads frames with libgromacs, in a process that is started on first use, and again
/// after a file that it could not read. Messages do not name the file.
class Decoder {
 public:
  /// Decodes the frame in these bytes of a file; `ending` identifies its format. Throws
  /// InputError.
  void decode(const std::string& ending, std::string_view bytes, DecodedFrame& frame);

  /// Opens a file for next().
  void open(const std::string& ending, const std::string& path);
  /// Reads the next complete frame; false at the end of the file. Throws InputError.
  bool next(DecodedFrame& frame);
  std::string remarks() const { return process_ ? process_->remarks() : ""; }

 private:
  decoder::Reply ask(decoder::Request kind, const std::string& head,
                     std::string_view rest = {});
  void take_frame(DecodedFrame& frame) const;

  std::unique_ptr<decoder::Process> process_;
  std::uint64_t source_bytes_ = 0;  ///< size of the opened file
};

}  // namespace starhist::io::gromacs
