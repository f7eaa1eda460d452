#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "io/export/export.hh"
#include "io/export/result_units.hh"
#include "io/result/coordination_result.hh"

namespace starhist::io {

/// Quantity of a result of starhist coordination.
enum class NeighbourQuantity {
  distribution,  ///< P(n), the fraction of particles with n neighbours
  counts,        ///< particles with n neighbours, summed over frames; integers
  mean,          ///< mean number of neighbours of a particle
  per_frame,     ///< mean of each frame
  per_particle,  ///< mean of each particle over all frames
};

/// Parses "distribution", "counts", "mean", "per-frame" and "per-particle". Throws
/// InputError for other names, with the path of the result.
NeighbourQuantity parse_neighbour_quantity(const std::string& name,
                                           const std::string& path);

/// Options of `starhist export` for a result of starhist coordination.
struct NeighbourExportRequest {
  NeighbourQuantity quantity = NeighbourQuantity::distribution;
  ExportFormat format = ExportFormat::csv;
  std::string pairs;    ///< names, comma-separated: "O-H"; "": all
  bool errors = false;  ///< for distribution and mean
};

/// Optional parts of the result: "per frame", "per particle", both separated by a
/// comma, or "per block" without any.
std::string recorded_text(const CoordinationResult& result);

/// Mean number of neighbours of a shell, and its jackknife error over the blocks.
struct MeanNeighbours {
  double value = 0.0;  ///< NaN without particles
  double error = 0.0;  ///< NaN from fewer than two blocks
};
MeanNeighbours mean_neighbours(const CoordinationResult& result, std::size_t shell);

/// analysis::error_caveat() for the distributions of these shells: numbers of
/// neighbours in place of bins, and numbers per frame in place of g(r). Needs two
/// blocks or more.
std::string neighbour_caveat(const CoordinationResult& result,
                             const std::vector<std::size_t>& shells);

/// Sets the units that the result lacks, and converts its cut-offs, which are then
/// rounded.
void set_units(CoordinationResult& result, const ShownUnits& units);

/// Writes one table. Throws InputError and RunError, and returns messages, like
/// write_export().
std::vector<std::string> write_neighbour_export(std::ostream& out,
                                                const CoordinationResult& result,
                                                const NeighbourExportRequest& request);

}  // namespace starhist::io
