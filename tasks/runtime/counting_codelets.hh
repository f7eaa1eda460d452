#pragma once

#include <memory>
#include <vector>

#include "codelets/count_pairs_codelet.hh"

namespace starhist::tasks {

/// The counting codelets of all kinds of pairs, geometries and orders, for one choice
/// of kernels.
///
/// StarPU refers to their models until it ends, which may be later than the Runtime
/// that uses them. So they belong to the process: all Runtimes with models of the same
/// names share them.
class CountingCodelets {
 public:
  /// Those for such keys, whose kind, geometry and order do not matter. Throws
  /// InputError for an unknown ModelKey::cuda_variant. Thread-safe.
  static std::shared_ptr<CountingCodelets> of(const perfmodels::ModelKey& key);
  /// Forgets those that nobody uses. Only when StarPU has ended.
  static void forget();

  CountingCodelets(const CountingCodelets&) = delete;
  CountingCodelets& operator=(const CountingCodelets&) = delete;

  codelets::CountPairsCodelet& get(perfmodels::PairKind kind,
                                   perfmodels::Geometry geometry,
                                   perfmodels::Order order);
  /// CountPairsModel::load() of each.
  void load_models(std::size_t workers_of_a_gpu);

 private:
  explicit CountingCodelets(const perfmodels::ModelKey& key);

  /// By kind and geometry, that for any order before that for spatial order.
  std::vector<std::unique_ptr<codelets::CountPairsCodelet>> codelets_;
};

}  // namespace starhist::tasks
