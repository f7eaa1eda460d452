#include "codelets/core/analysis/scattering_factor.hh"

#include <array>
#include <cmath>
#include <numbers>

#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

/// f at s = sin(theta) / wavelength.
double f(const char* label, double s) {
  return analysis::find_x_ray_factor(label)->at(4.0 * std::numbers::pi * s);
}

TEST_CASE("form factors at q = 0 are the number of electrons") {
  CHECK(f("H", 0.0) == Approx(1.0).margin(0.001));
  CHECK(f("C", 0.0) == Approx(6.0).margin(0.01));
  CHECK(f("O", 0.0) == Approx(8.0).margin(0.01));
  CHECK(f("O2-", 0.0) == Approx(10.0).margin(0.02));
  CHECK(f("Na+", 0.0) == Approx(10.0).margin(0.01));
  CHECK(f("Cl-", 0.0) == Approx(18.0).margin(0.01));
  CHECK(f("U", 0.0) == Approx(92.0).margin(0.1));
}

/// Four Gaussians fitted by others: Cromer and Mann, Acta Cryst. A 24, 321 (1968).
double cromer_mann(const std::array<double, 4>& a, const std::array<double, 4>& b,
                   double c, double s) {
  for (std::size_t i = 0; i < 4; ++i) {
    c += a[i] * std::exp(-b[i] * s * s);
  }
  return c;
}

TEST_CASE("form factors of C and O agree with Cromer and Mann") {
  for (double s = 0.0; s < 1.0; s += 0.05) {
    CHECK(f("C", s) ==
          Approx(cromer_mann({2.31, 1.02, 1.5886, 0.865},
                             {20.8439, 10.2075, 0.5687, 51.6512}, 0.2156, s))
              .margin(0.02));
    CHECK(f("O", s) ==
          Approx(cromer_mann({3.0485, 2.2868, 1.5463, 0.867},
                             {13.2771, 5.7011, 0.3239, 32.9089}, 0.2508, s))
              .margin(0.02));
  }
}

TEST_CASE("all entries are finite, with at most the element's electrons") {
  CHECK(analysis::x_ray_table().size() == 211);
  for (const analysis::XRayFormFactor& entry : analysis::x_ray_table()) {
    INFO(entry.label);
    CHECK(entry.at(0.0) > 0.0);
    CHECK(entry.at(0.0) < 99.0);
    for (double q = 0.0; q <= analysis::x_ray_q_limit; q += 5.0) {
      CHECK(std::abs(entry.at(q)) <= entry.at(0.0) * 1.001);
    }
  }
}

TEST_CASE("scattering lengths of elements and isotopes, whatever their charge") {
  CHECK(*analysis::find_scattering_length("H") == Approx(-3.74).margin(0.01));
  CHECK(*analysis::find_scattering_length("D") == Approx(6.67).margin(0.01));
  CHECK(*analysis::find_scattering_length("O") == Approx(5.80).margin(0.01));
  CHECK(*analysis::find_scattering_length("Na1+") == Approx(3.63).margin(0.01));
  CHECK(*analysis::find_scattering_length("6Li") == Approx(2.0).margin(0.01));
  CHECK(analysis::neutron_table().size() > 300);
}

TEST_CASE("labels that are not atoms are not guessed") {
  for (const char* label : {"", "OW", "NA", "CA", "Na2+", "+", "1", "Xx"}) {
    INFO(label);
    CHECK_FALSE(analysis::find_x_ray_factor(label));
  }
  for (const char* label : {"", "OW", "NA", "+", "1-", "Xx"}) {
    CHECK_FALSE(analysis::find_scattering_length(label));
  }
  CHECK(analysis::find_x_ray_factor("D")->at(2.0) ==
        analysis::find_x_ray_factor("H")->at(2.0));
}

}  // namespace
}  // namespace starhist::testing
