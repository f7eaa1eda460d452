#pragma once

#include <string>
#include <vector>

#include "codelets/core/counting/exclusion.hh"
#include "driver/options/neighbours/cutoff_list.hh"

namespace starhist::driver {

/// Cut-offs at the first minima of g(r) in a result of starhist rdf.
struct FirstMinima {
  std::string length_unit;          ///< of the result; "": unknown
  Exclusion exclusion;              ///< of the result
  std::vector<CutoffEdge> cutoffs;  ///< by pair, at edges of the result's bins
};

/// Finds the first minimum of each pair as starhist peaks does, with the script
/// first_minima.py. Throws InputError if the result cannot be read or lacks a pair, if
/// a minimum is missing or ambiguous, or if Python is missing.
FirstMinima first_minima(const std::string& result,
                         const std::vector<std::string>& pairs);

}  // namespace starhist::driver
