#include "io/export/export.hh"

#include <algorithm>
#include <array>
#include <ostream>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/export/export_columns.hh"
#include "io/export/export_table.hh"
#include "io/export/export_text.hh"

namespace starhist::io {
namespace {

// Same order as the enumerations.
constexpr std::array quantity_names{"counts",       "g",     "density",     "pmf",
                                    "coordination", "axis2", "axis2-counts"};
constexpr std::array format_names{"csv", "xvg", "json"};

/// Adds a note if n(r) is undefined in the last bins.
void add_coordination_note(const ResultFile& result, std::vector<std::string>& notes) {
  const UniformBins& bins = result.layout.bins;
  const BlockCounts sum = total(result.blocks);
  const std::uint32_t defined = analysis::coordination_bins(result.layout, sum);
  if (defined < bins.count) {
    const std::string r = decimal_text(bins.edge(defined));
    notes.push_back("n(r) is undefined beyond r = " + r +
                    unit_suffix(result.layout.length_unit) +
                    " (counts include only the nearest image of each particle, and "
                    "larger spheres do not fit into the box): end at --r-max " +
                    r + ", or repeat the cell before counting");
  }
}

}  // namespace

std::string to_string(Quantity quantity) {
  return quantity_names[static_cast<std::size_t>(quantity)];
}

Quantity parse_quantity(const std::string& name) {
  return find_value<Quantity>(quantity_names, name, "quantity");
}

ExportFormat parse_export_format(const std::string& name) {
  return find_value<ExportFormat>(format_names, name, "export format");
}

void write_table(std::ostream& out, const ExportTable& table, ExportFormat format,
                 std::vector<std::string>& notes) {
  switch (format) {
    case ExportFormat::csv:
      write_csv(out, table);
      break;
    case ExportFormat::xvg:
      write_xvg(out, table);
      if (const std::string lost = rows_lost_in_xvg(table); !lost.empty()) {
        notes.push_back(lost);
      }
      break;
    case ExportFormat::json:
      write_json(out, table);
      break;
  }
  check_written(out, table.title + " of " + table.source);
}

std::vector<std::string> write_export(std::ostream& out, const ResultFile& result,
                                      const ExportRequest& request) {
  ExportTable table = make_export_table(result, request);
  std::vector<std::string> notes;
  if (request.errors) {
    add_error_caveat(result, request.pairs, table, notes);
  }
  if (request.quantity == Quantity::coordination) {
    add_coordination_note(result, notes);
  }
  if (request.quantity == Quantity::g || request.quantity == Quantity::density ||
      request.quantity == Quantity::pmf) {
    add_isotropic_caveat(result.layout, result.blocks, result.layout.bins.count, table,
                         notes);
  }
  constexpr double coldest = 50.0;  // liquids of helium, hydrogen and neon are colder
  if (request.temperature && *request.temperature < coldest &&
      result.layout.length_unit != length_unit_spelling("reduced")) {
    notes.push_back("--temperature " + number_text(*request.temperature) +
                    " is in kelvins: for degrees Celsius give " +
                    number_text(*request.temperature + 273.15));
  }
  write_table(out, table, request.format, notes);
  return notes;
}

}  // namespace starhist::io
