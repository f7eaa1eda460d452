#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codelets/core/base/error.hh"
#include "io/reader/trajectory_format.hh"

// A target is a program with this one function. libFuzzer calls it with generated
// inputs; replay.cc calls it with the files of a corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace starhist::fuzz {

/// A file in memory that holds the bytes of an input, for readers that take a path.
class InputFile {
 public:
  explicit InputFile(std::string_view bytes);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls parse(). It may throw errors of the input (InputError) and of the machine
/// (RunError); any other exception ends the process.
template <class Parse>
void refuse_or(Parse parse) {
  try {
    parse();
  } catch (const InputError&) {
  } catch (const RunError&) {
  }
}

/// Reads the first frames of a trajectory, in reverse order. A refused frame does not
/// prevent reading the others.
void read_frames(io::TrajectoryReader& reader);

/// Modes of reading a trajectory: unchanged, and particle by particle with their order.
io::ReadOptions whole_species();
io::ReadOptions per_particle();

/// Opens the bytes in each mode as a file of the format and reads the frames.
/// `own_structure`: its own atoms are the structure of the second mode.
void read_trajectory(std::string_view bytes, const io::TrajectoryFormat& format,
                     bool own_structure = false);

}  // namespace starhist::fuzz
