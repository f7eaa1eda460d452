#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace starhist::analysis {

/// X-ray form factor of an atom or ion, f(q) = c + sum_i a_i exp(-b_i s^2) with s = q /
/// (4 pi) [electrons], without anomalous dispersion. Five Gaussians fitted to the free
/// atom or ion for s up to 6 / Angstrom, q up to 75 / Angstrom: Waasmaier and Kirfel,
/// Acta Cryst. A 51, 416 (1995).
struct XRayFormFactor {
  const char* label;  ///< "O", "O2-", "Na1+"; "Cval" and "Siva" are valence states
  std::array<double, 5> a;
  double c;
  std::array<double, 5> b;  ///< Angstrom^2

  /// f(q), q in 1 / Angstrom.
  double at(double q) const;
};

/// Largest q of the fits, 1 / Angstrom.
inline constexpr double x_ray_q_limit = 75.0;

/// Bound coherent neutron scattering length (real part) of an element in its natural
/// abundance, or of an isotope: Rauch and Waschkowski, Neutron Data Booklet (2003).
struct NeutronScatteringLength {
  const char* label;   ///< "H", "D", "6Li"
  double femtometres;  ///< scattering length [fm]; may be negative
};

/// The tables in the order of the periodic table, made by
/// codelets/core/data/make_scattering_tables.py.
const std::vector<XRayFormFactor>& x_ray_table();
const std::vector<NeutronScatteringLength>& neutron_table();

/// The form factor of an atom or ion, or nothing if it is not in the table. "Na+" and
/// "Cl-" find "Na1+" and "Cl1-"; "D" and "T" find "H". Case matters, as "CA" could be
/// calcium or a C-alpha.
std::optional<XRayFormFactor> find_x_ray_factor(const std::string& label);
/// The scattering length of an element or isotope [fm], or nothing. The charge of an
/// ion is ignored.
std::optional<double> find_scattering_length(const std::string& label);

}  // namespace starhist::analysis
