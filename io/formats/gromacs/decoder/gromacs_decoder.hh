#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/decoder/decoder_process.hh"

namespace starhist::io::gromacs {

/// A frame as libgromacs gives it; lengths in nm.
struct DecodedFrame {
  std::vector<float> positions;  ///< x, y, z of each atom
  double edges[9] = {};          ///< all zero where there is no box
  std::int64_t step = 0;
  double time = 0.0;  ///< ps
};

/// Frames by libgromacs. The process that has it is started when it is first needed,
/// and again after a file that it could not read. Messages do not name the file.
class Decoder {
 public:
  /// The frame that is these bytes of a file; `ending` tells its format. Throws
  /// InputError.
  void decode(const std::string& ending, std::string_view bytes, DecodedFrame& frame);

  /// From here on next() reads this file.
  void open(const std::string& ending, const std::string& path);
  /// False where the file has no further whole frame. Throws InputError.
  bool next(DecodedFrame& frame);
  std::string remarks() const { return process_ ? process_->remarks() : ""; }

 private:
  decoder::Reply ask(decoder::Request kind, const std::string& head,
                     std::string_view rest = {});
  void take_frame(DecodedFrame& frame) const;

  std::unique_ptr<decoder::Process> process_;
  std::uint64_t source_bytes_ = 0;  ///< of the file that was opened
};

}  // namespace starhist::io::gromacs
