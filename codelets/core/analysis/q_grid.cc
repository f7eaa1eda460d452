#include "codelets/core/analysis/q_grid.hh"

#include <cmath>
#include <string>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::analysis {
namespace {

void check_positive(const std::string& what, const std::string& option, double value) {
  if (!std::isfinite(value) || value <= 0.0) {
    throw InputError(what + " " + number_text(value) + " is not usable (" + option +
                     " must be finite and above 0)");
  }
}

}  // namespace

QGrid make_q_grid(double first, double last, double step) {
  check_positive("step of q", "--q-step", step);  // the others may derive from it
  check_positive("smallest q", "--q-min", first);
  check_positive("largest q", "--q-max", last);
  if (last < first) {
    throw InputError("largest q " + number_text(last) + " is below the smallest, " +
                     number_text(first));
  }
  // 0.1 + 99 * 0.1 must reach 10 although it rounds to less.
  constexpr double rounding = 1e-9;
  const double steps = std::floor((last - first) / step + rounding);
  if (steps >= max_q_count) {
    throw InputError(number_text(steps + 1.0) + " values of q are too many (at most " +
                     std::to_string(max_q_count) + "; use a larger step of q)");
  }
  return {first, step, static_cast<std::uint32_t>(steps) + 1};
}

}  // namespace starhist::analysis
