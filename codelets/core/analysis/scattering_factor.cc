#include "codelets/core/analysis/scattering_factor.hh"

#include <cmath>
#include <numbers>

namespace starhist::analysis {
namespace {

/// The label with the charge number implied by a bare sign: "Na1+" for "Na+".
std::string with_charge_number(const std::string& label) {
  const std::size_t size = label.size();
  const bool bare_sign = size > 1 && (label.back() == '+' || label.back() == '-') &&
                         (label[size - 2] < '0' || label[size - 2] > '9');
  return bare_sign ? label.substr(0, size - 1) + "1" + label.back() : label;
}

std::string without_charge(const std::string& label) {
  const bool ion = !label.empty() && (label.back() == '+' || label.back() == '-');
  if (!ion) {
    return label;
  }
  const std::size_t last = label.find_last_not_of("0123456789+-");
  return last == std::string::npos ? label : label.substr(0, last + 1);
}

}  // namespace

double XRayFormFactor::at(double q) const {
  const double s = q / (4.0 * std::numbers::pi);
  double sum = c;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] * std::exp(-b[i] * s * s);
  }
  return sum;
}

std::optional<XRayFormFactor> find_x_ray_factor(const std::string& label) {
  const std::string wanted =
      label == "D" || label == "T" ? "H" : with_charge_number(label);
  for (const XRayFormFactor& entry : x_ray_table()) {
    if (entry.label == wanted) {
      return entry;
    }
  }
  return std::nullopt;
}

std::optional<double> find_scattering_length(const std::string& label) {
  const std::string wanted = without_charge(label);
  for (const NeutronScatteringLength& entry : neutron_table()) {
    if (entry.label == wanted) {
      return entry.femtometres;
    }
  }
  return std::nullopt;
}

}  // namespace starhist::analysis
