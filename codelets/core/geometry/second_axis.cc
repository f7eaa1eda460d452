#include "codelets/core/geometry/second_axis.hh"

#include "codelets/core/base/error.hh"

namespace starhist {

std::vector<double> SecondAxis::edges(double r_max) const {
  std::vector<double> all;
  for (std::uint32_t k = 0; k <= count; ++k) {
    all.push_back(edge(k, r_max));
  }
  return all;
}

SecondAxis parse_second_axis(const std::string& text) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const auto kind : {SecondAxis::Kind::cosine, SecondAxis::Kind::component}) {
      SecondAxis known{kind, axis};
      if (text == to_string(known)) {
        return known;
      }
    }
  }
  const std::string begin = "cos(vector ";
  const std::size_t arrow = text.find("->");
  if (text.starts_with(begin) && text.ends_with(")") && arrow != std::string::npos) {
    SecondAxis molecular;
    molecular.from = text.substr(begin.size(), arrow - begin.size());
    molecular.to = text.substr(arrow + 2, text.size() - arrow - 3);
    if (molecular.from.empty() || molecular.to.empty() ||
        text.find_first_of(" \"", begin.size()) != std::string::npos) {
      throw InputError("'" + text +
                       "' does not name two atoms: give cos(vector A->B) without other "
                       "spaces");
    }
    if (molecular.from == molecular.to) {
      throw InputError("'" + text +
                       "' is a vector from an atom to itself: give two names of atoms");
    }
    return molecular;
  }
  throw InputError(
      "'" + text +
      "' is not a known quantity: give cos(z) (cosine of the angle "
      "between a pair and the axis z), dz (distance along z), the same with x or "
      "y, or cos(vector A->B) (cosine of the angle to the vector from atom A to "
      "atom B in the residue of the pair's first particle)");
}

std::string to_string(const SecondAxis& axis) {
  if (axis.molecular()) {
    return "cos(vector " + axis.from + "->" + axis.to + ")";
  }
  const std::string name(1, static_cast<char>('x' + axis.axis));
  return axis.kind == SecondAxis::Kind::cosine ? "cos(" + name + ")" : "d" + name;
}

}  // namespace starhist
