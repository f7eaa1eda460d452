#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"

namespace starhist::io {

/// The rows of the particles in a file that is written: in the order of the frames that
/// are read (Frame::order; without, one species after the other). Particles with ids
/// keep the row that they have in the first frame, as dumps may have them in another
/// order in each.
class ParticleOrder {
 public:
  /// `species`: names, for messages. Throws InputError as gather() does.
  ParticleOrder(std::vector<std::string> species, const Frame& first);

  std::size_t count() const { return species_.size(); }

  /// x, y, z of each row. Throws InputError when the frame has another number of
  /// particles than the first, or others by their ids, when a particle is of two
  /// species, and when an id stands twice.
  void gather(const Frame& frame, std::vector<double>& positions);

  /// Index of the species of each row, in the frame that was gathered last.
  const std::vector<std::int32_t>& species() const { return species_; }
  /// Number of the particle of each row among all particles of the first frame
  /// (FileOrder::row).
  const std::vector<std::uint32_t>& places() const { return places_; }
  /// Of each row; empty when the first frame does not tell all of them.
  const std::vector<std::int64_t>& ids() const { return ids_; }

 private:
  void check_count(const Frame& frame) const;
  void go_to(const Frame& frame);
  void find_rows_by_place();
  void find_rows_by_id(const Frame& frame);
  void take_places();
  void take_ids(const Frame& first);
  std::uint32_t row_of_id(std::int64_t id, const Frame& frame) const;
  void take_species();

  std::vector<std::string> names_;
  std::vector<std::uint64_t> counts_;  ///< by species, in the first frame
  std::vector<std::int32_t> species_;
  std::vector<std::uint32_t> places_;
  std::vector<std::int64_t> ids_;
  std::vector<std::uint32_t> rows_by_id_;  ///< all rows, in the order of their ids
  std::vector<FileOrder> order_;           ///< of the frame gathered last
  std::vector<std::vector<std::uint32_t>> rows_;  ///< of the same particles
};

}  // namespace starhist::io
