#include "perfmodels/count_pairs_model.hh"

namespace starhist {
namespace {

std::uint32_t footprint(starpu_task* task) {
  const auto& size = *static_cast<const WorkSize*>(task->cl_arg);
  std::uint32_t hash = starpu_hash_crc32c_be_n(&size.pairs, sizeof(size.pairs), 0);
  hash = starpu_hash_crc32c_be(size.bin_count, hash);
  return starpu_hash_crc32c_be(size.frame_count, hash);
}

}  // namespace

CountPairsModel::CountPairsModel(PairKind pairs, BoxKind box,
                                 const std::string& cpu_variant, int threads)
    : symbol_("count_pairs_" +
              std::string(pairs == PairKind::like ? "like" : "unlike") + "_" +
              to_string(box) + "_" + cpu_variant + "_" + std::to_string(threads) +
              "threads") {
  model_.type = STARPU_HISTORY_BASED;
  model_.symbol = symbol_.c_str();
  model_.footprint = footprint;
}

}  // namespace starhist
