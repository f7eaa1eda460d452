#include "io/trajectory/grouped_trajectory.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/species_order.hh"
#include "io/selection/selection_hints.hh"

namespace starhist::io {
namespace {

/// Explains how to write a range if a species name looks like one.
std::string range_remedy(const std::string& name) {
  const std::size_t dash = name.find('-');
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (dash == std::string::npos || !is_number(name.substr(0, dash)) ||
      !is_number(name.substr(dash + 1))) {
    return "";
  }
  return " (a range of types is written " + name.substr(0, dash) + "*" +
         name.substr(dash + 1) + ")";
}

/// A trajectory whose species are groups of another one's species; the remaining
/// species are left out. For rules that do not refer to single particles.
class GroupedTrajectory : public TrajectoryReader {
 public:
  /// Throws InputError when a group names a species that the file does not have.
  GroupedTrajectory(std::unique_ptr<TrajectoryReader> reader,
                    const std::vector<SpeciesGroup>& groups)
      : reader_(std::move(reader)), info_(reader_->info()) {
    const std::vector<std::string> species = std::exchange(info_.species, {});
    info_.members.clear();  // their order would differ from the order of the particles
    for (const SpeciesGroup& group : groups) {
      info_.species.push_back(group.name);
    }
    sort_species(info_.species);
    members_.resize(info_.species.size());
    for (const SpeciesGroup& group : groups) {
      const auto place =
          std::find(info_.species.begin(), info_.species.end(), group.name);
      auto& members = members_[static_cast<std::size_t>(place - info_.species.begin())];
      for (const std::string& member : group.members) {
        const auto found = std::find(species.begin(), species.end(), member);
        if (found == species.end()) {
          std::string remedy = did_you_mean(member, species) + range_remedy(member);
          if (remedy.empty()) {
            remedy = selection_hint(member);
          }
          throw InputError(
              "--species: " + group.name + ": unknown species '" + member +
              "': it is neither a species of " + info_.paths.front() + " (" +
              listed(species) +
              ") nor a keyword of selections, such as name, type or element" + remedy);
        }
        members.push_back(static_cast<std::size_t>(found - species.begin()));
      }
    }
    group_elements();
  }

  const TrajectoryInfo& info() const override { return info_; }

  void read(FrameIndex index, Frame& frame) override {
    reader_->read(index, scratch_);
    frame.index = scratch_.index;
    frame.step = scratch_.step;
    frame.time = scratch_.time;
    frame.box = scratch_.box;
    frame.positions.resize(members_.size());
    for (std::size_t s = 0; s < members_.size(); ++s) {
      std::vector<double>& positions = frame.positions[s];
      positions.swap(scratch_.positions[members_[s].front()]);  // reuses memory
      for (std::size_t k = 1; k < members_[s].size(); ++k) {
        const auto& more = scratch_.positions[members_[s][k]];
        positions.insert(positions.end(), more.begin(), more.end());
      }
    }
    if (!scratch_.order.empty()) {
      group_order(frame.order);
    }
  }

  StepAndTime read_moment(FrameIndex index, Frame& /*scratch*/) override {
    return reader_->read_moment(index, scratch_);
  }

 private:
  void group_elements() {
    const std::vector<SpeciesElement> elements = std::exchange(info_.elements, {});
    for (const std::vector<std::size_t>& members : members_) {
      std::vector<SpeciesElement> of_group;
      for (const std::size_t member : members) {
        of_group.push_back(elements.empty() ? SpeciesElement() : elements[member]);
      }
      info_.elements.push_back(united(of_group));
    }
  }

  /// Groups FileOrder like read() groups positions.
  void group_order(std::vector<FileOrder>& grouped) {
    grouped.resize(members_.size());
    for (std::size_t s = 0; s < members_.size(); ++s) {
      FileOrder& order = grouped[s];
      std::swap(order, scratch_.order[members_[s].front()]);
      for (std::size_t k = 1; k < members_[s].size(); ++k) {
        const FileOrder& more = scratch_.order[members_[s][k]];
        order.row.insert(order.row.end(), more.row.begin(), more.row.end());
        order.id.insert(order.id.end(), more.id.begin(), more.id.end());
      }
    }
  }

  std::unique_ptr<TrajectoryReader> reader_;
  TrajectoryInfo info_;
  /// for each species, indices of the file's species
  std::vector<std::vector<std::size_t>> members_;
  Frame scratch_;
};

}  // namespace

std::unique_ptr<TrajectoryReader> with_species_grouped(
    std::unique_ptr<TrajectoryReader> reader, const std::vector<SpeciesGroup>& groups) {
  return std::make_unique<GroupedTrajectory>(std::move(reader), groups);
}

}  // namespace starhist::io
