#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "codelets/core/base/divide_up.hh"
#include "codelets/core/base/error.hh"
#include "codelets/kernels/countable.hh"
#include "codelets/kernels/cuda/cuda_tuning.hh"
#include "codelets/kernels/cuda/filter/filter_bounds.hh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/launch/cuda_count_pairs.hh"
#include "codelets/kernels/cuda/launch/fault.hh"
#include "codelets/kernels/cuda/panel_cost.hh"
#include "codelets/kernels/error_bounds/displacement_error.hh"
#include "codelets/kernels/fixed_point/centred_lattice.hh"

namespace starhist::kernels::cuda {
namespace {

// One in the memory of each device.
__device__ unsigned long long skipped_pairs;
__device__ OptimisticRecord optimistic_record;

/// Properties of the current device.
struct Device {
  std::uint32_t multiprocessors = 0;
  int shared_bytes = 0;  ///< largest shared memory of a thread block
  ApproximationErrors errors{};
  unsigned long long* skipped_pairs = nullptr;
  OptimisticRecord* optimistic_record = nullptr;
};

cudaError_t current_device(Device& device) {
  int id = 0;
  int multiprocessors = 0;
  int major = 0;
  int minor = 0;
  cudaError_t error = cudaGetDevice(&id);
  if (error == cudaSuccess) {
    error =
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, id);
  }
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&device.shared_bytes,
                                   cudaDevAttrMaxSharedMemoryPerBlockOptin, id);
  }
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id);
  }
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, id);
  }
  if (error == cudaSuccess) {
    error = cudaGetSymbolAddress(reinterpret_cast<void**>(&device.skipped_pairs),
                                 skipped_pairs);
  }
  if (error == cudaSuccess) {
    error = cudaGetSymbolAddress(reinterpret_cast<void**>(&device.optimistic_record),
                                 optimistic_record);
  }
  device.errors = approximation_errors(10 * major + minor);
  device.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
  return error;
}

/// Arguments of a launch with the common properties of its blocks; the rest has
/// defaults.
KernelArgs make_args(const PairBlock& block, const Bounds& bounds,
                     std::uint64_t* counts) {
  static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
  KernelArgs args;
  args.output.counts = reinterpret_cast<unsigned long long*>(counts);
  args.geometry.image = *block.image;
  args.bins = *block.bins;
  args.geometry.centre = bounds.centre();
  return args;
}

bool same_shape(const MinimumImage& a, const MinimumImage& b) {
  return std::equal(std::begin(a.edge), std::end(a.edge), std::begin(b.edge)) &&
         std::equal(std::begin(a.dual), std::end(a.dual), std::begin(b.dual)) &&
         std::equal(std::begin(a.facet), std::end(a.facet), std::begin(b.facet)) &&
         a.facet_count == b.facet_count && a.exact_rounding_r2 == b.exact_rounding_r2;
}

/// Number of superclusters of a block.
std::size_t supers_of(const PairBlock& block) {
  return ClusterRecords::supers_of(block.first.count) +
         (block.like ? 0U : ClusterRecords::supers_of(block.second.count));
}

/// The blocks of a launch, from the first on.
struct LaunchSize {
  std::size_t blocks = 0;  ///< number of blocks
  std::size_t supers =
      0;  ///< number of their superclusters; 0: not counted by clusters
};

/// The size of the next launch. Blocks of the same shape are spread evenly over as few
/// launches as possible. Blocks in spatial order share one as far as their clusters fit
/// into the scratch memory.
LaunchSize launch_size(std::span<const PairBlock> blocks, const Scratch& scratch) {
  std::size_t alike = 1;
  while (alike < blocks.size() && same_shape(*blocks[alike].image, *blocks[0].image)) {
    ++alike;
  }
  LaunchSize size{divide_up(alike, divide_up(alike, most_slices))};
  std::size_t clustered = 0;
  for (; clustered < size.blocks && blocks[clustered].clustered; ++clustered) {
    const std::size_t supers = size.supers + supers_of(blocks[clustered]);
    if (supers > ClusterRecords::most_supers ||
        ClusterRecords::bytes(supers) > scratch.bytes) {
      break;
    }
    size.supers = supers;
  }
  size.blocks = clustered > 0 ? clustered : size.blocks;
  return size;
}

/// Sets BoxGeometry::cluster_margin, a generous bound of the rounding errors of spheres
/// and of coordinates far from the origin. Returns false if coordinates are so large
/// that it would not be sufficient.
bool set_cluster_margin(const Bounds& bounds, KernelArgs& args) {
  args.geometry.cluster_margin = 1e-4 * args.bins.count + 1e-3;
  return bounds.magnitude() < 1e9 * args.bins.r_max;
}

/// The scale and error bounds that the kernel's certificate needs; empty if too many
/// pairs would be ambiguous. For the arguments see tensor_scale().
std::optional<FastScale> scale_for(const Kernel& kernel, const BinScale& bins,
                                   double radius, double error,
                                   const ApproximationErrors& errors) {
  switch (kernel.certificate) {
    case Certificate::relative:
      return tensor_scale(bins, radius, error, errors);
    case Certificate::local:
      return local_scale(bins, kernel.spread, radius, error, errors);
    case Certificate::edge:
      return edge_scale(bins, radius, error, errors);
  }
  return std::nullopt;
}

/// Estimated range of most distances between two clusters [bins], if the particles fill
/// the cell, or the box around them, evenly.
double spread_between_clusters(std::span<const PairBlock> blocks,
                               const Bounds& bounds) {
  const Vec3 extent = bounds.high - bounds.low;
  double volume = extent.x * extent.y * extent.z;
  const Vec3* edge = blocks[0].image->edge;
  const double cell = std::abs(dot(edge[0], cross(edge[1], edge[2])));
  if (cell > 0.0) {
    volume = std::min(volume, cell);
  }
  constexpr double of_both_edges = 2.0;
  double spread = 0.0;
  for (const PairBlock& block : blocks) {
    double edges = 0.0;
    for (const std::size_t count : {block.first.count, block.second.count}) {
      edges += std::cbrt(volume * cluster_size / static_cast<double>(count));
    }
    spread = std::max(spread, of_both_edges * edges * blocks[0].bins->inverse_width);
  }
  return spread;
}

/// Number of bins up to the farthest nearest image in an orthogonal lattice, with one
/// to spare for the error of approximate distances; at least `entries`, also for other
/// lattices. `centre`: KernelArgs::centre; of d and centre - d, the shorter one is at
/// most as long as the mean square of both.
std::uint32_t entries_in_reach(const FastScale& fast, const float (&centre)[3],
                               std::uint32_t entries) {
  double squares = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double edge = fast.orthogonal_edge[axis];
    const double half = centre[axis];
    squares += 0.25 * edge * edge - 0.5 * half * half;
  }
  constexpr double roundings = 1.0 + 1e-6;
  const double bins = roundings * fast.scale * std::sqrt(squares) + 2.0;
  constexpr std::uint32_t most = 1U << 22U;  // more than shared memory holds
  return bins < most ? std::max(entries, static_cast<std::uint32_t>(bins)) : most;
}

/// Exchanges the axes of an orthogonal lattice so that the longest edge is axis 0, for
/// fixed_coordinate(); its other members keep their order.
void longest_edge_first(FixedLattice& lattice) {
  if (lattice.metric != Metric::isotropic && lattice.metric != Metric::diagonal) {
    return;
  }
  int longest = 0;
  for (int axis = 1; axis < 3; ++axis) {
    if (dot(lattice.dual[axis], lattice.dual[axis]) <
        dot(lattice.dual[longest], lattice.dual[longest])) {
      longest = axis;
    }
  }
  std::swap(lattice.dual[0], lattice.dual[longest]);
  std::swap(lattice.origin[0], lattice.origin[longest]);
}

/// Sets the lattice and the centre of `args` and returns centred_kernel() and its scale
/// if it can count; otherwise leaves `args` as it is and returns empty.
std::optional<std::pair<Kernel, FastScale>> prepare_centred(const Bounds& bounds,
                                                            const Device& device,
                                                            std::uint64_t rows,
                                                            KernelArgs& args) {
  if (args.geometry.lattice.metric != Metric::searched) {
    return std::nullopt;
  }
  const auto centred = make_centred_lattice(args.geometry.image, args.bins, bounds);
  const auto fast = centred ? lattice_scale(centred->lattice, args.bins, device.errors)
                            : std::nullopt;
  if (!fast) {
    return std::nullopt;
  }
  float centre[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    centre[axis] = centred->halved[axis] ? 0.5F * fast->orthogonal_edge[axis] : 0.0F;
  }
  const std::uint32_t entries = args.bins.count + 1U;
  const Kernel kernel = centred_kernel(entries_in_reach(*fast, centre, entries),
                                       device.shared_bytes, rows);
  if (kernel.function == nullptr) {
    return std::nullopt;
  }
  args.geometry.lattice = centred->lattice;
  std::copy_n(centre, 3, args.centre);
  return std::pair(kernel, *fast);
}

/// Sets the geometry and the filter of `args` and returns the kernel to launch. Its
/// function is null if the defining function has to count. `rows`: mean number of rows
/// of a block; `clustered`: there are cluster records.
Kernel prepare(std::span<const PairBlock> blocks, Variant variant, const Bounds& bounds,
               const Device& device, std::uint64_t rows, bool clustered,
               KernelArgs& args) {
  const std::uint32_t entries = args.bins.count + 1U;
  const double diameter = bounds.diameter() * args.bins.inverse_width;
  const bool open = args.geometry.image.edge[0] == Vec3{};
  const bool tensor = variant == Variant::automatic || variant == Variant::tensor;
  std::optional<FastScale> fast;
  Kernel kernel;
  if (variant != Variant::definition) {
    args.geometry.lattice = make_fixed_lattice(args.geometry.image, args.bins, bounds);
  }
  if (tensor && clustered) {
    args.geometry.images = image_steps(args.geometry.image, args.bins);
    // Largest spread of two clusters that the kernel takes together.
    const double spread =
        open ? diameter : static_cast<double>(args.geometry.images.most_spread);
    kernel = cluster_kernel(entries, device.shared_bytes,
                            spread_between_clusters(blocks, bounds), open);
    fast = scale_for(
        kernel, args.bins, args.bins.count + 2.0 * spread,
        args.bins.inverse_width * displacement_error(args.geometry.image, bounds) +
            1e-12,
        device.errors);
  } else if (tensor && open) {
    const double error = 0x1p-49 * diameter + 1e-12;
    fast = tensor_scale(args.bins, 0.5 * diameter, error, device.errors);
    kernel = tensor_kernel(entries, device.shared_bytes,
                           fast && fast->certified_start > 0.0F);
    fast = scale_for(kernel, args.bins, 0.5 * diameter, error, device.errors);
  }
  if (!fast && variant != Variant::definition) {
    if (const auto centred = prepare_centred(bounds, device, rows, args)) {
      std::tie(kernel, fast) = *centred;
    } else {
      longest_edge_first(args.geometry.lattice);
      fast = lattice_scale(args.geometry.lattice, args.bins, device.errors);
      kernel = lattice_kernel(
          entries, fast ? entries_in_reach(*fast, args.centre, entries) : entries,
          device.shared_bytes, args.geometry.lattice.metric, rows);
    }
  }
  if (!fast) {
    return {};
  }
  args.filter.scale = fast->scale;
  args.filter.filter_bound = fast->filter_bound;
  std::copy_n(fast->orthogonal_edge, 3, args.filter.orthogonal_edge);
  args.filter.farthest = (static_cast<float>(args.bins.count) + 0.5F) / fast->scale;
  args.filter.counters = kernel.window;
  args.filter.coordinate_scale = fast->coordinate_scale;
  args.filter.inverse_coordinate_scale = 1.0 / fast->coordinate_scale;
  args.filter.scale_low = fast->low;
  args.filter.scale_high = fast->high;
  args.filter.certified_start = fast->certified_start;
  args.filter.quantised = fast->quantised;
  return kernel;
}

/// Adds a slice for each block with pairs.
void add_slices(std::span<const PairBlock> blocks, KernelArgs& args) {
  std::uint32_t supers = 0;
  for (const PairBlock& block : blocks) {
    if (block.pair_count() == 0) {
      continue;
    }
    const auto clusters_from = [&](std::size_t count) {
      const std::uint32_t first = supers * superclusters;
      supers += ClusterRecords::supers_of(count);
      return first;
    };
    KernelSlice& slice = args.slice[args.slice_count++];
    slice.first = block.first;
    slice.second = block.second;
    slice.row_begin = static_cast<std::uint32_t>(block.row_begin);
    slice.row_end = static_cast<std::uint32_t>(block.row_end);
    slice.like = block.like;
    slice.first_cluster = clusters_from(block.first.count);
    slice.second_cluster =
        block.like ? slice.first_cluster : clusters_from(block.second.count);
  }
}

/// Sets the work items of the cluster kernels, work_items_per_warp for each warp if
/// they are large enough, and the order and slices of optimistic counting.
void set_work_items(const Device& device, KernelArgs& args) {
  std::uint64_t supers = 0;  // opposite a cluster of rows
  for (std::uint32_t k = 0; k < args.slice_count; ++k) {
    supers += args.slice[k].work_items(1);
  }
  const std::uint64_t all_warps = std::uint64_t{device.multiprocessors} * warps;
  args.cluster_work.superclusters_per_work_item =
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
          supers / (all_warps * work_items_per_warp), 1, superclusters));
  for (std::uint32_t k = 0; k < args.slice_count; ++k) {
    args.cluster_work.work_items +=
        args.slice[k].work_items(args.cluster_work.superclusters_per_work_item);
  }
  constexpr double pairs_per_flush = 1.0 * flush_interval * cluster_size * cluster_size;
  constexpr double most_slices = 512.0;
  args.optimistic.flush_slices = static_cast<std::uint32_t>(std::ceil(std::min(
      optimistic_pairs_per_bin * args.bins.count / pairs_per_flush, most_slices)));
  // A step coprime to the number visits each item; the golden ratio spreads them
  // evenly.
  constexpr double golden = 0.618;
  args.optimistic.work_item_step = static_cast<std::uint64_t>(
      golden * static_cast<double>(args.cluster_work.work_items));
  while (std::gcd(args.optimistic.work_item_step, args.cluster_work.work_items) != 1) {
    ++args.optimistic.work_item_step;
  }
}

/// Sets the work items of the blocked kernels, equally many and of the same cost for
/// each multiprocessor.
void set_items(const Kernel& kernel, const Device& device, KernelArgs& args) {
  std::uint64_t tiles = 0;
  for (std::uint32_t k = 0; k < args.slice_count; ++k) {
    KernelSlice& slice = args.slice[k];
    slice.cost_before = args.blocked_work.cost;
    const std::uint32_t rows = rows_of_panel(slice, kernel.panel_rows, kernel.row_unit);
    for (std::uint32_t row = slice.row_begin; row < slice.row_end; row += rows) {
      const PanelCost cost(slice, row, rows, kernel.tile_columns,
                           kernel.turns ? kernel.row_unit : 0U);
      tiles += cost.tiles();
      args.blocked_work.cost += cost.of_all();
    }
  }
  const std::uint64_t items = std::clamp<std::uint64_t>(
      divide_up(tiles, device.multiprocessors) / least_tiles_per_item, 1,
      items_per_multiprocessor);
  args.blocked_work.cost_per_item =
      divide_up(args.blocked_work.cost, device.multiprocessors * items);
}

/// Allows launches of `kernel` with `bytes` of dynamic shared memory.
cudaError_t allow_shared_bytes(void (*kernel)(KernelArgs), std::size_t bytes) {
  const cudaError_t error = cudaFuncSetAttribute(
      reinterpret_cast<const void*>(kernel),
      cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) {
    cudaGetLastError();  // clears the error unless it is permanent
  }
  return error;
}

/// ClusterWork::least_end for all pairs of clusters: more than any distance [bins].
constexpr float beyond_all = 1e30F;

/// Number of thread blocks for `turns` work items: at most one per multiprocessor.
unsigned blocks_for(std::uint64_t turns, const Device& device) {
  return static_cast<unsigned>(std::min<std::uint64_t>(turns, device.multiprocessors));
}

/// Queues Kernel::optimistic_function and commit_optimistic_counts().
cudaError_t launch_optimistically(const Kernel& kernel, const Device& device,
                                  std::uint64_t pairs, KernelArgs& args,
                                  cudaStream_t stream) {
  // A total gains at most 255 for every 2^15 * slices pairs that are counted, so with
  // this many slices it stays below 2^32.
  args.optimistic.min_flush_slices = static_cast<std::uint32_t>(1U + (pairs >> 37U));
  args.cluster_work.least_end = beyond_all;
  args.output.window_end = args.bins.count + 1U;
  cudaError_t error = allow_shared_bytes(
      kernel.optimistic_function, static_cast<std::size_t>(kernel.optimistic_bytes));
  if (error == cudaSuccess) {
    error = cudaMemsetAsync(args.cluster_work.records.sums, 0,
                            ClusterRecords::optimistic_bytes(args.bins.count), stream);
  }
  if (error == cudaSuccess) {
    kernel.optimistic_function<<<blocks_for(args.cluster_work.work_items, device),
                                 threads_or_fault(cluster_threads, stream),
                                 kernel.optimistic_bytes, stream>>>(args);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) {
    commit_optimistic_counts<<<device.multiprocessors, threads, 0, stream>>>(args,
                                                                             pairs);
    error = cudaGetLastError();
  }
  return error;
}

/// Queues the sweeps over all windows of the bins, after the optimistic kernel if there
/// is one. A sweep that is refused after others are queued is tried again, because
/// those will count.
Launch launch(const Kernel& kernel, const Device& device, std::uint64_t pairs,
              KernelArgs& args, cudaStream_t stream) {
  constexpr int most_trials = 4;
  const std::uint32_t entries = args.bins.count + 1U;
  const std::size_t bytes = static_cast<std::size_t>(kernel.overhead_bytes) +
                            4U * std::size_t{kernel.window_words};
  const cudaError_t error = allow_shared_bytes(kernel.function, bytes);
  if (error != cudaSuccess) {
    return {error};
  }
  const unsigned grid = blocks_for(
      kernel.clustered
          ? args.cluster_work.work_items
          : divide_up(args.blocked_work.cost, args.blocked_work.cost_per_item),
      device);
  const bool optimistic = kernel.optimistic_function != nullptr;
  if (optimistic) {
    const cudaError_t refused =
        launch_optimistically(kernel, device, pairs, args, stream);
    if (refused != cudaSuccess) {
      return {refused};
    }
  }
  for (std::uint32_t begin = 0; begin < entries; begin += kernel.stride) {
    const bool last = entries - begin <= kernel.stride;
    args.output.window_begin = begin;
    args.output.window_end = begin + std::min(kernel.window, entries - begin);
    args.cluster_work.least_begin = static_cast<float>(begin);
    args.cluster_work.least_end =
        last ? beyond_all : static_cast<float>(begin + kernel.stride);
    cudaError_t launched = cudaErrorUnknown;
    const bool begun = begin > 0 || optimistic;
    for (int trial = 0; launched != cudaSuccess && trial < (begun ? most_trials : 1);
         ++trial) {
      // After an optimistic kernel, commit_optimistic_counts() has set the first item.
      const bool anew = kernel.clustered && !(optimistic && begin == 0);
      launched = anew ? cudaMemsetAsync(
                            args.cluster_work.records.next_work_item, 0,
                            sizeof(*args.cluster_work.records.next_work_item), stream)
                      : cudaSuccess;
      if (launched == cudaSuccess) {
        kernel.function<<<grid, threads_or_fault(kernel.block_threads, stream), bytes,
                          stream>>>(args);
      }
      launched = cudaGetLastError();
    }
    if (launched != cudaSuccess) {
      return {launched, 0, begun};
    }
  }
  return {};
}

/// Counts the blocks of one launch. `records` without clusters: blocked kernels count.
Launch count_together(std::span<const PairBlock> blocks, std::span<const Bounds> bounds,
                      Variant variant, const Device& device, std::uint64_t* counts,
                      const ClusterRecords& records, cudaStream_t stream) {
  if (pair_count(blocks) == 0) {
    return {};
  }
  Bounds all;
  std::uint64_t rows = 0;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    all.add(bounds[k]);
    rows += blocks[k].row_end - blocks[k].row_begin;
  }
  KernelArgs args = make_args(blocks[0], all, counts);
  const Kernel kernel =
      prepare(blocks, variant, all, device, rows / blocks.size(),
              records.clusters != nullptr && set_cluster_margin(all, args), args);
  args.output.skipped_pairs = device.skipped_pairs;
  args.optimistic.record = device.optimistic_record;
  add_slices(blocks, args);
  if (kernel.function == nullptr) {
    count_pairs_by_definition<<<device.multiprocessors * 8, 256, 0, stream>>>(args);
    return {cudaGetLastError()};
  }
  if (kernel.clustered) {
    args.cluster_work.records = records;
    set_work_items(device, args);
    const dim3 grid(device.multiprocessors, std::min(args.slice_count, 8U));
    prepare_clusters<<<grid, threads, 0, stream>>>(args);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
      return {error};
    }
  } else {
    set_items(kernel, device, args);
  }
  return launch(kernel, device, pair_count(blocks), args, stream);
}

}  // namespace

cudaError_t take_skipped_pairs(std::uint64_t& pairs) {
  constexpr unsigned long long none = 0;
  unsigned long long seen = 0;
  cudaError_t error = cudaMemcpyFromSymbol(&seen, skipped_pairs, sizeof(seen));
  if (error == cudaSuccess) {
    error = cudaMemcpyToSymbol(skipped_pairs, &none, sizeof(none));
  }
  pairs = seen;
  return error;
}

Variant parse_variant(const std::string& name) {
  if (name == "auto") {
    return Variant::automatic;
  }
  if (name == "tensor") {
    return Variant::tensor;
  }
  if (name == "fixed-point") {
    return Variant::fixed_point;
  }
  if (name == "definition") {
    return Variant::definition;
  }
  throw InputError("CUDA variant '" + name +
                   "' is not one of auto, tensor, fixed-point, definition");
}

Launch count_pairs(std::span<const PairBlock> blocks, std::span<const Bounds> bounds,
                   Variant variant, std::uint64_t* counts, const Scratch& scratch,
                   cudaStream_t stream) {
  STARHIST_EXPECT(bounds.size() == blocks.size(), "each block has bounds");
  STARHIST_EXPECT(are_countable(blocks), "a kernel can count the blocks");
  if (!blocks.empty() && !blocks.front().bins->uniform()) {
    throw InternalError("GPU kernels count only in bins of equal width");
  }
  Device device;
  const cudaError_t error = current_device(device);
  if (error != cudaSuccess) {
    cudaGetLastError();
    return {error};
  }
  for (std::size_t done = 0; done < blocks.size();) {
    const LaunchSize size = launch_size(blocks.subspan(done), scratch);
    const ClusterRecords records = size.supers > 0
                                       ? ClusterRecords::in(scratch.memory, size.supers)
                                       : ClusterRecords();
    Launch launch = count_together(blocks.subspan(done, size.blocks),
                                   bounds.subspan(done, size.blocks), variant, device,
                                   counts, records, stream);
    if (launch.error != cudaSuccess) {
      launch.counted = done;
      return launch;
    }
    done += size.blocks;
  }
  return {cudaSuccess, blocks.size()};
}

}  // namespace starhist::kernels::cuda
