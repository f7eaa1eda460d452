#pragma once

#include <string>
#include <vector>

namespace starhist::io {

/// A curve of an experiment, as read from a text file.
struct MeasuredCurve {
  std::string path;
  std::vector<double> x;       ///< increasing
  std::vector<double> y;       ///< as many
  std::vector<double> errors;  ///< standard errors of y, > 0; empty if unknown
  std::string unit;            ///< length unit in the header; "" without one
  char axis = '\0';  ///< 'q' or 'r' by the header's last line that names x; 0: unknown
  std::size_t without_error = 0;  ///< points left out of a table of starhist
};

/// Reads the curve `name` of a csv or xvg table that starhist has written for
/// `quantity`, such as "sq"; or two to four columns of other files: x and y; x, y and
/// error; or x, y and the errors of both, as PDFgui writes them. Lines before the first
/// number, and comments (# ; ! % @), are the header. Throws InputError for other files,
/// x that does not increase, and errors that are not positive.
MeasuredCurve read_measured_curve(const std::string& path, const std::string& quantity,
                                  const std::string& name);

}  // namespace starhist::io
