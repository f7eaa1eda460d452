// Pairs within compounds, listed and in blocks, with every instruction set, equal
// pair_bin.
#include "codelets/kernels/cpu/count_compound_pairs.hh"

#include "codelets/core/counting/pair_bin.hh"
#include "codelets/kernels/cpu/variants.hh"
#include "tests/kernels/kernel_cases.hh"
#include "tests/support/catch.hh"
#include "tests/support/random.hh"

namespace starhist {
namespace {

using testing::Random;
using Counts = std::vector<std::uint64_t>;

std::vector<std::uint32_t> random_compounds(Random& random, std::size_t particles,
                                            std::uint64_t compounds) {
  std::vector<std::uint32_t> numbers(particles);
  for (std::uint32_t& compound : numbers) {
    compound = static_cast<std::uint32_t>(random.below(compounds));
  }
  return numbers;
}

TEST_CASE("pairs within small and large compounds, of any rows, in any box") {
  Random random(31);
  const std::string before = kernels::cpu::selected_variant().name;
  for (const auto& c : testing::kernel_cases()) {
    for (const std::uint64_t compounds : {200U, 7U, 1U}) {
      const bool like = random.chance(0.5);
      const auto first_compound = random_compounds(random, 220, compounds);
      const auto second_compound = random_compounds(random, 170, compounds);
      auto first = testing::random_positions(random, c.box, 220);
      auto second = testing::random_positions(random, c.box, 170);
      testing::unwrap(random, c.box, 3, first);
      const CompoundPairs pairs(first_compound, second_compound, like);
      const UniformBins bins = make_bins(c.r_max, 700);
      Counts expected(bins.count + 1);
      const auto& other = like ? first : second;
      const auto& other_compound = like ? first_compound : second_compound;
      const auto at = [](const std::vector<double>& xyz, std::size_t i) {
        return Vec3{xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]};
      };
      for (std::size_t i = 0; i < first_compound.size(); ++i) {
        for (std::size_t j = like ? i + 1 : 0; j < other_compound.size(); ++j) {
          if (first_compound[i] == other_compound[j]) {
            ++expected[pair_bin(c.box.minimum_image(), bins, at(first, i),
                                at(other, j))];
          }
        }
      }
      for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
        if (!variant.supported) {
          continue;
        }
        kernels::cpu::select_variant(variant.name);
        std::vector<kernels::cpu::CompoundBlock> blocks;
        for (const CompoundPairs::Rows& rows : pairs.split(1 + random.below(20'000))) {
          blocks.push_back({&pairs,
                            rows,
                            {first.data(), 220},
                            {other.data(), other.size() / 3},
                            &c.box.minimum_image(),
                            &bins});
        }
        Counts counts(bins.count + 1);
        INFO(c.name << ", " << variant.name << ", " << compounds << " units");
        CHECK(kernels::cpu::count_compound_pairs(blocks, 2, counts.data()) ==
              pairs.pair_count());
        CHECK(counts == expected);
      }
    }
  }
  kernels::cpu::select_variant(before);
}

TEST_CASE("no compounds at all") {
  CHECK(kernels::cpu::count_compound_pairs({}, 1, nullptr) == 0);
}

}  // namespace
}  // namespace starhist
