#include "perfmodels/count_pairs_model.hh"

#include <set>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE("the symbol names all that sets the speed") {
  CHECK(CountPairsModel(PairKind::like, BoxKind::triclinic, "avx2", 1).symbol() ==
        "count_pairs_like_triclinic_avx2_1threads");
  CHECK(CountPairsModel(PairKind::unlike, BoxKind::open, "baseline", 16).symbol() ==
        "count_pairs_unlike_open_baseline_16threads");
  CountPairsModel model(PairKind::like, BoxKind::orthorhombic, "avx512", 2);
  CHECK(model.get()->symbol == model.symbol());
  CHECK(model.get()->type == STARPU_HISTORY_BASED);
}

TEST_CASE("each size of work has an entry of its own, and only one") {
  CountPairsModel model(PairKind::like, BoxKind::open, "avx2", 1);
  const auto footprint = [&](const WorkSize& size) {
    WorkSize copy = size;
    starpu_task task{};
    task.cl_arg = &copy;
    return model.get()->footprint(&task);
  };
  std::set<std::uint32_t> entries;
  for (const std::uint64_t pairs :
       {0ULL, 1ULL, 1000ULL, 1ULL << 32U, (1ULL << 32U) + 1}) {
    for (const std::uint32_t bins : {1U, 1000U}) {
      for (const std::uint32_t frames : {1U, 7U}) {
        CHECK(footprint({pairs, bins, frames}) == footprint({pairs, bins, frames}));
        entries.insert(footprint({pairs, bins, frames}));
      }
    }
  }
  CHECK(entries.size() == 20);
}

}  // namespace
}  // namespace starhist
