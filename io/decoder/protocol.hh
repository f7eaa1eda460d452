#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/particles/structure.hh"

namespace starhist::io::decoder {

/// Messages between starhist and a decoder. Each consists of a length (u64) and that
/// number of bytes, the first of which is its kind. A decoder is a process that reads
/// files with another project's library: starhist-gromacs, or the script
/// scripts/user/read_frames.py. Both run on one machine, so numbers have their memory
/// representation.

enum class Request : char {
  version = 'v',           ///< empty
  frame = 'f',             ///< Source: a file of one frame
  open = 'o',              ///< Source: a file whose frames `next` returns
  next = 'n',              ///< empty
  read = 'r',              ///< number of a frame in the open file (u64)
  particles_and_pbc = 'p'  ///< Source
};

enum class Reply : char {
  text = 't',       ///< bytes of text
  opened = 'o',     ///< the decoder's description of a file
  frame = 'f',      ///< FrameHead, x, y, z of each atom, reason to refuse the box
  end = 'e',        ///< no (further) frame
  particles = 'p',  ///< Pbc, then a packed ParticleTable
  refusal = 'x'     ///< text: why the file cannot be read
};

/// Part of a request: the content of a file, or its path.
struct Source {
  enum class Kind : char { bytes = 'b', path = 'p' };
  Kind kind = Kind::bytes;
  std::string format;  ///< the library's name of the format, such as "xtc"
  /// Number of atoms according to a structure file, which some formats need; 0:
  /// unknown.
  std::uint64_t atoms = 0;
  std::string_view structure = {};  ///< path of the --structure file; "": not given
  std::string_view content = {};    ///< the file's bytes, or its path
};

/// Lengths of a frame are in nm from starhist-gromacs, and in the file's unit from
/// other decoders.
struct FrameHead {
  std::uint64_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;
  double box[9] = {};  ///< rows are the box edges; all zero: no box
  /// Bit k: periodic along edge k. 0: no box.
  std::uint64_t periodic = 0;
  std::uint64_t real_bytes = sizeof(float);  ///< size of a coordinate: 4 or 8
  /// Length of the text after the positions that gives the reason to refuse the box.
  std::uint64_t refusal_bytes = 0;
  /// Whether the type number of each particle (u32) follows that text.
  enum class Types : std::uint64_t { none, of_first_frame, differ } types = Types::none;
};

/// FrameHead::periodic of a fully periodic box
inline constexpr std::uint64_t all_axes = 7;

/// Sends or receives all bytes. False if the peer has exited. `on_timeout` is
/// called whenever nothing was transferred for the socket's time-out, if it has one.
bool send_all(int socket, const void* bytes, std::size_t size,
              const std::function<void()>& on_timeout = {});
bool receive_all(int socket, void* bytes, std::size_t size,
                 const std::function<void()>& on_timeout = {});

/// Concatenates values to the bytes of a message.
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

/// Extracts the values that Packer concatenated. Throws InternalError if too few bytes
/// remain.
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
