#include <algorithm>
#include <memory>
#include <vector>

#include "codelets/core/base/divide_up.hh"
#include "codelets/kernels/bounds.hh"
#include "codelets/kernels/cuda/launch/cuda_count_second_axis.hh"
#include "codelets/kernels/cuda/launch/device_array.hh"

namespace starhist::kernels::cuda {
namespace {

constexpr unsigned rows_per_block = 128;  // one per thread
constexpr std::uint32_t columns_per_tile = 256;
/// Counts of a launch fit into 32 bits, and it takes some hundredths of a second.
constexpr std::size_t most_pairs_of_launch = 1U << 30U;
static_assert(gpu_particle_limit <= most_pairs_of_launch / rows_per_block,
              "a launch counts the pairs of whole groups of rows");

constexpr std::uint32_t group_size = 32;  // particles, and threads of a warp
constexpr unsigned all_lanes = 0xffffffffU;

/// A sphere that contains a group of particles, each by one of its images.
struct Sphere {
  double x, y, z;
  double radius;

  __device__ Vec3 centre() const { return {x, y, z}; }
};

/// Arguments of a launch; arrays are in device memory.
struct CellArgs {
  const double* first = nullptr;
  const double* second = nullptr;
  /// Spheres of the groups of both; null unless distant ones are skipped.
  const Sphere* first_spheres = nullptr;
  const Sphere* second_spheres = nullptr;
  const Vec3* directions = nullptr;  ///< null: `direction`
  unsigned long long* counts = nullptr;
  std::uint32_t row_begin = 0;
  std::uint32_t row_end = 0;
  std::uint32_t columns = 0;
  bool like = false;
  /// In a pair of particles of the same species each of both is the first particle
  /// once, in its own row or, if reflected, in the same row.
  bool without_same = false;
  bool reflected = false;
  Vec3 direction;
  SecondBins axis;
  UniformBins bins;
  MinimumImage image;
};

__device__ Vec3 position(const double* of, std::uint32_t i) {
  return {of[3 * i], of[3 * i + 1], of[3 * i + 2]};
}

/// Counters of a thread block in shared memory, which are added to the device's at the
/// end; or the device's own.
template <bool shared>
struct Counters {
  unsigned* own;
  const CellArgs& args;
  std::size_t cells;

  __device__ Counters(unsigned* memory, const CellArgs& a)
      : own(memory), args(a), cells(std::size_t{a.bins.count} * a.axis.count) {
    if constexpr (shared) {
      for (std::size_t k = threadIdx.x; k < cells; k += rows_per_block) {
        own[k] = 0;
      }
      __syncthreads();
    }
  }
  __device__ void add(Vec3 u, Vec3 a, Vec3 b) const {
    const std::size_t cell = pair_cell(args.image, args.bins, args.axis, u, a, b);
    if (cell >= cells) {
      return;
    }
    if constexpr (shared) {
      atomicAdd(&own[cell], 1U);
    } else {
      atomicAdd(&args.counts[cell], 1ULL);
    }
  }
  __device__ void flush() const {
    if constexpr (shared) {
      __syncthreads();
      for (std::size_t k = threadIdx.x; k < cells; k += rows_per_block) {
        if (own[k] != 0) {
          atomicAdd(&args.counts[k], static_cast<unsigned long long>(own[k]));
        }
      }
    }
  }
};

/// Sets the spheres of groups of particles, one warp for each: about its first one.
__global__ void enclose(const double* positions, std::uint32_t count,
                        const __grid_constant__ MinimumImage image, Sphere* spheres) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t group = i / group_size;
  if (group * group_size >= count) {
    return;
  }
  const Vec3 centre = position(positions, group * group_size);
  const Vec3 own = position(positions, min(i, count - 1));
  double radius = square_root(minimum_distance2(image, centre, own));
  for (unsigned other = group_size / 2; other > 0; other /= 2) {
    radius = fmax(radius, __shfl_xor_sync(all_lanes, radius, other));
  }
  if (i % group_size == 0) {
    spheres[group] = {centre.x, centre.y, centre.z, radius};
  }
}

/// Returns a mask of the groups of a tile that may be in range of the warp's rows, bit
/// k for columns column + 32 k to column + 32 k + 31. Distances by nearest images obey
/// the triangle inequality.
__device__ unsigned near_groups(const CellArgs& args, std::uint32_t i,
                                std::uint32_t column) {
  if (args.first_spheres == nullptr) {
    return all_lanes;
  }
  constexpr double margin = 1.0 + 1e-6;  // far more than rounding errors
  const std::uint32_t group = column / group_size + threadIdx.x % group_size;
  bool near = false;
  if (threadIdx.x % group_size < columns_per_tile / group_size &&
      group * group_size < args.columns) {
    const Sphere rows = args.first_spheres[i / group_size];
    const Sphere columns = args.second_spheres[group];
    const double reach = margin * (args.bins.r_max + rows.radius + columns.radius);
    near =
        minimum_distance2(args.image, rows.centre(), columns.centre()) <= reach * reach;
  }
  return __ballot_sync(all_lanes, near);
}

template <bool shared>
__global__ void count_cells(const __grid_constant__ CellArgs args) {
  extern __shared__ unsigned counters[];
  __shared__ double tile[3 * columns_per_tile];
  const Counters<shared> count(counters, args);
  const std::uint32_t block_begin = args.row_begin + blockIdx.x * rows_per_block;
  const std::uint32_t i = block_begin + threadIdx.x;
  const bool halves = args.like && !args.without_same;  // j > i
  Vec3 a;
  Vec3 u = args.direction;
  if (i < args.row_end) {
    a = position(args.first, i);
    u = args.directions == nullptr ? u : args.directions[i];
  }
  // Tiles begin at groups.
  const std::uint32_t first_column =
      halves ? (block_begin + 1) / group_size * group_size : 0;
  for (std::uint32_t column = first_column + blockIdx.y * columns_per_tile;
       column < args.columns; column += gridDim.y * columns_per_tile) {
    // Warps beyond the last row have no group of rows.
    const unsigned near =
        i / group_size * group_size < args.row_end ? near_groups(args, i, column) : 0U;
    if (__syncthreads_or(near != 0) == 0) {
      continue;
    }
    const std::uint32_t tile_size = min(columns_per_tile, args.columns - column);
    for (std::uint32_t k = threadIdx.x; k < 3 * tile_size; k += rows_per_block) {
      tile[k] = args.second[3 * std::size_t{column} + k];
    }
    __syncthreads();
    for (std::uint32_t k = 0; k < tile_size && i < args.row_end; ++k) {
      const std::uint32_t j = column + k;
      if ((near >> (k / group_size) & 1U) == 0) {
        k += group_size - 1;
        continue;
      }
      if ((halves && j <= i) || (args.without_same && j == i)) {
        continue;
      }
      const Vec3 b = position(tile, k);
      count.add(u, a, b);
      if (args.reflected) {
        count.add(u, b, a);
      }
    }
  }
  count.flush();
}

/// An array from the device's pool of memory.
template <class T>
class PoolArray {
 public:
  PoolArray(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    error_ =
        cudaMallocAsync(&data_, std::max<std::size_t>(size, 1) * sizeof(T), stream);
  }
  ~PoolArray() {
    if (error_ == cudaSuccess) {
      cudaFreeAsync(data_, stream_);
    }
  }
  PoolArray(const PoolArray&) = delete;
  PoolArray& operator=(const PoolArray&) = delete;

  /// False if memory, or a pool, is lacking. Throws RunError after another error.
  bool exists() const {
    if (error_ == cudaErrorMemoryAllocation || error_ == cudaErrorNotSupported) {
      cudaGetLastError();  // no longer the last one
      return false;
    }
    check(error_, "allocate memory");
    return true;
  }
  T* get() const { return static_cast<T*>(data_); }
  void copy_from(const T* host) const {
    check(cudaMemcpyAsync(data_, host, size_ * sizeof(T), cudaMemcpyHostToDevice,
                          stream_),
          "copy to the GPU");
  }

 private:
  std::size_t size_;
  cudaStream_t stream_;
  void* data_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

/// Waits for the stream at the end of its lifetime, after errors, too: StarPU expects
/// that its work has ended.
class StreamEnd {
 public:
  explicit StreamEnd(cudaStream_t stream) : stream_(stream) {}
  ~StreamEnd() { cudaStreamSynchronize(stream_); }
  StreamEnd(const StreamEnd&) = delete;
  StreamEnd& operator=(const StreamEnd&) = delete;

 private:
  cudaStream_t stream_;
};

int device_attribute(cudaDeviceAttr attribute) {
  int device = 0;
  int value = 0;
  check(cudaGetDevice(&device), "find the GPU of a thread");
  check(cudaDeviceGetAttribute(&value, attribute, device), "read a GPU's properties");
  return value;
}

void launch(const CellArgs& args, std::size_t cells, cudaStream_t stream) {
  // Larger histograms would leave too few warps of a multiprocessor to hide latencies.
  constexpr std::size_t most_shared_bytes = 40 << 10;
  const std::size_t bytes = cells * sizeof(unsigned);
  const auto row_blocks =
      static_cast<unsigned>(divide_up(args.row_end - args.row_begin, rows_per_block));
  const unsigned tiles =
      static_cast<unsigned>(divide_up(args.columns, columns_per_tile));
  // Enough thread blocks for the device, each with as many pairs as possible.
  const auto wanted =
      static_cast<unsigned>(32 * device_attribute(cudaDevAttrMultiProcessorCount));
  const unsigned shares = std::clamp(wanted / row_blocks, 1U, std::min(tiles, 65535U));
  const dim3 grid(row_blocks, shares);
  if (bytes <= most_shared_bytes) {
    count_cells<true><<<grid, rows_per_block, bytes, stream>>>(args);
  } else {
    count_cells<false><<<grid, rows_per_block, 0, stream>>>(args);
  }
  check(cudaGetLastError(), "count pairs by a second axis");
  check(cudaStreamSynchronize(stream), "count pairs by a second axis");
}

std::size_t groups_of(const PositionSpan& positions) {
  return divide_up(positions.count, group_size);
}

void set_spheres(const double* positions, const PositionSpan& host,
                 const MinimumImage& image, Sphere* spheres, cudaStream_t stream) {
  constexpr unsigned threads = 256;
  const auto blocks =
      static_cast<unsigned>(divide_up(groups_of(host) * group_size, threads));
  if (blocks > 0) {
    enclose<<<blocks, threads, 0, stream>>>(
        positions, static_cast<std::uint32_t>(host.count), image, spheres);
    check(cudaGetLastError(), "enclose groups of particles");
  }
}

/// True unless coordinates are so large that distances of groups would be inexact.
bool distances_are_precise(const SecondAxisPairs& pairs) {
  Bounds bounds;
  bounds.add(pairs.first, 0, pairs.first.count);
  bounds.add(pairs.second, 0, pairs.second.count);
  return bounds.magnitude() < 1e6 * pairs.bins.r_max;
}

}  // namespace

bool count_second_axis(const SecondAxisPairs& pairs, bool in_spatial_order,
                       const std::function<std::optional<RowRange>()>& next_rows,
                       std::uint64_t* counts, cudaStream_t stream) {
  STARHIST_EXPECT(
      pairs.first.count < gpu_particle_limit && pairs.second.count < gpu_particle_limit,
      "species are not too large for a GPU");
  cudaGetLastError();           // of an earlier call that was allowed to fail
  const StreamEnd end(stream);  // outlives the arrays
  const bool cosine = pairs.axis.kind == SecondAxis::Kind::cosine;
  const std::size_t cells = std::size_t{pairs.bins.count} * pairs.axis.count;
  const std::size_t edges = pairs.bins.uniform() ? 0 : pairs.bins.count + 1;
  const PoolArray<double> first(3 * pairs.first.count, stream);
  const PoolArray<double> second(pairs.like ? 0 : 3 * pairs.second.count, stream);
  const PoolArray<Vec3> directions(pairs.directions == nullptr ? 0 : pairs.first.count,
                                   stream);
  const PoolArray<double> limits(edges, stream);
  const PoolArray<unsigned long long> sums(cells, stream);
  const bool skips = in_spatial_order && distances_are_precise(pairs);
  const PoolArray<Sphere> first_spheres(skips ? groups_of(pairs.first) : 0, stream);
  const PoolArray<Sphere> second_spheres(
      skips && !pairs.like ? groups_of(pairs.second) : 0, stream);
  if (!first_spheres.exists() || !second_spheres.exists() || !first.exists() ||
      !second.exists() || !directions.exists() || !limits.exists() || !sums.exists()) {
    return false;
  }
  CellArgs args;
  first.copy_from(pairs.first.xyz);
  args.first = args.second = first.get();
  if (!pairs.like) {
    second.copy_from(pairs.second.xyz);
    args.second = second.get();
  }
  if (pairs.directions != nullptr) {
    directions.copy_from(pairs.directions);
    args.directions = directions.get();
  }
  args.bins = pairs.bins;
  if (edges > 0) {
    limits.copy_from(pairs.bins.edges.squared_limit);
    args.bins.edges = {nullptr, limits.get()};
  }
  check(cudaMemsetAsync(sums.get(), 0, cells * sizeof(unsigned long long), stream),
        "set counts to 0");
  args.counts = sums.get();
  args.columns = static_cast<std::uint32_t>(pairs.second.count);
  args.like = pairs.like;
  args.without_same = pairs.like && cosine && pairs.directions != nullptr;
  args.reflected = pairs.like && cosine && pairs.directions == nullptr;
  args.direction = pairs.axis.direction();
  args.axis = pairs.second_bins();
  args.image = pairs.box.minimum_image();
  if (skips) {
    set_spheres(args.first, pairs.first, args.image, first_spheres.get(), stream);
    args.first_spheres = args.second_spheres = first_spheres.get();
    if (!pairs.like) {
      set_spheres(args.second, pairs.second, args.image, second_spheres.get(), stream);
      args.second_spheres = second_spheres.get();
    }
  }
  while (const std::optional<RowRange> rows = next_rows()) {
    STARHIST_EXPECT(!skips || rows->begin % group_size == 0,
                    "rows of a warp are a group of particles");
    for (std::size_t begin = rows->begin; begin < rows->end && args.columns > 0;
         begin = args.row_end) {
      const std::size_t most_rows =
          most_pairs_of_launch / args.columns / rows_per_block * rows_per_block;
      args.row_begin = static_cast<std::uint32_t>(begin);
      args.row_end = static_cast<std::uint32_t>(std::min(begin + most_rows, rows->end));
      launch(args, cells, stream);
    }
  }
  std::vector<std::uint64_t> own(cells);
  check(cudaMemcpyAsync(own.data(), sums.get(), cells * sizeof(std::uint64_t),
                        cudaMemcpyDeviceToHost, stream),
        "copy counts from the GPU");
  check(cudaStreamSynchronize(stream), "copy counts from the GPU");
  for (std::size_t k = 0; k < cells; ++k) {
    counts[k] += own[k];
  }
  return true;
}

}  // namespace starhist::kernels::cuda
