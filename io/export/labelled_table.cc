#include "io/export/labelled_table.hh"

#include <cmath>
#include <ostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_text.hh"
#include "io/files/json_text.hh"
#include "io/files/printable_text.hh"

namespace starhist::io {
namespace {

std::string value_text(double value, const char* undefined) {
  return std::isfinite(value) ? number_text(value) : undefined;
}

void write_rows_csv(std::ostream& out, const LabelledTable& table) {
  out << "# " << table.title << ", written by starhist\n";
  for (const ExportFact& fact : table.facts) {
    out << "# " << fact.name << ": " << printable_line(fact.value) << "\n";
  }
  out << "quantity,of,method,value,standard error,unit\n";
  for (const LabelledTable::Row& row : table.rows) {
    out << csv_field(row.quantity) << "," << csv_field(row.of) << ","
        << csv_field(row.method) << "," << value_text(row.value, "") << ","
        << value_text(row.error, "") << "," << csv_field(row.unit) << "\n";
  }
}

void write_rows_json(std::ostream& out, const LabelledTable& table) {
  out << "{\n  \"title\": " << json_string(table.title) << ",\n";
  for (const ExportFact& fact : table.facts) {
    out << "  " << json_fact(fact) << ",\n";
  }
  out << "  \"rows\": [";
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const LabelledTable::Row& row = table.rows[i];
    out << (i == 0 ? "" : ",") << "\n    {\"quantity\": " << json_string(row.quantity)
        << ", \"of\": " << json_string(row.of)
        << ", \"method\": " << json_string(row.method)
        << ", \"value\": " << value_text(row.value, "null")
        << ", \"standard_error\": " << value_text(row.error, "null")
        << ", \"unit\": " << json_string(row.unit) << "}";
  }
  out << "\n  ]\n}\n";
}

}  // namespace

void write_labelled_table(std::ostream& out, const LabelledTable& table,
                          ExportFormat format) {
  switch (format) {
    case ExportFormat::csv:
      write_rows_csv(out, table);
      break;
    case ExportFormat::json:
      write_rows_json(out, table);
      break;
    case ExportFormat::xvg:
      throw InputError(
          "this table has names in its columns, which xvg does not allow (--format csv "
          "or json)");
  }
  if (!out.flush()) {
    throw RunError(table.title +
                   " could not be written completely (is the disk full?): make room, "
                   "or write to another disk");
  }
}

}  // namespace starhist::io
