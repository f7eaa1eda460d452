#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/analysis/radial_distribution.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

/// Quantity to export, summed or averaged over all blocks of the result.
enum class Quantity {
  counts,        ///< pairs per bin, integers
  g,             ///< radial distribution function
  density,       ///< number density around a particle, both directions
  pmf,           ///< potential of mean force, -ln g(r)
  coordination,  ///< running coordination number, both directions of an unlike pair
  // Results with a second axis have the following:
  second_g,       ///< "axis2": distribution by distance and second axis
  second_counts,  ///< "axis2-counts": pairs by distance and second axis
};

enum class ExportFormat {
  csv,   ///< comments with '#', one line of names, comma-separated columns
  xvg,   ///< Grace, as GROMACS writes it: plot with xmgrace -nxy
  json,  ///< one object
};

std::string to_string(Quantity quantity);
/// Parse the names that to_string() returns, and "csv", "xvg", "json". Throw InputError
/// for other names.
Quantity parse_quantity(const std::string& name);
ExportFormat parse_export_format(const std::string& name);

/// Options of `starhist export`.
struct ExportRequest {
  Quantity quantity = Quantity::g;
  ExportFormat format = ExportFormat::csv;
  analysis::Normalization normalization =
      analysis::Normalization::pairs_over_volume;  ///< for g and pmf
  std::vector<SpeciesPair> pairs;  ///< columns in this order; empty: all pairs
  /// Centres in the order of their columns, for density and coordination, which have
  /// both directions of an unlike pair; empty: the order of the layout.
  std::vector<CentredPair> directions = {};
  /// add a column of standard errors after each column; not for counts
  bool errors = false;
  analysis::Rebinning rebinning = {};  ///< merging of bins
  /// Width of a running mean [length unit]: g, density and pmf, without rebinning.
  std::optional<double> smooth = {};
  bool per_block = false;  ///< a column per block instead of one for all
  /// Temperature for pmf: [K] for kJ/mol; of results in reduced units [epsilon/k_B] for
  /// units of epsilon. Without it pmf is in units of kT.
  std::optional<double> temperature = {};
};

/// Writes one table: r, then a column per pair (per direction for coordination).
///
/// r is the upper bin edge for coordination, the bin centre for other quantities;
/// counts and merged bins also have the lower and upper edge in csv and json. Numbers
/// survive a round trip, except that r is printed as decimal_text().
/// Undefined values, such as g beyond ShellVolumes::defined(), are empty in csv and
/// null in json; xvg omits the line, or the column if all its values are undefined. A
/// message reports lines in which other curves are defined.
///
/// Throws InputError when the result has no block or no such pair, when the quantity
/// cannot be computed from it (see radial_distribution()), or when errors are requested
/// from fewer than two blocks or for counts; RunError when `out` fails. Returns
/// messages for the user.
std::vector<std::string> write_export(std::ostream& out, const ResultFile& result,
                                      const ExportRequest& request);

}  // namespace starhist::io
