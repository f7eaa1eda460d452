#include <algorithm>

#include "codelets/core/analysis/block_length.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "io/export/analysis_quantities.hh"
#include "io/export/export_columns.hh"

namespace starhist::io {
namespace {

AnalysisTable block_length_table(const ResultFile& result,
                                 const AnalysisRequest& request) {
  const auto pairs = find_pairs(result, request.pairs);
  const BlockCounts sum = total(result.blocks);
  if (std::none_of(pairs.begin(), pairs.end(),
                   [&](PairId pair) { return sum.pairs[pair.index()] > 0; })) {
    throw InputError(
        result.path +
        ": no frame contains such a pair of particles, so errors cannot be compared");
  }
  const auto levels =
      analysis::block_length_levels(result.layout, result.blocks, pairs);
  if (levels.empty()) {
    const std::size_t blocks = result.blocks.size();
    throw InputError(result.path + " has " + counted(blocks, "block") +
                     ": errors of longer blocks can be estimated from 4 blocks on, and "
                     "the test needs 16 (count " +
                     (sum.frames <= blocks ? "" : "with a smaller --block or ") +
                     "more frames)");
  }
  const std::string sentence =
      analysis::to_sentence(analysis::check_block_length(levels), levels);
  AnalysisTable made;
  made.notes.push_back(sentence);
  ExportTable& table = made.table;
  table.title = "Standard errors and block length";
  table.value_label = "standard error";
  table.axis_label = "frames per block";
  table.facts = source_facts(result, request.quantity->name);
  table.facts.push_back({"verdict", sentence});
  table.rows = static_cast<std::uint32_t>(levels.size());
  const auto column = [&](const std::string& name, auto value) {
    std::vector<double> values;
    for (const analysis::BlockLengthLevel& level : levels) {
      values.push_back(value(level));
    }
    return real_column(name, std::move(values));
  };
  table.r = column("frames per block", [](const analysis::BlockLengthLevel& level) {
    return level.frames;
  });
  table.edges.push_back(column("blocks", [](const analysis::BlockLengthLevel& level) {
    return static_cast<double>(level.blocks);
  }));
  table.edges.push_back(column(
      "relative uncertainty",
      [](const analysis::BlockLengthLevel& level) { return level.uncertainty; }));
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const std::string name =
        pair_name(result.layout.pairs[pairs[p].index()], result.layout.species);
    table.curves.push_back(column(name, [p](const analysis::BlockLengthLevel& level) {
      return level.errors[p];
    }));
    table.curves.push_back(
        column(name + " up to r", [p](const analysis::BlockLengthLevel& level) {
          return level.running_errors[p];
        }));
  }
  return made;
}

}  // namespace

const AnalysisQuantity quantities::block_length{
    .name = "blocks",
    .help = "standard error against block length, a test of block lengths\n",
    .examples = "starhist analyze rdf.h5 --quantity blocks\n",
    .options = "pairs",
    .needs = CountsNeeded::any,
    .make_table = block_length_table,
};

}  // namespace starhist::io
