#include "codelets/core/base/units.hh"

#include <cmath>
#include <limits>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

TEST_CASE("spellings of a unit become one, other units stay") {
  CHECK(unit_spelling("nm") == "nm");
  CHECK(unit_spelling(" nanometers ") == "nm");
  CHECK(unit_spelling("Angstrom") == "A");
  CHECK(unit_spelling("angstroms") == "A");
  CHECK(unit_spelling("\xc3\x85") == "A");
  CHECK(unit_spelling("\xe2\x84\xab") == "A");
  CHECK(unit_spelling("A") == "A");
  CHECK(unit_spelling("\xc3\x85ngstr\xc3\xb6m") == "A");
  CHECK(unit_spelling("\xce\xbcm") == "um");
  CHECK(unit_spelling("Bohr") == "bohr");
  CHECK(unit_spelling("picosecond") == "ps");
  CHECK(unit_spelling("0.1 nm") == "0.1 nm");
  CHECK(unit_spelling("Sigma") == "sigma");
  CHECK(unit_spelling("  ") == "");
  CHECK(unit_spelling("") == "");
}

TEST_CASE("Angstrom per unit, for units of known size") {
  CHECK(angstroms_per("Angstrom") == 1.0);
  CHECK(angstroms_per(" nanometers") == 10.0);
  CHECK(*angstroms_per("bohr") == Approx(0.529177));
  CHECK_FALSE(angstroms_per(""));
  CHECK_FALSE(angstroms_per("sigma"));
  CHECK_FALSE(angstroms_per("0.1 nm"));
}

TEST_CASE("lengths, volumes and densities in another unit, with 15 digits") {
  const LengthConversion to_nm("a.h5", "A", "nm");
  CHECK(to_nm(12.0) == 1.2);
  CHECK(to_nm(0.3) == 0.03);
  CHECK(to_nm(4.94) == 0.494);  // 4.94 / 10 is the next double
  CHECK(std::isinf(to_nm(std::numeric_limits<double>::infinity())));
  CHECK(to_nm(27000.0, 3) == 27.0);
  CHECK(to_nm(0.001, -3) == 1.0);
  const LengthConversion to_angstroms("a.h5", "nm", "A");
  CHECK(to_angstroms(1.484) == 14.84);
  CHECK(to_angstroms(27.0, 3) == 27000.0);
  CHECK(to_angstroms(1.0, -3) == 0.001);
  CHECK(LengthConversion("a.h5", "m", "pm")(2.5) == 2.5e12);
  CHECK(LengthConversion("a.h5", "pm", "um")(3.0) == 3e-6);
  // CODATA 2018.
  CHECK(LengthConversion("a.h5", "bohr", "A")(1.0) == Approx(0.529177210903));
  CHECK(LengthConversion("a.h5", "A", "bohr")(1.0) == Approx(1.0 / 0.529177210903));
  CHECK(LengthConversion("a.h5", "sigma", "sigma")(0.1) == 0.1);
  CHECK(LengthConversion("a.h5", "", "")(0.1, 3) == 0.1);
  CHECK(LengthConversion()(0.1 + 0.2) == 0.1 + 0.2);
}

TEST_CASE("units that cannot be converted are refused with a remedy") {
  const auto refused = [](const std::string& from, const std::string& to) {
    return testing::error_text<InputError>([&] { LengthConversion("a.h5", from, to); });
  };
  CHECK(testing::missing(refused("", "A"), {"a.h5: ", "to A", "--unit"}) == "");
  CHECK(testing::missing(refused("sigma", "A"), {"a.h5: ", "sigma", "to A"}) == "");
  CHECK(testing::missing(refused("A", "sigma"),
                         {"--out-unit sigma", "A, nm, pm, um, mm, cm, m, bohr"}) == "");
}

TEST_CASE("the unit of reduced units has one name") {
  for (const char* name : {"sigma", "lj", "reduced", "LJ", "\xcf\x83"}) {
    CHECK(length_unit_spelling(name) == "sigma");
    CHECK(parse_shown_unit("--out-unit", name) == "sigma");
    CHECK(settled_length_unit("a.h5", name, "sigma") == "sigma");
  }
  for (const char* name : {"tau", "lj", "reduced", "\xcf\x84"}) {
    CHECK(time_unit_spelling(name) == "tau");
    CHECK(settled_time_unit("a.h5", name, "tau") == "tau");
  }
  CHECK(length_unit_spelling("Angstrom") == "A");
  CHECK(length_unit_spelling("0.1 nm") == "0.1 nm");
  CHECK(time_unit_spelling("picoseconds") == "ps");
}

TEST_CASE("a given unit applies to files without one") {
  CHECK(settled_length_unit("a.xyz", "", "A") == "A");
  CHECK(settled_length_unit("a.gro", "nm", "") == "nm");
  CHECK(settled_length_unit("a.gro", "nm", "nm") == "nm");
  CHECK(settled_length_unit("a.xyz", "", "") == "");
  CHECK(testing::missing(testing::error_text<InputError>(
                             [] { settled_length_unit("a.gro", "nm", "A"); }),
                         {"a.gro: ", "in nm, not in A", "--out-unit"}) == "");
}

TEST_CASE("a given unit must be a known or a reduced unit") {
  const auto refused = [](auto parse, const std::string& text) {
    return testing::error_text<InputError>([&] { parse("--unit", text); });
  };
  CHECK(parse_length_unit("--unit", "Angstrom") == "A");
  CHECK(parse_length_unit("--unit", "sigma") == "sigma");
  CHECK(parse_length_unit("--unit", "\xcf\x83") == "sigma");
  CHECK(parse_length_unit("--unit", "lj") == "sigma");
  CHECK(parse_time_unit("--time-unit", "LJ") == "tau");
  CHECK(parse_time_unit("--time-unit", "picoseconds") == "ps");
  CHECK(parse_time_unit("--time-unit", "tau") == "tau");
  CHECK(refused(parse_length_unit, "nmm") ==
        "--unit 'nmm' is not a known unit of length (choose A, nm, pm, um, mm, cm, m, "
        "bohr; in reduced units sigma, lj, reduced): did you mean nm?");
  CHECK(testing::missing(refused(parse_length_unit, "angstorm"), {"did you mean A?"}) ==
        "");
  CHECK(testing::missing(refused(parse_length_unit, ""), {"'' is not a known"}) == "");
  CHECK(testing::missing(refused(parse_length_unit, "ps"), {"'ps' is not a known"}) ==
        "");
  CHECK(testing::missing(refused(parse_time_unit, "pss"), {"did you mean ps?"}) == "");
  CHECK(testing::missing(refused(parse_time_unit, "nm"), {"unit of time"}) == "");
  CHECK(parse_shown_unit("--out-unit", "nm") == "nm");
  const std::string shown = refused(parse_shown_unit, "AA");
  CHECK(testing::missing(shown, {"choose A, nm"}) == "");
  CHECK(shown.find("sigma") == std::string::npos);
}

}  // namespace
}  // namespace starhist
