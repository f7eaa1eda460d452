#include "io/formats/python/python_periodicity.hh"

#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

/// Describes the axes: "x and y".
std::string axes_text(std::uint64_t periodic) {
  std::vector<std::string> axes;
  for (std::size_t k = 0; k < 3; ++k) {
    if ((periodic >> k & 1) != 0) {
      axes.emplace_back(1, "xyz"[k]);
    }
  }
  return axes.empty() ? "no axis" : join(axes, " and ");
}

}  // namespace

void PythonPeriodicity::check(const PythonFrame& frame) {
  if (!frame.box_refusal.empty()) {
    throw InputError(frame.box_refusal +
                     " (give the box with --box, or --box none for no periodicity)");
  }
  axes_ = axes_.value_or(frame.head.periodic);
  if (*axes_ != frame.head.periodic) {
    throw InputError("is periodic along " + axes_text(frame.head.periodic) +
                     ", the first frame along " + axes_text(*axes_) +
                     " (periodicity must be the same in all frames: --box gives one "
                     "box for all)");
  }
}

}  // namespace starhist::io
