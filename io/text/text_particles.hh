#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "codelets/core/base/vec3.hh"
#include "io/particles/particle_field.hh"
#include "io/text/text_fields.hh"
#include "io/text/text_index.hh"
#include "io/text/unwritten_positions.hh"

namespace starhist::io {

/// Which columns of a text file tell what of its particles.
struct ParticleColumns {
  std::array<std::optional<std::size_t>, column_fields> field;  ///< by ParticleField
  std::optional<std::size_t> mass;
  std::optional<std::size_t> charge;
  /// Tells elements where `field` has no column for them.
  std::optional<std::size_t> atomic_number;

  std::optional<std::size_t>& of(ParticleField which) {
    return field[static_cast<std::size_t>(which)];
  }
  const std::optional<std::size_t>& of(ParticleField which) const {
    return field[static_cast<std::size_t>(which)];
  }
};

/// The particles of a text trajectory, told apart: by their ids or, without, by their
/// places. Later frames must have the same ones.
class TextParticles {
 public:
  /// Takes the next line of the first frame. Throws InputError for what is no number.
  void add(const ParticleColumns& columns, const std::vector<std::string_view>& fields);

  /// After the last line of the first frame: the particles in the order of their ids.
  /// Throws InputError when an id stands twice.
  const ParticleTable& finish();

  /// Before the lines of a frame. Throws InputError unless it has as many particles.
  void start_frame(const TextFile& file, std::uint64_t count);

  /// By particle of the table; empty without.
  const std::vector<std::int64_t>& ids() const { return table_.id; }

  /// Where in the table the particle of the next line stands. Throws InputError when it
  /// is not in the first frame, was seen in this one, or was told to be something else.
  std::size_t place(const ParticleColumns& columns,
                    const std::vector<std::string_view>& fields);

 private:
  /// What a line of the particle must say; together in memory, as lines come in any
  /// order.
  struct Expected {
    std::int64_t id = 0;
    std::int64_t residue = 0;
    std::int64_t molecule = 0;
    std::uint32_t alike = 0;  ///< the first particle with the same texts
    std::uint32_t frame = 0;  ///< that it was seen in last, counted in reading
  };

  void expect_table();
  std::size_t index_of_id(std::int64_t id) const;
  void check_same(std::size_t place, const ParticleColumns& columns,
                  const std::vector<std::string_view>& fields) const;
  void check_same_element(std::size_t place, const ParticleColumns& columns,
                          const std::vector<std::string_view>& fields) const;

  ParticleTable table_;
  std::vector<Expected> expected_;
  std::uint32_t frame_ = 0;  ///< counted in reading
  std::size_t lines_ = 0;    ///< of this frame
};

/// Takes the lines of the first frame. `position_of(fields)` tells the Vec3 of a line,
/// whose fields it checks.
template <class PositionOf>
void read_first_lines(TextFile& file, std::uint64_t atoms,
                      const ParticleColumns& columns, PositionOf position_of,
                      TextParticles& particles) {
  std::vector<std::string_view> fields;
  read_atoms(file, atoms, [&](std::string_view line) {
    split_fields(line, fields);
    position_of(fields);
    particles.add(columns, fields);
  });
}

/// Reads the lines of a frame, the position of each to where its particle stands. Tells
/// the order if `frame` has one.
template <class PositionOf>
void read_particles(TextFile& file, std::uint64_t atoms, const ParticleColumns& columns,
                    PositionOf position_of, TextParticles& particles, Frame& frame) {
  particles.start_frame(file, atoms);
  std::vector<double>& out = frame.positions.front();
  out.resize(3 * atoms);
  FileOrder* order = frame.order.empty() ? nullptr : &frame.order.front();
  if (order != nullptr) {
    order->row.resize(atoms);
    order->id = particles.ids();
  }
  std::vector<std::string_view> fields;
  std::uint32_t row = 0;
  UnwrittenPositions unwritten;
  read_atoms(file, atoms, [&](std::string_view line) {
    split_fields(line, fields);
    const Vec3 p = position_of(fields);
    unwritten.add(p);
    const std::size_t particle = particles.place(columns, fields);
    out[3 * particle] = p.x;
    out[3 * particle + 1] = p.y;
    out[3 * particle + 2] = p.z;
    if (order != nullptr) {
      order->row[particle] = row;
    }
    ++row;
  });
  unwritten.finish();
}

}  // namespace starhist::io
