#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codelets/core/base/ids.hh"

namespace starhist {

/// Two species, first <= second; like() if they are the same.
struct SpeciesPair {
  SpeciesId first;
  SpeciesId second;

  bool like() const { return first == second; }
  friend bool operator==(const SpeciesPair&, const SpeciesPair&) = default;
};

/// Number of unordered pairs: n(n-1)/2 for a like pair of n particles, n_first *
/// n_second for an unlike one.
///
/// Example: 4 O and 8 H make 6 O-O, 28 H-H and 32 H-O pairs.
std::uint64_t pair_count(const SpeciesPair& pair, std::uint64_t n_first,
                         std::uint64_t n_second);

/// All pairs of `species_count` species: (0,0), (0,1), ..., (1,1), ...
std::vector<SpeciesPair> all_pairs(std::size_t species_count);

/// "H-O" from the names of the two species.
std::string pair_name(const SpeciesPair& pair, const std::vector<std::string>& species);

/// A pair, and which of its species is the centre of n(r).
struct CentredPair {
  SpeciesPair pair;
  bool reversed = false;  ///< true if the second species of the pair is the centre

  friend bool operator==(const CentredPair&, const CentredPair&) = default;
};

/// The name with the centre first, such as "O-H" for the reversed pair H-O.
std::string centred_name(const CentredPair& pair,
                         const std::vector<std::string>& species);

/// The pairs named in a list such as "O-O,H-O", in that order, without repetition;
/// "O-H" and "H-O" are the same pair. Species names may contain '-'. Throws InputError
/// for a name that is not a pair of these species.
std::vector<SpeciesPair> parse_pairs(const std::string& list,
                                     const std::vector<std::string>& species);

/// parse_pairs() with the first species of each name as the centre: "O-H" and "H-O"
/// differ.
std::vector<CentredPair> parse_centred_pairs(const std::string& list,
                                             const std::vector<std::string>& species);

}  // namespace starhist
