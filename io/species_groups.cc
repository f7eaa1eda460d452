#include "io/species_groups.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/error.hh"
#include "codelets/core/text.hh"
#include "io/species_order.hh"

namespace starhist {
namespace {

[[noreturn]] void refuse(const std::string& rules, std::size_t position,
                         const std::string& what) {
  throw InputError("--species: " + what + " at character " +
                   std::to_string(position + 1) + " of '" + rules +
                   "' (rules are NAME=SPECIES SPECIES ...; NAME=...)");
}

/// The next word from `position` on, up to a blank, '=' or ';'.
std::string take_word(const std::string& rules, std::size_t& position) {
  position = std::min(rules.find_first_not_of(" \t", position), rules.size());
  const std::size_t end =
      std::min(rules.find_first_of(" \t=;", position), rules.size());
  const std::string word = rules.substr(position, end - position);
  position = std::min(rules.find_first_not_of(" \t", end), rules.size());
  return word;
}

bool at(const std::string& rules, std::size_t position, char c) {
  return position < rules.size() && rules[position] == c;
}

SpeciesGroup take_group(const std::string& rules, std::size_t& position) {
  SpeciesGroup group;
  group.name = take_word(rules, position);
  if (group.name.empty()) {
    refuse(rules, position, "no name");
  }
  if (!at(rules, position, '=')) {
    refuse(rules, position, "no '=' after '" + group.name + "'");
  }
  ++position;
  for (;;) {
    std::size_t next = position;
    const std::string member = take_word(rules, next);
    if (member.empty()) {
      break;
    }
    position = next;
    group.members.push_back(member);
  }
  if (group.members.empty()) {
    refuse(rules, position, "no species for '" + group.name + "'");
  }
  return group;
}

void check_once(const std::string& rules, const std::vector<SpeciesGroup>& groups) {
  std::vector<std::string> names;
  std::vector<std::string> members;
  for (const SpeciesGroup& group : groups) {
    names.push_back(group.name);
    members.insert(members.end(), group.members.begin(), group.members.end());
  }
  for (std::vector<std::string>* words : {&names, &members}) {
    std::sort(words->begin(), words->end());
    const auto twice = std::adjacent_find(words->begin(), words->end());
    if (twice != words->end()) {
      throw InputError("--species: '" + *twice + "' stands twice in '" + rules + "'");
    }
  }
}

}  // namespace

std::vector<SpeciesGroup> parse_species_groups(const std::string& rules) {
  std::vector<SpeciesGroup> groups;
  std::size_t position = 0;
  for (;;) {
    position = std::min(rules.find_first_not_of(" \t", position), rules.size());
    if (position == rules.size() && !groups.empty()) {
      break;  // after the last semicolon
    }
    groups.push_back(take_group(rules, position));
    position = std::min(rules.find_first_not_of(" \t", position), rules.size());
    if (position == rules.size()) {
      break;
    }
    if (!at(rules, position, ';')) {
      refuse(rules, position, "no ';'");
    }
    ++position;
  }
  check_once(rules, groups);
  return groups;
}

GroupedTrajectory::GroupedTrajectory(std::unique_ptr<TrajectoryReader> reader,
                                     const std::vector<SpeciesGroup>& groups)
    : reader_(std::move(reader)), info_(reader_->info()) {
  const std::vector<std::string> species = std::exchange(info_.species, {});
  info_.members.clear();  // their order is not that of the particles any more
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
        throw InputError("--species: there is no species '" + member + "' for '" +
                         group.name + "' in " + info_.paths.front() + " (it has " +
                         join(species, ", ") + ")");
      }
      members.push_back(static_cast<std::size_t>(found - species.begin()));
    }
  }
}

void GroupedTrajectory::read(FrameIndex index, Frame& frame) {
  reader_->read(index, scratch_);
  frame.index = scratch_.index;
  frame.step = scratch_.step;
  frame.time = scratch_.time;
  frame.box = scratch_.box;
  frame.positions.resize(members_.size());
  for (std::size_t s = 0; s < members_.size(); ++s) {
    std::vector<double>& positions = frame.positions[s];
    positions.swap(scratch_.positions[members_[s].front()]);  // memory is used again
    for (std::size_t k = 1; k < members_[s].size(); ++k) {
      const auto& more = scratch_.positions[members_[s][k]];
      positions.insert(positions.end(), more.begin(), more.end());
    }
  }
}

}  // namespace starhist
