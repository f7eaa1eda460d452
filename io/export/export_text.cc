#include "io/export/export_text.hh"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/export_columns.hh"
#include "io/files/json_text.hh"
#include "io/files/printable_text.hh"

namespace starhist::io {
namespace {

std::string axis_label(const ExportTable& table) {
  if (!table.axis_label.empty()) {
    return printable_line(table.axis_label);
  }
  return table.length_unit.empty() ? "r"
                                   : "r (" + printable_line(table.length_unit) + ")";
}

void write_comments(std::ostream& out, const ExportTable& table) {
  out << "# " << table.title
      << ", written by starhist\n# values: " << printable_line(table.value_label)
      << "\n";
  for (const ExportFact& fact : table.facts) {
    out << "# " << fact.name << ": " << printable_line(fact.value) << "\n";
  }
  for (const ExportColumn& curve : table.curves) {
    for (const ExportFact& fact : curve.facts) {
      out << "# " << printable_line(curve.name) << " " << fact.name << ": "
          << fact.value << "\n";
    }
  }
}

/// Escapes text for a Grace string, which ends at '"' and in which '\' begins a font
/// command: both are replaced.
std::string grace_string(const std::string& text) {
  std::string safe = printable_line(text);
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return "\"" + safe + "\"";
}

bool has_values(const ExportColumn& column, std::uint32_t rows) {
  for (std::uint32_t k = 0; k < rows; ++k) {
    if (!column.text(k).empty()) {
      return true;
    }
  }
  return false;
}

std::vector<ExportColumn> curves_with_values(const ExportTable& table) {
  std::vector<ExportColumn> curves;
  std::copy_if(
      table.curves.begin(), table.curves.end(), std::back_inserter(curves),
      [&](const ExportColumn& curve) { return has_values(curve, table.rows); });
  return curves;
}

void write_json_values(std::ostream& out, const ExportColumn& column,
                       std::uint32_t rows) {
  out << "[";
  for (std::uint32_t k = 0; k < rows; ++k) {
    const std::string text = column.text(k);
    out << (k == 0 ? "" : ", ") << (text.empty() ? "null" : text);
  }
  out << "]";
}

}  // namespace

std::string csv_field(const std::string& name) {
  std::string text = printable_line(name);
  if (text.find_first_of(",\"") == std::string::npos) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  }
  return quoted + "\"";
}

std::string json_fact(const ExportFact& fact) {
  return json_string(fact.name) + ": " +
         (fact.kind == ExportFact::Kind::text ? json_string(fact.value) : fact.value);
}

void write_csv(std::ostream& out, const ExportTable& table) {
  write_comments(out, table);
  std::vector<ExportColumn> columns{table.r};
  columns.insert(columns.end(), table.edges.begin(), table.edges.end());
  columns.insert(columns.end(), table.curves.begin(), table.curves.end());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    out << (c == 0 ? "" : ",") << csv_field(columns[c].name);
  }
  out << "\n";
  for (std::uint32_t k = 0; k < table.rows; ++k) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      out << (c == 0 ? "" : ",") << columns[c].text(k);
    }
    out << "\n";
  }
}

std::string rows_lost_in_xvg(const ExportTable& table) {
  std::uint32_t lost = 0;
  const std::vector<ExportColumn> curves = curves_with_values(table);
  for (std::uint32_t k = 0; k < table.rows; ++k) {
    const auto defined = std::count_if(
        curves.begin(), curves.end(),
        [k](const ExportColumn& curve) { return !curve.text(k).empty(); });
    lost += defined > 0 && static_cast<std::size_t>(defined) < curves.size() ? 1 : 0;
  }
  return lost == 0
             ? ""
             : counted(lost, "row") +
                   " left out, where some curves have a value and others have not "
                   "(xvg cannot leave a cell blank): write csv or json, or one curve";
}

void write_xvg(std::ostream& out, const ExportTable& table) {
  write_comments(out, table);
  const std::vector<ExportColumn> curves = curves_with_values(table);
  for (const ExportColumn& curve : table.curves) {
    if (!has_values(curve, table.rows)) {
      out << "# " << printable_line(curve.name)
          << ": left out, because it has no defined values\n";
    }
  }
  if (const std::string lost = rows_lost_in_xvg(table); !lost.empty()) {
    out << "# " << lost << "\n";
  }
  out << "@    title " << grace_string(table.title) << "\n"
      << "@    xaxis  label " << grace_string(axis_label(table)) << "\n"
      << "@    yaxis  label " << grace_string(table.value_label) << "\n"
      << "@TYPE xy\n@ view 0.15, 0.15, 0.75, 0.85\n@ legend on\n@ legend box on\n"
      << "@ legend loctype view\n@ legend 0.78, 0.8\n@ legend length 2\n";
  for (std::size_t c = 0; c < curves.size(); ++c) {
    out << "@ s" << c << " legend " << grace_string(curves[c].name) << "\n";
  }
  for (std::uint32_t k = 0; k < table.rows; ++k) {
    std::string line = table.r.text(k);
    bool defined = !curves.empty();
    for (const ExportColumn& curve : curves) {
      const std::string text = curve.text(k);
      defined = defined && !text.empty();
      line += "  " + text;
    }
    if (defined) {
      out << line << "\n";
    }
  }
}

/// Numbers are written one by one: a JSON document of four columns of 10^6 rows would
/// take 64 MB of memory and twice the time.
void write_json(std::ostream& out, const ExportTable& table) {
  out << "{\n  \"title\": " << json_string(table.title)
      << ",\n  \"values\": " << json_string(table.value_label) << ",\n";
  for (const ExportFact& fact : table.facts) {
    out << "  " << json_fact(fact) << ",\n";
  }
  std::vector<ExportColumn> axes{table.r};
  axes.insert(axes.end(), table.edges.begin(), table.edges.end());
  for (const ExportColumn& axis : axes) {
    out << "  " << json_string(axis.name) << ": ";
    write_json_values(out, axis, table.rows);
    out << ",\n";
  }
  out << "  \"curves\": [";
  for (std::size_t c = 0; c < table.curves.size(); ++c) {
    const ExportColumn& curve = table.curves[c];
    out << (c == 0 ? "" : ",") << "\n    {\"label\": " << json_string(curve.name)
        << ", ";
    for (const ExportFact& fact : curve.facts) {
      out << json_fact(fact) << ", ";
    }
    out << "\"value\": ";
    write_json_values(out, curve, table.rows);
    out << "}";
  }
  out << "\n  ]\n}\n";
}

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
  check_written(out, table.title);
}

}  // namespace starhist::io
