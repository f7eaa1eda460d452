#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "codelets/core/analysis/integrals/kirkwood_buff_values.hh"
#include "codelets/core/analysis/jackknife.hh"
#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"
#include "io/export/export_text.hh"

namespace starhist::io {
namespace {

using Values = std::vector<double>;
using Row = LabelledTable::Row;

// Same order as KirkwoodBuffValues::all().
constexpr std::array method_names{"plain", "Krueger 2013", "Krueger-Vlugt 2018",
                                  "shifted tail", "sub-volumes"};

/// Avogadro's number times (1e-8 cm)^3.
constexpr double cm3_per_mol_per_cubic_angstrom = 0.602214076;

analysis::KirkwoodBuffRanges choose_ranges(const ResultFile& result,
                                           const AnalysisRequest& request,
                                           std::uint32_t count) {
  const std::string limit = "the largest R (--r-cut, or whole spheres in the box)";
  analysis::KirkwoodBuffRanges ranges{count - std::max(1U, count / 5),
                                      std::max(1U, count / 2), count};
  if (request.tail) {
    ranges.tail = bins_below(result, "--tail", *request.tail, count - 1, limit);
  }
  if (request.sub_volumes) {
    ranges.smallest =
        bins_below(result, "--sub-volumes", request.sub_volumes->first, count, limit);
    ranges.largest =
        bins_below(result, "--sub-volumes", request.sub_volumes->second, count, limit);
  }
  if (ranges.largest < ranges.smallest + 2) {
    throw InputError(
        "the line through sub-volumes needs at least three bin edges, but there are " +
        std::to_string(ranges.largest > ranges.smallest
                           ? ranges.largest - ranges.smallest + 1
                           : 0) +
        " (give --sub-volumes SMALLEST,LARGEST further apart, or count with narrower "
        "bins)");
  }
  return ranges;
}

/// The rows of the table, and the function that computes their values from sums.
class ValueRows {
 public:
  ValueRows(const ResultFile& result, const AnalysisRequest& request,
            const analysis::KirkwoodBuffRanges& ranges)
      : layout_(result.layout),
        request_(request),
        ranges_(ranges),
        pairs_(find_pairs(result, request.pairs)) {
    const std::string unit = layout_.length_unit;
    volume_unit_ = unit.empty() ? "length^3" : unit + "^3";
    density_unit_ = unit.empty() ? "1/length^3" : "1/" + unit + "^3";
    if (const auto angstroms = angstroms_per(unit)) {
      cm3_per_mol_ = cm3_per_mol_per_cubic_angstrom * std::pow(*angstroms, 3);
    }
    find_mixture();
    leave_out_mixture_of_more(total(result.blocks));
  }

  /// Why the mixture has no rows; "" if it has, or if its pairs are not chosen.
  const std::string& note() const { return note_; }

  const std::vector<PairId>& pairs() const { return pairs_; }

  /// All values; the first call also makes the rows that they belong to.
  Values values(const analysis::MixtureSums& sums) {
    values_.clear();
    name_rows_ = rows_.empty();
    for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
      add("density", layout_.species[s], "", sums.density(SpeciesId(s)), density_unit_);
    }
    std::vector<std::array<double, analysis::KirkwoodBuffValues::count>> integrals;
    for (const analysis::KirkwoodBuffSums& pair : sums.pairs) {
      integrals.push_back(analysis::kirkwood_buff_values(layout_.bins, pair,
                                                         request_.correction, ranges_)
                              .all());
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      for (std::size_t m = 0; m < method_names.size(); ++m) {
        add_pair(sums, p, method_names[m], integrals[p][m]);
      }
    }
    if (mixture_.size() == 3) {
      for (std::size_t m = 0; m < method_names.size(); ++m) {
        add_mixture(sums, method_names[m], integrals[mixture_[0]][m],
                    integrals[mixture_[1]][m], integrals[mixture_[2]][m]);
      }
    }
    return values_;
  }

  std::vector<Row> rows(const Values& values, const Values& errors) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].value = values[i];
      rows_[i].error = errors[i];
    }
    return std::move(rows_);
  }

 private:
  /// Finds A-A, A-B and B-B if these are the pairs.
  void find_mixture() {
    if (pairs_.size() != 3) {
      return;
    }
    std::vector<std::size_t> like;
    std::vector<std::size_t> unlike;
    for (std::size_t p = 0; p < 3; ++p) {
      (pair(p).like() ? like : unlike).push_back(p);
    }
    if (like.size() == 2) {
      const SpeciesPair both{pair(like[0]).first, pair(like[1]).first};
      const SpeciesPair turned{both.second, both.first};
      if (pair(unlike[0]) == both || pair(unlike[0]) == turned) {
        mixture_ = {like[0], unlike[0], like[1]};
      }
    }
  }

  /// Drops the mixture if there are particles of other species, or if both species
  /// share particles or molecules: the inversion of the integrals is for two
  /// components.
  void leave_out_mixture_of_more(const BlockCounts& sum) {
    if (mixture_.empty()) {
      return;
    }
    const SpeciesId first = pair(mixture_[0]).first;
    const SpeciesId second = pair(mixture_[2]).first;
    std::vector<std::string> others;
    for (std::uint32_t s = 0; s < layout_.species.size(); ++s) {
      if (!(SpeciesId(s) == first) && !(SpeciesId(s) == second) &&
          sum.particle_number[s] > 0) {
        others.push_back(layout_.species[s]);
      }
    }
    const bool shared = sum.excluded[pairs_[mixture_[1]].index()] > 0;
    if (others.empty() && !shared) {
      return;
    }
    mixture_.clear();
    note_ = "thermodynamic factor and partial molecular volumes for " +
            layout_.species[first.index()] + " and " + layout_.species[second.index()] +
            " are left out (the inversion is for two components, but " +
            (shared ? "both species share particles or molecules"
                    : "the result also contains " + join(others, ", ")) +
            "): count each component as one species, the ions of a salt together "
            "and a solvent by one atom per molecule, such as --species 'S=Na Cl; W=O'";
  }

  SpeciesPair pair(std::size_t p) const { return layout_.pairs[pairs_[p].index()]; }

  void add(const std::string& quantity, const std::string& of,
           const std::string& method, double value, const std::string& unit) {
    values_.push_back(value);
    if (name_rows_) {
      rows_.push_back({quantity, of, method, 0.0, 0.0, unit});
    }
  }

  /// Adds a volume, also in cm^3/mol if the unit is known.
  void add_volume(const std::string& quantity, const std::string& of,
                  const std::string& method, double value) {
    add(quantity, of, method, value, volume_unit_);
    if (cm3_per_mol_ > 0.0) {
      add(quantity, of, method, value * cm3_per_mol_, "cm^3/mol");
    }
  }

  void add_pair(const analysis::MixtureSums& sums, std::size_t p,
                const std::string& method, double integral) {
    add_volume("G", pair_name(pair(p), layout_.species), method, integral);
    for (const analysis::Coordination& direction :
         analysis::coordination_directions(pair(p))) {
      add("excess number",
          layout_.species[direction.other.index()] + " around " +
              layout_.species[direction.centre.index()],
          method, sums.density(direction.other) * integral, "1");
    }
  }

  void add_mixture(const analysis::MixtureSums& sums, const std::string& method,
                   double g_11, double g_12, double g_22) {
    const SpeciesId first = pair(mixture_[0]).first;
    const SpeciesId second = pair(mixture_[2]).first;
    const std::string& name_1 = layout_.species[first.index()];
    const std::string& name_2 = layout_.species[second.index()];
    const std::string both = name_1 + " + " + name_2;
    const analysis::BinaryMixture mixture = analysis::binary_mixture(
        sums.density(first), sums.density(second), g_11, g_12, g_22);
    add("thermodynamic factor", both, method, mixture.thermodynamic_factor, "1");
    add("d ln a / d ln rho", name_1, method, mixture.activity_1, "1");
    add("d ln a / d ln rho", name_2, method, mixture.activity_2, "1");
    add_volume("partial molecular volume", name_1, method, mixture.volume_1);
    add_volume("partial molecular volume", name_2, method, mixture.volume_2);
    add("compressibility times kT", both, method, mixture.compressibility,
        volume_unit_);
  }

  const HistogramLayout& layout_;
  const AnalysisRequest& request_;
  analysis::KirkwoodBuffRanges ranges_;
  std::vector<PairId> pairs_;
  std::vector<std::size_t> mixture_;  ///< numbers of A-A, A-B and B-B; or empty
  std::string note_;
  std::string volume_unit_;
  std::string density_unit_;
  double cm3_per_mol_ = 0.0;  ///< in a cubic length unit; 0 if it is unknown
  bool name_rows_ = false;
  Values values_;
  std::vector<Row> rows_;
};

/// Notes on pairs whose integrals by two methods differ by more than three standard
/// errors. The plain integral is left out: it does not converge.
std::vector<std::string> disagreements(const std::vector<Row>& rows) {
  constexpr double most = 3.0;
  const auto is_compared = [](const Row& row) {
    return row.quantity == "G" && row.unit != "cm^3/mol" && row.error > 0.0 &&
           row.method != method_names[0];
  };
  std::map<std::string, std::pair<const Row*, const Row*>> ends;  // of each pair
  for (const Row& row : rows) {
    if (is_compared(row)) {
      auto& [low, high] = ends.try_emplace(row.of, &row, &row).first->second;
      low = row.value < low->value ? &row : low;
      high = row.value > high->value ? &row : high;
    }
  }
  std::vector<std::string> notes;
  for (const auto& [pair, values] : ends) {
    const auto& [low, high] = values;
    if (high->value - low->value > most * std::hypot(low->error, high->error)) {
      notes.push_back(
          "G of " + pair + " is " + text_with_error(low->value, low->error) +
          " by the method " + low->method + ", " +
          text_with_error(high->value, high->error) + " by " + high->method + " [" +
          low->unit +
          "]: the methods differ by more than three standard errors, so g(r) "
          "has not converged to 1 (simulate a larger box, or count more frames)");
    }
  }
  return notes;
}

}  // namespace

std::vector<std::string> write_kirkwood_buff_values(std::ostream& out,
                                                    const ResultFile& result,
                                                    const AnalysisRequest& request) {
  const UniformBins bins = result.layout.bins;
  const std::uint32_t count = whole_sphere_bins(result, request);
  const analysis::KirkwoodBuffRanges ranges = choose_ranges(result, request, count);
  LabelledTable table;
  table.title = "Kirkwood-Buff integrals";
  table.facts = source_facts(result, request.quantity->name);
  table.facts.push_back(number_fact("r_cut", decimal_text(bins.edge(count))));
  table.facts.push_back(
      {"correction",
       request.correction == analysis::TailCorrection::ganguly ? "ganguly" : "none"});
  table.facts.push_back(number_fact("tail_from", decimal_text(bins.edge(ranges.tail))));
  table.facts.push_back(
      number_fact("sub_volumes_from", decimal_text(bins.edge(ranges.smallest))));
  table.facts.push_back(
      number_fact("sub_volumes_to", decimal_text(bins.edge(ranges.largest))));
  std::vector<std::string> notes;
  ValueRows rows(result, request, ranges);
  if (!rows.note().empty()) {
    notes.push_back(rows.note());
  }
  const auto groups = analysis::mixture_sums(result.blocks, rows.pairs(), count,
                                             analysis::most_error_groups);
  const analysis::CurvesWithErrors made =
      analysis::jackknife_curves(groups, [&](const analysis::MixtureSums& sums) {
        return std::vector<std::vector<double>>{rows.values(sums)};
      });
  if (groups.size() > 1) {
    table.facts.push_back(errors_fact(groups.size(), result.blocks.size()));
    ExportTable caveats;
    add_error_caveat(result, request.pairs, caveats, notes);
    table.facts.insert(table.facts.end(), caveats.facts.begin(), caveats.facts.end());
  } else {
    notes.push_back(
        result.path +
        " contains one block, so that standard errors are unknown (count with "
        "a smaller --block)");
  }
  table.rows = rows.rows(made.values[0], made.errors[0]);
  for (const std::string& note : disagreements(table.rows)) {
    notes.push_back(note);
  }
  bool is_noted = false;
  for (const Row& row : table.rows) {
    if (row.quantity != "thermodynamic factor" || row.method == method_names[0]) {
      continue;
    }
    if (row.method == method_names[1]) {
      table.facts.push_back(
          {"mixture", row.of + " (thermodynamic factor, partial molecular volumes and "
                               "compressibility are valid only if these are "
                               "independent components, not ions of one salt or atoms "
                               "of one molecule)"});
    }
    if (row.value < 0.0 && !is_noted) {
      is_noted = true;
      notes.push_back("the thermodynamic factor of " + row.of + " is " +
                      text_with_error(row.value, row.error) + " by " + row.method +
                      ", but no stable mixture has a negative one: the integrals have "
                      "not converged, or the species are not independent components, "
                      "such as the ions of one salt (count these as one species)");
    }
  }
  write_labelled_table(out, table, request.format);
  return notes;
}

}  // namespace starhist::io
