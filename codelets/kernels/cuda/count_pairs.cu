#include <algorithm>
#include <optional>

#include "codelets/core/error.hh"
#include "codelets/kernels/cuda/count_pairs.hh"
#include "codelets/kernels/cuda/fault.hh"
#include "codelets/kernels/cuda/kernels.hh"
#include "codelets/kernels/cuda/trust.hh"
#include "codelets/kernels/cuda/tuning.hh"

namespace starhist::cuda {
namespace {

std::uint32_t divide_up(std::uint32_t n, std::uint32_t size) {
  return n / size + (n % size != 0 ? 1U : 0U);
}

struct Device {
  std::uint32_t multiprocessors = 0;
  int shared_bytes = 0;  ///< most that a thread block may have
};

cudaError_t current_device(Device& device) {
  int id = 0;
  int multiprocessors = 0;
  cudaError_t error = cudaGetDevice(&id);
  if (error == cudaSuccess) {
    error =
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, id);
  }
  if (error == cudaSuccess) {
    error = cudaDeviceGetAttribute(&device.shared_bytes,
                                   cudaDevAttrMaxSharedMemoryPerBlockOptin, id);
  }
  device.multiprocessors = static_cast<std::uint32_t>(multiprocessors);
  return error;
}

KernelArgs make_args(const PairBlock& block, const Bounds& bounds,
                     std::uint64_t* counts) {
  static_assert(sizeof(std::uint64_t) == sizeof(unsigned long long));
  KernelArgs args;
  args.first = block.first;
  args.second = block.second;
  args.counts = reinterpret_cast<unsigned long long*>(counts);
  args.row_begin = static_cast<std::uint32_t>(block.row_begin);
  args.row_end = static_cast<std::uint32_t>(block.row_end);
  args.column_count = static_cast<std::uint32_t>(block.second.count);
  args.like = block.like;
  args.image = *block.image;
  args.bins = *block.bins;
  args.centre = bounds.centre();
  return args;
}

/// Sets what the fast distance needs and picks its kernel; no function if the defining
/// function has to count.
Kernel prepare(Variant variant, const Bounds& bounds, const Device& device,
               KernelArgs& args) {
  const auto entries = static_cast<std::size_t>(args.bins.count) + 1;
  constexpr std::size_t most_overhead = 24 * 1024;
  const bool windowed =
      entries * 4 + most_overhead > static_cast<std::size_t>(device.shared_bytes);
  const bool open = args.image.edge[0] == Vec3{};
  std::optional<FastScale> fast;
  Kernel kernel;
  if (open && (variant == Variant::automatic || variant == Variant::tensor)) {
    fast = tensor_scale(args.bins, bounds);
    kernel = tensor_kernel(windowed);
  }
  if (!fast && variant != Variant::definition) {
    args.lattice = make_fixed_lattice(args.image, args.bins, bounds);
    fast = lattice_scale(args.lattice, args.image, args.bins);
    constexpr std::uint32_t rows_of_a_large_panel = 4096;
    kernel = lattice_kernel(args.lattice.metric, windowed,
                            args.row_end - args.row_begin < rows_of_a_large_panel);
  }
  if (!fast) {
    return {};
  }
  args.scale = fast->scale;
  args.plain = fast->plain;
  args.searched = fast->searched;
  return kernel;
}

void set_items(const Kernel& kernel, const Device& device, KernelArgs& args) {
  const std::uint32_t panels =
      divide_up(args.row_end - args.row_begin, kernel.panel_rows);
  const std::uint32_t tiles = divide_up(args.column_count, tile_columns);
  const std::uint32_t wanted =
      divide_up(items_per_multiprocessor * device.multiprocessors, panels);
  args.columns_per_item =
      divide_up(tiles, std::clamp<std::uint32_t>(wanted, 1U, tiles)) * tile_columns;
  args.items_per_panel = divide_up(args.column_count, args.columns_per_item);
  args.items = panels * args.items_per_panel;
}

Launch launch(const Kernel& kernel, const Device& device, KernelArgs& args,
              cudaStream_t stream) {
  const std::uint32_t entries = args.bins.count + 1U;
  const auto most_entries =
      static_cast<std::uint32_t>(device.shared_bytes - kernel.overhead_bytes) / 4U;
  const std::uint32_t windows = divide_up(entries, most_entries);
  const std::uint32_t window = divide_up(entries, windows);
  const std::size_t bytes =
      static_cast<std::size_t>(kernel.overhead_bytes) + 4U * window;
  const cudaError_t error = cudaFuncSetAttribute(
      reinterpret_cast<const void*>(kernel.function),
      cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  if (error != cudaSuccess) {
    return {error, false};
  }
  const unsigned grid = std::min(args.items, device.multiprocessors);
  for (std::uint32_t begin = 0; begin < entries; begin += window) {
    args.window_begin = begin;
    args.window_end = std::min(begin + window, entries);
    args.far_place =
        args.window_end == entries ? first_place + args.bins.count : 0xffffffffU;
    kernel.function<<<grid, threads_or_fault(threads, stream), bytes, stream>>>(args);
    const cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess) {
      return {launched, begin > 0};
    }
  }
  return {};
}

}  // namespace

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
                   "' is none of auto, tensor, fixed-point, definition");
}

Launch count_pairs(const PairBlock& block, const Bounds& bounds, Variant variant,
                   std::uint64_t* counts, cudaStream_t stream) {
  if (block.pair_count() == 0) {
    return {};
  }
  Device device;
  const cudaError_t error = current_device(device);
  if (error != cudaSuccess) {
    return {error, false};
  }
  KernelArgs args = make_args(block, bounds, counts);
  const Kernel kernel = prepare(variant, bounds, device, args);
  if (kernel.function == nullptr) {
    count_pairs_by_definition<<<device.multiprocessors * 8, 256, 0, stream>>>(args);
    return {cudaGetLastError(), false};
  }
  set_items(kernel, device, args);
  return launch(kernel, device, args, stream);
}

}  // namespace starhist::cuda
