#pragma once

#include <cstddef>
#include <cstdint>

#include "codelets/core/base/macros.hh"
#include "codelets/core/base/vec3.hh"
#include "codelets/kernels/clusters/image_steps.hh"

namespace starhist::kernels::cuda {

/// Particles of a tile.
inline constexpr std::uint32_t tile_size = 32;
/// Tiles of a super tile, one for each lane of a warp.
inline constexpr std::uint32_t super_tiles = 32;

/// The box around images of some particles that are close together.
struct TileRecord {
  Vec3 centre;
  float half[3];  ///< edges, in bins
  float radius;   ///< length of `half`
};

/// The largest p . v of the particles p of a tile, from its centre, with each vector v
/// of ImageSteps; in squared bins. One beside the other for the tiles of a super tile.
class TileReach {
 public:
  STARHIST_HOST_DEVICE TileReach(float* all, std::uint32_t tile)
      : first_(all + std::size_t{tile / super_tiles} * values + tile % super_tiles) {}

  STARHIST_HOST_DEVICE float& operator[](int k) const {
    return first_[static_cast<std::uint32_t>(k) * super_tiles];
  }
  /// Of a super tile.
  static constexpr std::size_t values = std::size_t{super_tiles} * ImageSteps::most;

 private:
  float* first_;
};

/// A particle of a tile: where it is from the centre of the tile's box, x, y, z, and
/// the square of that; in bins times KernelArgs::unit.
struct TileParticle {
  double value[4];
};

/// Pairs of a launch that counts loosely.
struct LooseSums {
  unsigned long long next_unit;  ///< TileRecords::next_unit
  unsigned long long counted;    ///< in TileRecords::totals
  unsigned long long outside;    ///< out of range one by one
  unsigned long long beyond;     ///< out of range tile by tile
  /// What correct() adds to those out of range, modulo 2^64. Apart, as it says nothing
  /// of whether all pairs have been counted.
  unsigned long long moved_outside;
};

/// What a launch knows of all tiles, in scratch memory of the GPU. The particles of
/// each species of each part begin with a super tile of their own.
struct TileRecords {
  unsigned long long* next_unit = nullptr;  ///< of work, that no warp has taken
  TileParticle* particles = nullptr;        ///< tile_size of each tile
  TileRecord* tiles = nullptr;
  TileRecord* supers = nullptr;
  float* reaches = nullptr;
  LooseSums* sums = nullptr;
  unsigned long long* totals = nullptr;  ///< LooseFields::index_of_total

  STARHIST_HOST_DEVICE TileReach reach(std::uint32_t tile) const {
    return {reaches, tile};
  }

  STARHIST_HOST_DEVICE static std::uint32_t tiles_of(std::size_t count) {
    return static_cast<std::uint32_t>((count + tile_size - 1U) / tile_size);
  }
  STARHIST_HOST_DEVICE static std::uint32_t supers_of(std::size_t count) {
    return (tiles_of(count) + super_tiles - 1U) / super_tiles;
  }
  /// Of a launch: what is known of particles is numbered with 32 bits.
  static constexpr std::size_t most_supers =
      (std::size_t{1} << 32U) /
      (super_tiles * tile_size * sizeof(TileParticle) / sizeof(double));
  /// Bytes for so many super tiles.
  static std::size_t bytes(std::size_t supers) {
    return first_bytes +
           supers *
               (super_tiles * (tile_size * sizeof(TileParticle) + sizeof(TileRecord)) +
                sizeof(TileRecord) + TileReach::values * sizeof(float));
  }
  /// In so much memory from `memory` on, aligned as cudaMalloc does.
  static TileRecords in(void* memory, std::size_t supers) {
    TileRecords records;
    records.sums = static_cast<LooseSums*>(memory);
    records.next_unit = &records.sums->next_unit;
    records.totals =
        reinterpret_cast<unsigned long long*>(static_cast<char*>(memory) + sums_bytes);
    records.particles =
        reinterpret_cast<TileParticle*>(static_cast<char*>(memory) + first_bytes);
    records.tiles = reinterpret_cast<TileRecord*>(records.particles +
                                                  supers * super_tiles * tile_size);
    records.supers = records.tiles + supers * super_tiles;
    records.reaches = reinterpret_cast<float*>(records.supers + supers);
    return records;
  }

  /// From LooseSums on: the sums, and totals for so many bins.
  static std::size_t loose_bytes(std::uint32_t bins) {
    constexpr std::size_t last_word = 4;
    return sums_bytes + sizeof(std::uint32_t) * (bins + last_word);
  }
  /// Most bins that are counted loosely: fields in shared memory.
  static constexpr std::size_t most_loose_bins = std::size_t{228} * 1024;

 private:
  static constexpr std::size_t sums_bytes = 256;  // keeps the rest aligned
  static constexpr std::size_t first_bytes =
      sums_bytes + sizeof(std::uint32_t) * most_loose_bins;
};

/// Scratch memory for blocks with particles in spatial order, so many of each species.
inline std::size_t scratch_bytes(std::size_t blocks, std::size_t first,
                                 std::size_t second) {
  return TileRecords::bytes(blocks * (TileRecords::supers_of(first) +
                                      std::size_t{TileRecords::supers_of(second)}));
}

}  // namespace starhist::kernels::cuda
