// Residue numbers of PDB beyond 9999, in the forms of different programs.
#include "codelets/core/base/error.hh"
#include "io/formats/pdb/residue_number.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist::testing {
namespace {

/// Returns an atom's record whose columns 22 to 28 are `columns`.
std::string record(const std::string& columns) {
  return "ATOM      1  CA  ALA " + columns + "    1.000   1.000   1.000";
}

struct Read {
  std::int64_t value;
  char insertion;
  bool over_chain;
  bool operator==(const Read&) const = default;
};

/// Returns the last of several consecutive numbers.
Read last_of(const std::vector<std::string>& columns) {
  io::PdbResidueNumbers numbers;
  io::PdbResidueNumbers::Number number;
  for (const std::string& each : columns) {
    number = numbers.next(record(each));
  }
  return {number.value, number.insertion, number.over_chain};
}

TEST_CASE("PDB: residue numbers, decimal and hybrid-36") {
  CHECK(last_of({"A   1 "}) == Read{1, ' ', false});
  CHECK(last_of({"A  52B"}) == Read{52, 'B', false});
  CHECK(last_of({"A-999 "}) == Read{-999, ' ', false});
  CHECK(last_of({"A     "}) == Read{0, ' ', false});
  // Values read by iotbx, the reference of hybrid-36, and by gemmi 0.7.5, except for
  // the lower-case numbers.
  CHECK(last_of({"AA000 "}) == Read{10000, ' ', false});
  CHECK(last_of({"AA00ZB"}) == Read{10035, 'B', false});
  CHECK(last_of({"AZZZZ "}) == Read{1223055, ' ', false});
  CHECK(last_of({"Aa000 "}) == Read{1223056, ' ', false});
  CHECK(last_of({"Azzzz "}) == Read{2436111, ' ', false});
}

TEST_CASE("PDB: residue numbers of more than four digits, and hexadecimal ones") {
  CHECK(last_of({"A10000 "}) == Read{10000, ' ', false});
  CHECK(last_of({"A123456"}) == Read{123456, ' ', false});
  CHECK(last_of({"  9999 ", " 10000 "}) != Read{9999, ' ', false});
  CHECK(last_of({" 9999 ", "10000 "}) == Read{10000, ' ', true});
  CHECK(last_of({" 9999 ", "10000 ", "10001 "}) == Read{10001, ' ', true});
  CHECK(last_of({"1   1 ", "10000 "}) == Read{0, ' ', false});  // chain 1
  CHECK(last_of({"A9999 ", "A2710 "}) == Read{10000, ' ', false});
  CHECK(last_of({"A9999 ", "A2710 ", "A2710 ", "A2711 "}) == Read{10001, ' ', false});
  CHECK(last_of({"A2709 ", "A2710 "}) == Read{2710, ' ', false});
  CHECK(last_of({"A271a "}) == Read{10010, ' ', false});
}

TEST_CASE("PDB: text other than residue numbers is refused") {
  for (const char* columns :
       {"A**** ", "A 52A ", "A1 2  ", "AaB12 ", "A 1.5 ", "AA00  "}) {
    INFO(columns);
    io::PdbResidueNumbers numbers;
    CHECK(missing(error_text<InputError>([&] { numbers.next(record(columns)); }),
                  {"columns 23 to 26", "hybrid-36"}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
