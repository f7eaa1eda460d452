#pragma once

#include <array>
#include <string>

#include "io/export/analysis_tables.hh"

namespace starhist::io {

/// Counts that a quantity needs. Each value includes the ones before it.
enum class CountsNeeded {
  any,                ///< one block
  in_space,           ///< bins of equal width, in space
  from_zero,          ///< no r_min
  all_pairs,          ///< no excluded pairs, no particles in two species
  all_species_pairs,  ///< each pair of species
};

/// A quantity of `starhist analyze`. Parsing, messages, help, manual pages, shell
/// completion and docs/reference/options.md follow from it.
struct AnalysisQuantity {
  const char* name;           ///< value of --quantity: "s2"
  const char* help;           ///< lines after the name, each with its newline
  const char* examples = "";  ///< commands, each with its newline
  /// Names of the accepted options, separated by spaces. An option that no quantity
  /// names is for all of them.
  const char* options;
  CountsNeeded needs = CountsNeeded::in_space;
  /// Returns the table of a result with the needed counts. Throws InputError for other
  /// requirements. Null: a quantity of write_lag_analysis().
  AnalysisTable (*make_table)(const ResultFile&, const AnalysisRequest&) = nullptr;
};

/// The quantities, each defined next to its table in io/export/tables.
namespace quantities {

extern const AnalysisQuantity structure_factor, x_ray, neutron, charge,
    total_distribution, pair_entropy, kirkwood_buff, block_length, legendre,
    intermediate, intermediate_self, intermediate_distinct;

/// In the order of the help; quantities of results of starhist vanhove are last.
inline constexpr std::array all{
    &structure_factor,   &x_ray,        &neutron,           &charge,
    &total_distribution, &pair_entropy, &kirkwood_buff,     &block_length,
    &legendre,           &intermediate, &intermediate_self, &intermediate_distinct};

}  // namespace quantities

/// True for the quantities of results of starhist vanhove.
inline bool needs_lags(const AnalysisQuantity& quantity) {
  return quantity.make_table == nullptr;
}

/// True if the quantity accepts an option, such as "r-cut".
bool accepts(const AnalysisQuantity& quantity, const std::string& option);

}  // namespace starhist::io
