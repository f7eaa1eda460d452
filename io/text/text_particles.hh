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

/// Columns of a text file that hold properties of particles; empty for a property that
/// the file does not have.
struct ParticleColumns {
  /// indexed by ParticleField
  std::array<std::optional<std::size_t>, column_fields> field;
  std::optional<std::size_t> mass;
  std::optional<std::size_t> charge;
  /// Provides elements if `field` has no element column.
  std::optional<std::size_t> atomic_number;

  std::optional<std::size_t>& of(ParticleField which) {
    return field[static_cast<std::size_t>(which)];
  }
  const std::optional<std::size_t>& of(ParticleField which) const {
    return field[static_cast<std::size_t>(which)];
  }
};

/// The particles of a text trajectory, identified by their ids or, in a file without
/// ids, by their order. All frames must have the same particles.
class TextParticles {
 public:
  /// Adds the next line of the first frame. Throws InputError if a numeric column is
  /// not a number.
  void add(const ParticleColumns& columns, const std::vector<std::string_view>& fields);

  /// Completes the first frame and returns its particles sorted by id. Throws
  /// InputError when an id occurs twice.
  const ParticleTable& finish();

  /// To be called before the lines of a frame. Throws InputError if its number of
  /// particles differs from the first frame's.
  void start_frame(const TextFile& file, std::uint64_t count);

  /// In table order; empty in a file without ids.
  const std::vector<std::int64_t>& ids() const { return table_.id; }

  /// Returns the table index of the particle on the next line. Throws InputError when
  /// it is missing in the first frame, has occurred in this frame already, or differs
  /// from the first frame in other columns.
  std::size_t place(const ParticleColumns& columns,
                    const std::vector<std::string_view>& fields);

 private:
  /// Required values of a particle's line. They are adjacent in memory because lines
  /// come in any order.
  struct Expected {
    std::int64_t id = 0;
    std::int64_t residue = 0;
    std::int64_t molecule = 0;
    std::uint32_t alike = 0;  ///< the first particle with the same texts
    /// last frame with this particle, counted in reading order
    std::uint32_t frame = 0;
  };

  void expect_table();
  std::size_t index_of_id(std::int64_t id) const;
  void check_same(std::size_t place, const ParticleColumns& columns,
                  const std::vector<std::string_view>& fields) const;
  void check_same_element(std::size_t place, const ParticleColumns& columns,
                          const std::vector<std::string_view>& fields) const;

  ParticleTable table_;
  std::vector<Expected> expected_;
  std::uint32_t frame_ = 0;  ///< current frame, counted in reading order
  std::size_t lines_ = 0;    ///< lines read of this frame
};

/// Reads the lines of the first frame. `position_of(fields)` checks a line and returns
/// its Vec3.
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

/// Reads the lines of a frame and stores each position at its particle's table index.
/// Sets the order in the file if `frame.order` is not empty.
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
