#pragma once

#include <string>
#include <vector>

#include "driver/options/neighbours/cutoff_list.hh"

namespace starhist::driver {

/// Cut-offs at the first minima of g(r) in a result of starhist rdf.
struct FirstMinima {
  std::string length_unit;          ///< of the result; "": unknown
  std::vector<CutoffEdge> cutoffs;  ///< by pair, at edges of the result's bins
};

/// Finds the first minimum of each pair as starhist peaks does, with the script
/// first_minima.py. Returns its output, for parse_first_minima(). Throws InputError if
/// the result cannot be read or lacks a pair, if a minimum is missing or ambiguous, or
/// if Python is missing.
std::string find_first_minima(const std::string& result,
                              const std::vector<std::string>& pairs);

/// `pairs`: number of pairs of find_first_minima().
FirstMinima parse_first_minima(const std::string& text, std::size_t pairs);

}  // namespace starhist::driver
