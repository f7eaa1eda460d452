#pragma once

#include <cstdint>
#include <functional>
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
  /// Refers to `frames`, which must outlive it. `nan_filled`: see H5mdLabels.
  /// `first_end(tell_absent())`: the particles of the first frame from this one on are
  /// absent. Throws InputError when two particles of the first frame have the same id,
  /// or a column does not fit them.
  H5mdParticles(hid_t particle_group, const H5mdSampling& frames,
                std::uint64_t particle_count, bool nan_filled,
                const std::function<std::uint64_t(bool tell_absent)>& first_end);

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

  /// Rows of the position array with a particle in this frame, ascending. The particles
  /// from `end` on are absent. Throws InputError unless they are the particles of the
  /// table.
  const std::vector<std::uint32_t>& rows(std::uint64_t frame,
                                         std::uint64_t end = UINT64_MAX);

  /// Particles of the last rows() that are absent by their species, ascending.
  const std::vector<std::uint32_t>& without_species() const { return without_species_; }

  /// Whether ids or species tell which particles are absent.
  bool tell_absent() const { return labels_.tell_absent() || presence_.by_ids(); }

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
  std::vector<std::uint32_t> without_species_;
  std::vector<std::uint32_t> order_;  ///< place in rows_ of each particle of the table
  bool sorted_ = true;                ///< order_ is 0, 1, 2, ...
  bool valid_ = false;
  std::vector<double> scratch_;
};

}  // namespace starhist::io
