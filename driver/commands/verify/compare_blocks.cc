#include "driver/commands/verify/compare_blocks.hh"

#include <cmath>
#include <cstdio>
#include <string>

#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

/// Compares numbers of one block.
class Comparison {
 public:
  Comparison(std::uint64_t block, Differences& differences)
      : block_(block), differences_(differences) {}

  bool is_equal(std::uint64_t recorded, std::uint64_t recounted) {
    ++numbers_;
    return recorded == recounted;
  }

  void integer(const std::string& subject, std::uint64_t recorded,
               std::uint64_t recounted) {
    if (!is_equal(recorded, recounted)) {
      add(subject, std::to_string(recorded), std::to_string(recounted));
    }
  }

  /// Sums of doubles may be rounded differently by another compiler.
  void real(const std::string& subject, double recorded, double recounted) {
    ++numbers_;
    const bool equal = recorded == recounted ||
                       (std::isnan(recorded) && std::isnan(recounted)) ||
                       (std::isfinite(recounted) &&
                        std::abs(recorded - recounted) <= 1e-12 * std::abs(recounted));
    if (!equal) {
      add(subject, number_text(recorded), number_text(recounted));
    }
  }

  void add(const std::string& subject, const std::string& recorded,
           const std::string& recounted) {
    differences_.add({block_, subject, recorded, recounted});
  }

  std::uint64_t numbers() const { return numbers_; }

 private:
  std::uint64_t block_;
  Differences& differences_;
  std::uint64_t numbers_ = 0;
};

/// "bin 57 (0.285 to 0.29 nm)"
std::string bin_text(const HistogramLayout& layout, std::uint32_t bin) {
  const auto edge = [&](std::uint32_t k) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", layout.bins.edge(k));
    return std::string(text);
  };
  return "bin " + std::to_string(bin) + " (" + edge(bin) + " to " + edge(bin + 1) +
         unit_suffix(layout.length_unit) + ")";
}

void compare_frames(const BlockCounts& block, const BlockCounts& recount,
                    Comparison& comparison) {
  for (std::size_t k = 0; k < block.counted.size(); ++k) {
    const CountedFrame& before = block.counted[k];
    if (before.checksum != 0 && before.checksum != recount.counted[k].checksum) {
      comparison.add("frame " + std::to_string(before.index.get()),
                     "the checksum of other positions, step or time",
                     "another checksum");
    }
  }
  comparison.integer("number of frames", block.frames, recount.frames);
  comparison.integer("first frame", block.first_frame.get(), recount.first_frame.get());
  comparison.integer("last frame", block.last_frame.get(), recount.last_frame.get());
  comparison.integer("step of the last frame",
                     static_cast<std::uint64_t>(block.last_step),
                     static_cast<std::uint64_t>(recount.last_step));
  comparison.real("time of the last frame", block.last_time, recount.last_time);
  comparison.real("sum of volumes", block.volume, recount.volume);
  comparison.real("sum of inverse volumes", block.inverse_volume,
                  recount.inverse_volume);
  comparison.real("inscribed radius", block.inscribed_radius, recount.inscribed_radius);
}

void compare_boxes(const BlockCounts& block, const BlockCounts& recount,
                   Comparison& comparison) {
  if (block.box.has_value() != recount.box.has_value()) {
    const auto text = [](bool has) { return has ? "one for all frames" : "none"; };
    comparison.add("box", text(block.box.has_value()), text(recount.box.has_value()));
    return;
  }
  for (std::size_t k = 0; block.box && k < 3; ++k) {
    const Vec3 recorded = block.box->edges()[k];
    const Vec3 recounted = recount.box->edges()[k];
    const std::string vector = std::string("box vector ") + "abc"[k] + ", component ";
    comparison.real(vector + "x", recorded.x, recounted.x);
    comparison.real(vector + "y", recorded.y, recounted.y);
    comparison.real(vector + "z", recorded.z, recounted.z);
  }
}

}  // namespace

std::uint64_t compare_blocks(const HistogramLayout& layout, const BlockCounts& block,
                             const BlockCounts& recount,
                             const std::vector<std::size_t>& species,
                             Differences& differences) {
  Comparison comparison(block.index.get(), differences);
  compare_frames(block, recount, comparison);
  compare_boxes(block, recount, comparison);
  for (std::size_t s = 0; s < layout.species.size(); ++s) {
    const std::string name = "species " + layout.species[s] + ", ";
    comparison.integer(name + "particles", block.particle_number[s],
                       recount.particle_number[species[s]]);
    if (!block.empty_frames.empty()) {
      comparison.integer(name + "frames without particles", block.empty_frames[s],
                         recount.empty_frames[species[s]]);
    }
  }
  for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
    const std::string name =
        "pair " + pair_name(layout.pairs[p], layout.species) + ", ";
    comparison.integer(name + "pairs", block.pairs[p], recount.pairs[p]);
    comparison.integer(name + "excluded pairs", block.excluded[p], recount.excluded[p]);
    comparison.integer(name + "underflow", block.underflow[p], recount.underflow[p]);
    comparison.integer(name + "out of range", block.out_of_range[p],
                       recount.out_of_range[p]);
    comparison.real(name + "pairs over volume", block.pairs_over_volume[p],
                    recount.pairs_over_volume[p]);
    for (std::uint32_t k = 0; k < layout.bins.count; ++k) {
      const std::uint64_t recorded = block.counts[p][k];
      const std::uint64_t recounted = recount.counts[p][k];
      if (!comparison.is_equal(recorded, recounted)) {
        comparison.add(name + bin_text(layout, k), std::to_string(recorded),
                       std::to_string(recounted));
      }
    }
  }
  return comparison.numbers();
}

}  // namespace starhist::driver
