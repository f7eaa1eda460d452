#include "codelets/core/counting/species_pair.hh"

#include <algorithm>
#include <chrono>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

SpeciesPair pair(std::uint32_t first, std::uint32_t second) {
  return {SpeciesId(first), SpeciesId(second)};
}

TEST_CASE("4 O and 8 H make 6 O-O, 28 H-H and 32 H-O pairs") {
  CHECK(pair_count(pair(0, 0), 4, 4) == 6);
  CHECK(pair_count(pair(1, 1), 8, 8) == 28);
  CHECK(pair_count(pair(0, 1), 8, 4) == 32);
}

TEST_CASE("pairs of zero, one and very many particles") {
  CHECK(pair_count(pair(0, 0), 0, 0) == 0);
  CHECK(pair_count(pair(0, 0), 1, 1) == 0);
  CHECK(pair_count(pair(0, 1), 0, 5) == 0);
  CHECK(pair_count(pair(0, 1), 1, 1) == 1);
  CHECK(pair_count(pair(0, 0), 1ULL << 32U, 1ULL << 32U) == 9223372034707292160U);
  CHECK(pair_count(pair(0, 1), 1ULL << 32U, 1ULL << 31U) == 1ULL << 63U);
}

TEST_CASE("all pairs of three species, each once") {
  CHECK(all_pairs(3) == std::vector<SpeciesPair>{pair(0, 0), pair(0, 1), pair(0, 2),
                                                 pair(1, 1), pair(1, 2), pair(2, 2)});
  CHECK(all_pairs(0).empty());
}

TEST_CASE("lists of pairs keep their order, without repetition") {
  const std::vector<std::string> species{"H", "O", "Na"};
  CHECK(parse_pairs("O-O,H-O", species) ==
        std::vector<SpeciesPair>{pair(1, 1), pair(0, 1)});
  CHECK(parse_pairs("O-H,H-O,O-H", species) == std::vector<SpeciesPair>{pair(0, 1)});
  CHECK(parse_pairs("Na-H", species) == std::vector<SpeciesPair>{pair(0, 2)});
}

TEST_CASE("pairs with a centre differ in their two directions") {
  const std::vector<std::string> species{"H", "O", "Na"};
  CHECK(parse_centred_pairs("O-H,H-O,O-O,O-H", species) ==
        std::vector<CentredPair>{
            {pair(0, 1), true}, {pair(0, 1), false}, {pair(1, 1), false}});
  CHECK(centred_name({pair(0, 1), true}, species) == "O-H");
  CHECK(centred_name({pair(0, 1), false}, species) == "H-O");
}

TEST_CASE("species names may contain the dash") {
  const std::vector<std::string> species{"C-alpha", "Cl-", "-", "N"};
  for (const SpeciesPair& expected : all_pairs(species.size())) {
    const std::string name = pair_name(expected, species);
    INFO(name);
    CHECK(parse_pairs(name, species) == std::vector<SpeciesPair>{expected});
  }
  CHECK(parse_pairs("N-C-alpha,Cl---", species) ==
        std::vector<SpeciesPair>{pair(0, 3), pair(1, 2)});
}

TEST_CASE("species names may contain commas") {
  const std::vector<std::string> species{"a,b", "a", "b-a", "O"};
  for (const SpeciesPair& first : all_pairs(species.size())) {
    for (const SpeciesPair& second : all_pairs(species.size())) {
      const std::string list =
          pair_name(first, species) + "," + pair_name(second, species);
      INFO(list);
      CHECK(parse_pairs(list, species) ==
            (first == second ? std::vector<SpeciesPair>{first}
                             : std::vector<SpeciesPair>{first, second}));
    }
  }
}

TEST_CASE("ambiguous pair names are refused, and names of pairs differ") {
  const std::vector<std::string> species{"A", "B", "A-B", "B-A"};
  CHECK(missing(error_text<InputError>([&] { parse_pairs("A-B-A", species); }),
                {"ambiguous", "'A' with 'B-A'", "'A-B' with 'A'", "(A-B)-(A)"}) == "");
  CHECK(parse_pairs("(A)-(B-A),(A-B)-(A)", species) ==
        std::vector<SpeciesPair>{pair(0, 3), pair(0, 2)});
  std::vector<std::string> names;
  for (const SpeciesPair& expected : all_pairs(species.size())) {
    names.push_back(pair_name(expected, species));
    INFO(names.back());
    CHECK(parse_pairs(names.back(), species) == std::vector<SpeciesPair>{expected});
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  // The text with the comma is ambiguous; it is not a list of two pairs.
  CHECK(missing(error_text<InputError>([] {
                  parse_pairs("a-b,a-b", {"a", "b", "b,a-b", "a-b,a"});
                }),
                {"ambiguous", "'a' with 'b,a-b'"}) == "");
  // Two readings of the same pair are one.
  CHECK(parse_pairs("----", {"-", "--"}) == std::vector<SpeciesPair>{pair(0, 1)});
}

TEST_CASE("an empty list of pairs is refused even without species") {
  CHECK(missing(error_text<InputError>([] { parse_pairs("", {}); }),
                {"empty", "species"}) == "");
}

TEST_CASE("invalid pairs are named in the message, with the species") {
  const std::vector<std::string> species{"H", "O"};
  for (const char* list :
       {"O", "O-", "-O", "O-X", "O-O,X-O", "O-O,,H-H", "o-o", "O -O"}) {
    INFO(list);
    CHECK(missing(error_text<InputError>([&] { parse_pairs(list, species); }),
                  {"pair '", "(there are H, O)"}) == "");
  }
  CHECK(missing(error_text<InputError>([&] { parse_pairs("O-X", species); }),
                {"there is no species 'X'"}) == "");
  CHECK(missing(error_text<InputError>([&] { parse_pairs("(O)-(X)", species); }),
                {"there is no species 'X'"}) == "");
  CHECK(missing(error_text<InputError>([&] { parse_pairs("O-", species); }),
                {"is not two species"}) == "");
  CHECK(missing(error_text<InputError>([&] { parse_pairs("O-H-O", species); }),
                {"is not two species joined by '-'"}) == "");
  CHECK(missing(error_text<InputError>([&] { parse_pairs("O-O,X-O", species); }),
                {"'X-O'"}) == "");
  CHECK(missing(error_text<InputError>([&] { parse_pairs("", species); }),
                {"empty", "H-O"}) == "");
}

TEST_CASE("lists of pairs are parsed in little time if a name has a comma") {
  std::vector<std::string> species{"a,b"};
  std::string list;
  for (std::uint32_t k = 0; k < 150; ++k) {
    species.push_back("-" + std::to_string(k));
    list += species.back() + "-" + species.back() + ",";
  }
  const auto start = std::chrono::steady_clock::now();
  CHECK(parse_pairs(list, species).size() == 150);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  CHECK(time.count() < 5);  // suggestions for every part of the list take longer
}

TEST_CASE("the message suggests the intended pair") {
  const std::vector<std::string> species{"HW", "Na+", "OW", "O"};
  const auto told = [&](const std::string& pair) {
    const std::string text =
        error_text<InputError>([&] { parse_pairs(pair, species); });
    const std::string begin = "did you mean ";
    const std::size_t found = text.find(begin);
    return found == std::string::npos ? "" : text.substr(found + begin.size());
  };
  CHECK(told("ow-hw") == "OW-HW?");
  CHECK(told("na+-OW") == "Na+-OW?");
  CHECK(told("OWHW") == "OW-HW?");
  CHECK(told("OW:HW") == "OW-HW?");
  CHECK(told("OW_O") == "OW-O?");
  CHECK(told("OO") == "O-O?");
  CHECK(told("OW") == "OW-OW?");
  CHECK(told("OW-Xe") == "");
  CHECK(told("Xe") == "");
  CHECK(told("-") == "");
}

}  // namespace
}  // namespace starhist
