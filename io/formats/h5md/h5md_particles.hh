#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/formats/h5md/h5md_labels.hh"
#include "io/formats/h5md/h5md_presence.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The particles of an H5MD group, told apart: by `id` where there is one, as writers
/// such as ESPResSo put them into another order in each frame, else by their places.
class H5mdParticles {
 public:
  /// Refers to `frames`, which must outlive it. Throws InputError when two particles of
  /// the first frame have the same id, or a column does not fit them.
  H5mdParticles(hid_t particle_group, const H5mdSampling& frames,
                std::uint64_t particle_count);

  /// Of the first frame: species (as `name` where they have names, else as `type`),
  /// `id`, `mass`, `charge`, and what else is there by the name that selections have
  /// for it: name, type, element, resname, resid, icode, chain, segment, molecule, one
  /// value per particle.
  const ParticleTable& table() const { return table_; }

  /// TrajectoryInfo::sequential_only
  bool sequential_only() const {
    return labels_.sequential_only() || presence_.sequential_only() ||
           (id_ && id_->sequential_only());
  }

  /// Rows of the position array with a particle in this frame, ascending. Throws
  /// InputError unless they are the particles of the table.
  const std::vector<std::uint32_t>& rows(std::uint64_t frame);

  /// Place in rows() of each particle of the table, in the frame gone to.
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// Moves the positions of these rows to where their particles stand in the table.
  void sort(std::vector<double>& positions);

 private:
  bool go_to(std::uint64_t frame);
  void find_rows();
  void read_columns(hid_t particle_group, std::uint64_t particle_count);
  void check_same() const;
  std::string name_of(std::uint32_t row) const;

  H5mdLabels labels_;
  H5mdPresence presence_;
  std::optional<H5mdRow> id_;
  std::uint64_t particle_count_;
  std::string place_;  ///< for messages
  ParticleTable table_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> order_;  ///< place in rows_ of each particle of the table
  bool sorted_ = true;                ///< order_ is 0, 1, 2, ...
  bool valid_ = false;
  std::vector<double> scratch_;
};

}  // namespace starhist::io
