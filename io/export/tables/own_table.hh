#pragma once

#include <istream>
#include <string>

#include "io/export/tables/measured_curve.hh"

namespace starhist::io {

/// Whether a file with this first line is a csv or xvg table of starhist.
bool begins_own_table(const std::string& first_line);

/// Reads the column `name` of such a table after its first line, with its errors.
/// Leaves out undefined values and points with an error of 0
/// (MeasuredCurve::without_error). Throws InputError if the table lacks the column,
/// has another quantity, has a word in place of a number, or if x does not increase.
void read_own_table(std::istream& file, const std::string& quantity,
                    const std::string& name, MeasuredCurve& curve);

}  // namespace starhist::io
