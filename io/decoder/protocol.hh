#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/particles/structure.hh"

namespace starhist::io::decoder {

/// What starhist and a decoder tell each other: messages of a length (u64) and that
/// number of bytes, of which the first says what it is. A decoder is a process that
/// reads files with a library of others: starhist-gromacs, or the script
/// scripts/user/read_frames.py. Both run on one machine, so numbers are as they are in
/// memory.

enum class Request : char {
  version = 'v',           ///< nothing more
  frame = 'f',             ///< Source: a file of one frame
  open = 'o',              ///< Source: frames of this file, by `next`
  next = 'n',              ///< nothing more
  read = 'r',              ///< number of a frame of the file that is open (u64)
  particles_and_pbc = 'p'  ///< Source
};

enum class Reply : char {
  text = 't',       ///< bytes of text
  opened = 'o',     ///< what the decoder tells of a file
  frame = 'f',      ///< FrameHead, x, y, z of each atom, the box's refusal
  end = 'e',        ///< there is no (further) frame
  particles = 'p',  ///< Pbc, then a packed ParticleTable
  refusal = 'x'     ///< text: why the file cannot be read
};

/// Of a request: what a file contains, or where it is.
struct Source {
  enum class Kind : char { bytes = 'b', path = 'p' };
  Kind kind = Kind::bytes;
  std::string format;  ///< name by which the library knows the format: "xtc"
  /// Number of atoms that a structure tells, which some formats need; 0: not known.
  std::uint64_t atoms = 0;
  std::string_view structure = {};  ///< path of the file of --structure; "": none
  std::string_view content = {};    ///< the bytes, or the path
};

/// Lengths of a frame are in nm from starhist-gromacs, in the file's unit from others.
struct FrameHead {
  std::uint64_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;
  double box[9] = {};  ///< rows are the edges; all zero: no box
  /// Bit k: the axis of edge k is periodic. 0: no box.
  std::uint64_t periodic = 0;
  std::uint64_t real_bytes = sizeof(float);  ///< of a coordinate: 4 or 8
  /// Length of a text behind the positions: why the file's box cannot be used.
  std::uint64_t refusal_bytes = 0;
  /// Whether the number of each particle's type (u32) follows behind that text.
  enum class Types : std::uint64_t { none, of_first_frame, differ } types = Types::none;
};

inline constexpr std::uint64_t all_axes = 7;  ///< FrameHead::periodic

/// A descriptor on which both wait until all bytes have gone. False where the other has
/// ended.
bool send_all(int socket, const void* bytes, std::size_t size);
bool receive_all(int socket, void* bytes, std::size_t size);

/// Values one after the other.
class Packer {
 public:
  template <class Value>
  void add(const Value& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void add_text(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_.append(text);
  }
  void add_source(const Source& source);
  void add_particles(const ParticleTable& table);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// The same back. Throws InternalError where there is less than is asked for.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <class Value>
  Value take() {
    Value value;
    std::memcpy(&value, take_bytes(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view take_bytes(std::uint64_t size);
  std::string_view take_text() { return take_bytes(take<std::uint64_t>()); }
  Source take_source();
  ParticleTable take_particles();

 private:
  std::string_view bytes_;
};

}  // namespace starhist::io::decoder
