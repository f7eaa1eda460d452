#include "io/species_by_name.hh"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "io/species_order.hh"

namespace starhist {

SpeciesByName::SpeciesByName(std::unique_ptr<TrajectoryReader> reader)
    : reader_(std::move(reader)), info_(reader_->info()) {
  const ParticleTable table = std::exchange(info_.particles, {});
  if (table.name.empty()) {
    return;
  }
  std::unordered_map<std::string, std::size_t> number;
  for (const std::string& name : table.name) {
    number.emplace(name, 0);
  }
  info_.species.clear();
  for (const auto& [name, unused] : number) {
    info_.species.push_back(name);
  }
  sort_species(info_.species);
  for (std::size_t s = 0; s < info_.species.size(); ++s) {
    number[info_.species[s]] = s;
  }
  info_.members.resize(info_.species.size());
  for (std::uint32_t k = 0; k < table.count; ++k) {
    info_.members[number[table.name[k]]].particle.push_back(k);
  }
}

void SpeciesByName::read(FrameIndex index, Frame& frame) {
  if (info_.members.empty()) {
    reader_->read(index, frame);
    return;
  }
  reader_->read(index, all_);
  frame.index = all_.index;
  frame.step = all_.step;
  frame.time = all_.time;
  frame.box = all_.box;
  frame.positions.resize(info_.members.size());
  const std::vector<double>& from = all_.positions[0];
  for (std::size_t s = 0; s < info_.members.size(); ++s) {
    const std::vector<std::uint32_t>& particles = info_.members[s].particle;
    frame.positions[s].resize(3 * particles.size());
    for (std::size_t k = 0; k < particles.size(); ++k) {
      std::copy_n(&from[3 * std::size_t{particles[k]}], 3, &frame.positions[s][3 * k]);
    }
  }
}

}  // namespace starhist
