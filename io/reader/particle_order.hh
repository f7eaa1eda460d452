#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/counting/frame.hh"

namespace starhist::io {

/// Assigns particles to the rows of an output file: in the order of the input
/// (Frame::order) or, if that is unknown, species by species. Particles with ids keep
/// the row of the first frame, because the order of a dump may change between frames.
class ParticleOrder {
 public:
  /// `species`: names for messages. Throws InputError like gather().
  ParticleOrder(std::vector<std::string> species, const Frame& first);

  std::size_t count() const { return species_.size(); }

  /// Sets `positions` to x, y, z of each row. Throws InputError when the number or the
  /// ids of the particles differ from the first frame, when a particle belongs to two
  /// species, and when an id occurs twice.
  void gather(const Frame& frame, std::vector<double>& positions);

  /// Species index of each row, in the frame gathered last.
  const std::vector<std::int32_t>& species() const { return species_; }
  /// Number of each row's particle among all particles of the first frame
  /// (FileOrder::row).
  const std::vector<std::uint32_t>& places() const { return places_; }
  /// Id of each row; empty if the first frame lacks ids for some particles.
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
  /// number of particles by species, in the first frame
  std::vector<std::uint64_t> counts_;
  std::vector<std::int32_t> species_;
  std::vector<std::uint32_t> places_;
  std::vector<std::int64_t> ids_;
  std::vector<std::uint32_t> rows_by_id_;         ///< all rows, sorted by id
  std::vector<FileOrder> order_;                  ///< order of the frame gathered last
  std::vector<std::vector<std::uint32_t>> rows_;  ///< rows of its particles, by species
};

}  // namespace starhist::io
