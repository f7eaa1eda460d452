#include "codelets/core/counting/pair_exclusions.hh"

#include "codelets/core/base/contract.hh"
#include "codelets/core/base/error.hh"

namespace starhist {
namespace {

void check_sizes(const SpeciesMembers& species, bool with_compounds) {
  const bool fits =
      (species.particle.empty() || species.particle.size() == species.count) &&
      (!with_compounds || species.compound.size() == species.count.value_or(0));
  if (!fits) {
    throw InternalError("the particles of a species are not described one by one");
  }
}

/// Number of particles that are in both species.
std::uint64_t shared_particles(const SpeciesMembers& a, const SpeciesMembers& b,
                               bool with_compounds) {
  std::uint64_t shared = 0;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.particle.size(); ++i) {
    while (j < b.particle.size() && b.particle[j] < a.particle[i]) {
      ++j;
    }
    if (j < b.particle.size() && b.particle[j] == a.particle[i]) {
      if (with_compounds && a.compound[i] != b.compound[j]) {
        throw InternalError("a particle is in two units");
      }
      ++shared;
    }
  }
  return shared;
}

std::uint64_t pairs_within(const std::vector<CompoundPairs>& compounds) {
  std::uint64_t pairs = 0;
  for (const CompoundPairs& of_pair : compounds) {
    pairs += of_pair.pair_count();
  }
  return pairs;
}

/// Number of particles that are in both species of an unlike pair in this frame.
std::uint64_t shared_in(const Frame& frame, const SpeciesPair& pair) {
  if (pair.like() || frame.shared_particles.empty()) {
    return 0;
  }
  const std::size_t species = frame.positions.size();
  STARHIST_EXPECT(frame.shared_particles.size() == species * species,
                  "shared_particles has an entry for each pair of species");
  return frame.shared_particles[pair.first.index() * species + pair.second.index()];
}

}  // namespace

PairExclusions::PairExclusions(const HistogramLayout& layout,
                               const std::vector<SpeciesMembers>& members) {
  if (members.size() != layout.species.size()) {
    throw InternalError("not all species have their particles described");
  }
  const bool with_compounds = layout.exclusion != Exclusion::none;
  for (const SpeciesMembers& species : members) {
    check_sizes(species, with_compounds);
    numbers_.push_back(species.count);
  }
  bool nothing = !with_compounds;
  for (const SpeciesPair& pair : layout.pairs) {
    const SpeciesMembers& first = members[pair.first.index()];
    const SpeciesMembers& second = members[pair.second.index()];
    shared_.push_back(pair.like() ? 0
                                  : shared_particles(first, second, with_compounds));
    compounds_.push_back(
        with_compounds ? CompoundPairs(first.compound, second.compound, pair.like())
                       : CompoundPairs());
    nothing = nothing && shared_.back() == 0;
  }
  if (nothing) {
    numbers_.clear();
  }
}

void PairExclusions::check(const HistogramLayout& layout, const Frame& frame) const {
  for (std::uint32_t s = 0; s < numbers_.size(); ++s) {
    const std::uint64_t count = frame.particle_count(SpeciesId(s));
    if (numbers_[s] && count != *numbers_[s]) {
      throw InputError("frame " + std::to_string(frame.index.get()) + " has " +
                       std::to_string(count) + " particles of species " +
                       layout.species[s] + ", not the " + std::to_string(*numbers_[s]) +
                       " that the exclusion of pairs is made for (it needs the same "
                       "particles in all frames)");
    }
  }
}

PairNumbers PairExclusions::numbers(const HistogramLayout& layout,
                                    const Frame& frame) const {
  check(layout, frame);
  PairNumbers numbers;
  for (std::uint32_t p = 0; p < layout.pairs.size(); ++p) {
    const std::uint64_t left_out = excluded(layout, frame, PairId(p));
    const std::uint64_t all = pair_count(layout, frame, PairId(p));
    STARHIST_ENSURE(left_out <= all, "no more pairs are excluded than the frame has");
    numbers.counted.push_back(all - left_out);
    numbers.excluded.push_back(left_out);
    numbers.work += all;
  }
  if (counts_only_same(layout.exclusion)) {
    numbers.work = pairs_within(compounds_);
  }
  return numbers;
}

std::uint64_t PairExclusions::excluded(const HistogramLayout& layout,
                                       const Frame& frame, PairId pair) const {
  if (numbers_.empty()) {
    return shared_in(frame, layout.pairs[pair.index()]);
  }
  const std::uint64_t shared = shared_[pair.index()];
  if (layout.exclusion == Exclusion::none) {
    return shared;
  }
  // Pairs within compounds include those of a shared particle with itself.
  const std::uint64_t in_compounds = compounds_[pair.index()].pair_count();
  return counts_only_same(layout.exclusion)
             ? pair_count(layout, frame, pair) - (in_compounds - shared)
             : in_compounds;
}

std::uint64_t PairExclusions::work(const HistogramLayout& layout,
                                   const Frame& frame) const {
  if (!counts_only_same(layout.exclusion)) {
    return pair_count(layout, frame);
  }
  return pairs_within(compounds_);
}

std::uint64_t PairExclusions::self_pairs(Exclusion exclusion, std::uint64_t excluded,
                                         PairId pair) const {
  if (numbers_.empty() || exclusion == Exclusion::none) {
    return excluded;  // there are no others
  }
  return counts_only_same(exclusion) ? shared_[pair.index()] : 0;
}

const CompoundPairs& PairExclusions::compounds(PairId pair) const {
  static const CompoundPairs none;
  STARHIST_EXPECT(compounds_.empty() || pair.index() < compounds_.size(),
                  "the layout has this pair");
  return compounds_.empty() ? none : compounds_[pair.index()];
}

}  // namespace starhist
