#include "io/particles/particle_compounds.hh"

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST_CASE("molecule 0 is the first one, or means no molecule") {
  io::ParticleTable table;
  table.count = 5;
  table.molecule = {0, 0, 1, 1, 0};
  CHECK(io::ParticleCompounds(table).molecule == Numbers{0, 0, 1, 1, 0});
  table.molecule_zero_is_none = true;
  CHECK(io::ParticleCompounds(table).molecule == Numbers{0, 1, 2, 2, 3});
}

TEST_CASE("residues of equal number and name differ by chain, segment and code") {
  io::ParticleTable table;
  table.count = 4;
  table.residue = {1, 1, 1, 1};
  table.residue_name = {"LIG", "LIG", "LIG", "LIG"};
  const std::vector<std::string> words{"A", "A", "B", ""};
  for (const auto column : {&io::ParticleTable::chain, &io::ParticleTable::segment,
                            &io::ParticleTable::insertion_code}) {
    io::ParticleTable told = table;
    told.*column = words;
    CHECK(io::ParticleCompounds(told).residue == Numbers{0, 0, 1, 2});
  }
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 0, 0, 0});
}

TEST_CASE("later particles join the residue of their piece of the file") {
  io::ParticleTable table;
  table.count = 6;
  table.residue = {1, 2, 1, 2, 1, 2};
  table.residue_name = {"ALA", "GLY", "ALA", "GLY", "ALA", "GLY"};
  table.name = {"N", "N", "H", "H", "H", "H2"};
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 1, 2, 3, 4, 5});
  table.part = {1, 2, 1, 2, 1, 2};
  // the second H is of another residue with the same number
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 1, 0, 1, 2, 1});
}

TEST_CASE("particles without bonds that share a residue are loose") {
  io::ParticleTable table;
  table.count = 5;
  table.molecule_divides_residues = false;
  table.residue = {1, 1, 1, 2, 3};
  table.molecule = {1, 1, 2, 3, 4};
  CHECK(io::loose_particles(table) == 1);
  table.molecule = {1, 1, 1, 3, 4};
  CHECK(io::loose_particles(table) == 0);
  table.residue.clear();
  CHECK(io::loose_particles(table) == 0);
}

TEST_CASE("molecules defined by bonds do not divide residues") {
  io::ParticleTable table;
  table.count = 4;
  table.residue = {1, 1, 1, 2};
  table.molecule = {1, 1, 2, 3};
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 0, 1, 2});
  table.molecule_divides_residues = false;
  CHECK(io::ParticleCompounds(table).residue == Numbers{0, 0, 0, 1});
}

TEST_CASE("a file with species and one with particles are not joined") {
  io::ParticleTable table;
  table.count = 3;
  const auto refusal = [&](const io::ParticleTable& a, const io::ParticleTable& b) {
    return testing::error_text<InputError>(
        [&] { io::check_same_particles(a, "second.xtc", b, "first.h5"); });
  };
  for (const bool swapped : {false, true}) {
    const io::ParticleTable none;
    CHECK(testing::missing(swapped ? refusal(none, table) : refusal(table, none),
                           {"second.xtc and first.h5", "--species"}) == "");
  }
  CHECK(refusal(table, table) == "");
}

}  // namespace
}  // namespace starhist
