#pragma once

#include <map>
#include <memory>
#include <vector>

#include "codelets/count_pairs_codelet.hh"

namespace starhist::tasks {

/// The counting codelets of all kinds of pairs, geometries and orders, for one choice
/// of kernels.
///
/// StarPU refers to their models until it stops, which may be later than the end of the
/// Runtime that uses them. Therefore they belong to the process: all Runtimes with
/// models of the same names share them.
class CountingCodelets {
 public:
  /// Codelets for these keys; their kind, geometry and order are ignored. Throws
  /// InputError for an unknown ModelKey::cuda_variant. Thread-safe.
  static std::shared_ptr<CountingCodelets> of(const perfmodels::ModelKey& key);
  /// Forgets unused codelets. Only after StarPU has stopped.
  static void forget();

  CountingCodelets(const CountingCodelets&) = delete;
  CountingCodelets& operator=(const CountingCodelets&) = delete;

  codelets::CountPairsCodelet& get(perfmodels::PairKind kind,
                                   perfmodels::Geometry geometry,
                                   perfmodels::Order order);
  /// Calls CountPairsModel::load() for each model.
  void load_models(std::size_t workers_of_a_gpu,
                   const std::map<int, perfmodels::GpuProperties>& gpus);

 private:
  explicit CountingCodelets(const perfmodels::ModelKey& key);

  /// Ordered by kind and geometry; any order precedes spatial order.
  std::vector<std::unique_ptr<codelets::CountPairsCodelet>> codelets_;
};

}  // namespace starhist::tasks
