#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/formats/h5md/h5md_labels.hh"
#include "io/formats/h5md/h5md_presence.hh"
#include "io/particles/particle_table.hh"

namespace starhist::io {

/// The individual particles of an H5MD group, identified by `id`, because writers such
/// as ESPResSo change their order between frames, or, without ids, by their position in
/// the file.
class H5mdParticles {
 public:
  /// `frames` must outlive this object. `nan_filled`: see H5mdLabels.
  /// `first_end(tell_absent())`: index from which the particles of the first frame are
  /// absent. Throws InputError when two particles of the first frame have the same id,
  /// or a column does not match the particles.
  H5mdParticles(hid_t particle_group, const H5mdSampling& frames,
                std::uint64_t particle_count, bool nan_filled,
                const std::function<std::uint64_t(bool tell_absent)>& first_end);

  /// Particles of the first frame: species (as `name` if they have names, otherwise as
  /// `type`), `id`, `mass`, `charge`, and datasets with one value per particle that are
  /// named like fields of selections: name, type, element, resname, resid, icode,
  /// chain, segment, molecule.
  const ParticleTable& table() const { return table_; }

  /// TrajectoryInfo::sequential_only
  bool sequential_only() const {
    return labels_.sequential_only() || presence_.sequential_only() ||
           (id_ && id_->sequential_only());
  }

  /// Returns the rows of the position array that hold a particle in this frame,
  /// ascending. Particles from index `end` on are absent. Throws InputError unless they
  /// are the particles of the table.
  const std::vector<std::uint32_t>& rows(std::uint64_t frame,
                                         std::uint64_t end = UINT64_MAX);

  /// Particles of the last rows() that are absent according to their species,
  /// ascending.
  const std::vector<std::uint32_t>& without_species() const { return without_species_; }
  std::optional<std::uint32_t> only_absent() const { return presence_.only_absent(); }

  /// Whether ids or species indicate absent particles.
  bool tell_absent() const { return labels_.tell_absent() || presence_.by_ids(); }

  /// Index in rows() of each particle of the table, in the current frame.
  const std::vector<std::uint32_t>& order() const { return order_; }

  /// Reorders positions from these rows to table order.
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
  std::vector<std::uint32_t> order_;  ///< index in rows_ of each particle of the table
  bool sorted_ = true;                ///< order_ is 0, 1, 2, ...
  bool valid_ = false;
  std::vector<double> scratch_;
};

}  // namespace starhist::io
