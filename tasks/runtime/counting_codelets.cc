#include "tasks/runtime/counting_codelets.hh"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>

namespace starhist::tasks {
namespace {

constexpr std::array geometries{
    perfmodels::Geometry::open, perfmodels::Geometry::orthorhombic,
    perfmodels::Geometry::triclinic, perfmodels::Geometry::triclinic_far,
    perfmodels::Geometry::triclinic_centred};

struct Registry {
  std::mutex mutex;
  /// Keyed by the name of the first model.
  std::map<std::string, std::shared_ptr<CountingCodelets>> codelets;
};

/// Never destroyed: another library may stop StarPU after this library's destructors
/// have run.
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

}  // namespace

std::shared_ptr<CountingCodelets> CountingCodelets::of(
    const perfmodels::ModelKey& key) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  perfmodels::ModelKey first = key;
  first.pairs = perfmodels::PairKind::like;
  first.geometry = geometries.front();
  first.order = perfmodels::Order::any;
  std::shared_ptr<CountingCodelets>& entry = all.codelets[first.symbol()];
  if (!entry) {
    entry.reset(new CountingCodelets(key));
  }
  return entry;
}

void CountingCodelets::forget() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.codelets,
                [](const auto& entry) { return entry.second.use_count() <= 1; });
}

CountingCodelets::CountingCodelets(const perfmodels::ModelKey& key) {
  perfmodels::ModelKey own = key;
  for (const perfmodels::PairKind kind :
       {perfmodels::PairKind::like, perfmodels::PairKind::unlike}) {
    own.pairs = kind;
    for (const perfmodels::Geometry geometry : geometries) {
      own.geometry = geometry;
      for (const perfmodels::Order order :
           {perfmodels::Order::any, perfmodels::Order::spatial}) {
        own.order = order;
        codelets_.push_back(std::make_unique<codelets::CountPairsCodelet>(own));
      }
      perfmodels::CountPairsModel& any_order = codelets_[codelets_.size() - 2]->model();
      perfmodels::CountPairsModel& spatial_order = codelets_.back()->model();
      any_order.fall_back_on(spatial_order);
      spatial_order.fall_back_on(any_order);
    }
  }
}

codelets::CountPairsCodelet& CountingCodelets::get(perfmodels::PairKind kind,
                                                   perfmodels::Geometry geometry,
                                                   perfmodels::Order order) {
  const std::size_t row = kind == perfmodels::PairKind::like ? 0 : 1;
  const auto column = static_cast<std::size_t>(
      std::find(geometries.begin(), geometries.end(), geometry) - geometries.begin());
  return *codelets_[2 * (row * geometries.size() + column) +
                    (order == perfmodels::Order::spatial ? 1 : 0)];
}

void CountingCodelets::load_models(
    std::size_t workers_of_a_gpu,
    const std::map<int, perfmodels::GpuProperties>& gpus) {
  for (std::size_t k = 0; k < codelets_.size(); ++k) {
    const bool spatial_order = k % 2 == 1;  // only one of a GPU's workers counts them
                                            // (TaskWorkers)
    codelets_[k]->model().load(spatial_order ? 1 : workers_of_a_gpu, gpus);
  }
}

}  // namespace starhist::tasks
