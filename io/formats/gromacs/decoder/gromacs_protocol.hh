#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "io/particles/structure.hh"

namespace starhist::io::gromacs {

/// What starhist and starhist-gromacs, the process that has libgromacs, tell each
/// other: messages of a length (u64) and that number of bytes, of which the first says
/// what it is. Both run on one machine, so numbers are as they are in memory.

enum class Request : char {
  version = 'v',           ///< nothing more
  frame = 'f',             ///< Source: a file of one frame
  open = 'o',              ///< Source: frames of this file, by `next`
  next = 'n',              ///< nothing more
  particles_and_pbc = 'p'  ///< Source
};

enum class Reply : char {
  text = 't',       ///< bytes of text
  frame = 'f',      ///< FrameHead, then x, y, z of each atom as float, in nm
  end = 'e',        ///< there is no (further) frame
  particles = 'p',  ///< Pbc, then a packed ParticleTable
};

/// Of a request: what a file contains, or where it is.
struct Source {
  std::string format;  ///< ending by which libgromacs knows the format: "xtc"
  enum class Kind : char { bytes = 'b', path = 'p' } kind = Kind::bytes;
  std::string_view content;
};

struct FrameHead {
  std::uint64_t atoms = 0;
  std::int64_t step = 0;
  double time = 0.0;  ///< ps
  float box[9] = {};  ///< rows are the edges, in nm
  std::uint32_t has_box = 0;
};

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

}  // namespace starhist::io::gromacs
