#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codelets/core/analysis/kirkwood_buff.hh"
#include "codelets/core/analysis/scattering_sums.hh"
#include "io/export/export.hh"

namespace starhist::io {

/// What is made of the counts by `starhist analyze`.
enum class Analysis {
  structure_factor,  ///< "sq": partial S(q), and that of all particles alike
  x_ray,             ///< "xray": I(q) and total S(q) with X-ray form factors
  neutron,           ///< "neutron": the same with neutron scattering lengths
  kirkwood_buff,     ///< "kirkwood-buff": running integrals
  block_length,      ///< "blocks": are the blocks long enough for the errors
};

enum class Partials { faber_ziman, ashcroft_langreth };

/// Names as on the command line; InputError for any other.
Analysis parse_analysis(const std::string& name);
std::string to_string(Analysis analysis);
Partials parse_partials(const std::string& name);
std::string to_string(Partials partials);
analysis::Window parse_window(const std::string& name);
std::string to_string(analysis::Window window);
analysis::TailCorrection parse_tail_correction(const std::string& name);

struct AnalysisRequest {
  Analysis analysis = Analysis::structure_factor;
  ExportFormat format = ExportFormat::csv;
  std::vector<SpeciesPair> pairs;  ///< empty: all
  bool errors = false;

  // structure factors and intensities
  bool debye = false;                ///< sum over all pairs as they were counted
  std::optional<Partials> partials;  ///< default: Faber-Ziman, of Debye sums the other
  analysis::Window window = analysis::Window::none;
  std::optional<double> q_min, q_max, q_step;   ///< 1 / length unit
  std::map<std::string, std::string> elements;  ///< of species that are not named so

  std::optional<double> r_cut;  ///< default: as far as the quantity is defined
  analysis::TailCorrection correction =
      analysis::TailCorrection::none;  ///< of Kirkwood-Buff integrals
};

/// Writes one table and returns what the user should be told beside it, a sentence
/// each. Throws InputError when the result cannot give the quantity, RunError when
/// `out` fails.
std::vector<std::string> write_analysis(std::ostream& out, const ResultFile& result,
                                        const AnalysisRequest& request);

}  // namespace starhist::io
