#include "io/export/block_arrays.hh"

#include <ostream>

#include <nlohmann/json.hpp>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"
#include "io/export/export_columns.hh"
#include "io/files/json_text.hh"

namespace starhist::io {
namespace {

using Json = nlohmann::ordered_json;

Json header_of(const ResultFile& result, const std::vector<PairId>& pairs) {
  const HistogramLayout& layout = result.layout;
  Json names = Json::array();
  for (const PairId pair : pairs) {
    const SpeciesPair& species = layout.pairs[pair.index()];
    names.push_back({{"label", pair_name(species, layout.species)},
                     {"first", species.first.index()},
                     {"second", species.second.index()}});
  }
  Json record = Json::array();
  for (const auto& [name, value] : result.record) {
    record.push_back({name, value});
  }
  Json header = {{"source", result.path},
                 {"complete", result.state == ResultState::complete},
                 {"species", layout.species},
                 {"length_unit", layout.length_unit},
                 {"pairs", names},
                 {"bins", layout.bins.count},
                 {"blocks", result.blocks.size()},
                 {"provenance", record}};
  const std::uint32_t end = analysis::coordination_bins(layout, total(result.blocks));
  if (end < layout.bins.count) {
    header["n_defined_up_to"] = layout.bins.edge(end);
  }
  if (layout.plane != Plane::none) {
    header["plane"] = to_string(layout.plane);
  }
  if (layout.region.shape != Region::Shape::box) {
    header["geometry"] = to_string(layout.region.shape);
    header["extent"] = layout.region.size;
  }
  return header;
}

template <class Number>
void put(std::ostream& out, const std::vector<Number>& values) {
  static_assert(sizeof(Number) == 8);
  out.write(reinterpret_cast<const char*>(values.data()),
            static_cast<std::streamsize>(sizeof(Number) * values.size()));
}

/// Writes one number per block.
template <class Number, class Function>
void put_each(std::ostream& out, const ResultFile& result, Function number_of) {
  std::vector<Number> values;
  for (const BlockCounts& block : result.blocks) {
    values.push_back(number_of(block));
  }
  put(out, values);
}

/// Checksums of the counted frames, block by block; 0 for unknown ones.
std::vector<std::uint64_t> checksums_of(const ResultFile& result) {
  std::vector<std::uint64_t> checksums;
  for (const BlockCounts& block : result.blocks) {
    for (const CountedFrame& frame : block.counted) {
      checksums.push_back(frame.checksum);
    }
  }
  return checksums;
}

}  // namespace

void write_block_arrays(std::ostream& out, const ResultFile& result,
                        const std::vector<SpeciesPair>& wanted) {
  check_has_blocks(result);
  const std::vector<PairId> pairs = find_pairs(result, wanted);
  const std::vector<std::uint64_t> checksums = checksums_of(result);
  Json header = header_of(result, pairs);
  header["frame_checksums"] = checksums.size();
  out << json_text(header, -1) << '\n';
  put(out, bin_edges(result.layout.bins));
  put_each<std::uint64_t>(out, result, [](const BlockCounts& b) { return b.frames; });
  for (const BlockCounts& block : result.blocks) {
    put(out, block.particle_number);
  }
  for (const PairId pair : pairs) {
    const std::size_t p = pair.index();
    put_each<std::uint64_t>(out, result,
                            [p](const BlockCounts& b) { return b.pairs[p]; });
    put_each<double>(out, result,
                     [p](const BlockCounts& b) { return b.pairs_over_volume[p]; });
    put_each<std::uint64_t>(out, result,
                            [p](const BlockCounts& b) { return b.underflow[p]; });
    for (const BlockCounts& block : result.blocks) {
      put(out, block.counts[p]);
    }
  }
  put(out, checksums);
  check_written(out, "the counts of " + result.path);
}

}  // namespace starhist::io
