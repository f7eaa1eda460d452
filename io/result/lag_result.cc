#include "io/result/lag_result.hh"

#include <algorithm>
#include <map>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_filters.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/rows/hdf5_rows.hh"
#include "io/result/result_contents.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

/// Splits the channels into lags and the species pairs that each of them has.
LagLayout layout_of(hid_t group, const HistogramLayout& channels) {
  const std::size_t count = channels.pairs.size();
  const auto lags = read_shaped<std::uint64_t>(group, result_layout::lag, {count});
  LagLayout layout{channels, lags};
  layout.lags.erase(std::unique(layout.lags.begin(), layout.lags.end()),
                    layout.lags.end());
  const std::size_t pairs = count / layout.lags.size();
  layout.pairs.pairs.resize(pairs);
  const auto& known = layout.pairs.pairs;
  bool repeats =
      std::is_sorted(lags.begin(), lags.end()) && pairs * layout.lags.size() == count;
  for (std::size_t c = 0; repeats && c < count; ++c) {
    repeats =
        lags[c] == layout.lags[c / pairs] && channels.pairs[c] == known[c % pairs];
  }
  for (std::size_t p = 0; repeats && p < pairs; ++p) {
    repeats = std::count(known.begin(), known.end(), known[p]) == 1;
  }
  if (!repeats) {
    refuse_damaged(group, result_layout::lag,
                   "does not have the same pairs for each lag");
  }
  std::vector<std::uint64_t> of_displacements;
  std::vector<std::int32_t> species;
  for (const std::uint64_t lag : layout.lags) {
    for (std::size_t s = 0; s < channels.species.size(); ++s) {
      of_displacements.push_back(lag);
      species.push_back(static_cast<std::int32_t>(s));
    }
  }
  const std::size_t histograms = species.size();
  if (read_shaped<std::uint64_t>(group, result_layout::self_lag, {histograms}) !=
          of_displacements ||
      read_shaped<std::int32_t>(group, result_layout::self_species, {histograms}) !=
          species) {
    refuse_damaged(group, result_layout::self_lag, "does not match lags and species");
  }
  return layout;
}

/// The datasets with a row of displacements per block.
class DisplacementRows {
 public:
  DisplacementRows(hid_t group, const LagLayout& layout)
      : group_(group), layout_(layout) {
    const hsize_t lags = layout.lags.size();
    const hsize_t histograms = lags * layout.pairs.species.size();
    open("self_value", {histograms, layout.pairs.bins.count});
    for (const char* name : {"self_underflow", "self_overflow", "self_particles",
                             "squared_displacement"}) {
      open(name, {histograms});
    }
    open("lag_frames", {lags});
    open("lag_time", {lags});
  }

  /// Number of rows that all datasets have.
  std::uint64_t count() const {
    std::uint64_t fewest = UINT64_MAX;
    for (const auto& [name, rows] : rows_) {
      fewest = std::min(fewest, rows.count());
    }
    const Hdf5Rows& value = rows_.at("self_value");
    check_hdf5_extent(value.dataset(), static_cast<double>(fewest) *
                                           static_cast<double>(value.row_size()));
    return fewest;
  }

  std::vector<DisplacementCounts> read(std::uint64_t block) {
    std::vector<DisplacementCounts> displacements = empty_displacements(layout_);
    const auto values = row<std::uint64_t>("self_value", block);
    const auto underflow = row<std::uint64_t>("self_underflow", block);
    const auto overflow = row<std::uint64_t>("self_overflow", block);
    const auto particles = row<std::uint64_t>("self_particles", block);
    const auto squares = row<double>("squared_displacement", block);
    const auto frames = row<std::uint64_t>("lag_frames", block);
    const auto times = row<double>("lag_time", block);
    auto next = values.begin();
    for (std::size_t k = 0; k < displacements.size(); ++k) {
      DisplacementCounts& own = displacements[k];
      const std::size_t lag = k / layout_.pairs.species.size();
      own = {frames[lag],           times[lag],   particles[k], squares[k],
             std::move(own.counts), underflow[k], overflow[k]};
      std::copy_n(next, own.counts.size(), own.counts.begin());
      next += static_cast<std::ptrdiff_t>(own.counts.size());
      if (!adds_up(own) || !(own.squares >= 0.0)) {
        refuse_damaged(group_, "self_value",
                       "block " + std::to_string(block) +
                           ": displacements do not add up to their particles");
      }
    }
    return displacements;
  }

 private:
  void open(const std::string& name, const std::vector<hsize_t>& row_shape) {
    Hdf5Rows rows(group_, name, Hdf5Rows::Layout::many_rows);
    const H5T_class_t kind = H5Tget_class(rows.type());
    if ((kind != H5T_INTEGER && kind != H5T_FLOAT) || rows.row_shape() != row_shape) {
      refuse_damaged(group_, name,
                     "does not match the bins, lags and species of the result");
    }
    rows_.emplace(name, std::move(rows));
  }

  template <class Number>
  std::vector<Number> row(const std::string& name, std::uint64_t index) {
    Hdf5Rows& rows = rows_.at(name);
    std::vector<Number> values(rows.row_size());
    rows.read(index, hdf5_type<Number>(), values.data());
    return values;
  }

  hid_t group_;
  const LagLayout& layout_;
  std::map<std::string, Hdf5Rows> rows_;
};

}  // namespace

LagResult read_lag_result(const std::string& path, ExternalFiles external) {
  const Hdf5Object file = open_result(path, external);
  const result_layout::KindOfResult& kind = result_layout::van_hove;
  if (!has_groups_of(file.get(), kind)) {
    throw InputError(path + ": is not a result of starhist vanhove (it has no " +
                     kind.counts + ")");
  }
  std::vector<BlockCounts> blocks;
  LagResult result;
  result.channels =
      read_result_of(file.get(), kind, path, external,
                     [&](BlockCounts&& block) { blocks.push_back(std::move(block)); });
  const Hdf5Object group = open_hdf5_group(file.get(), kind.counts);
  result.layout = layout_of(group.get(), result.channels.layout);
  DisplacementRows rows(group.get(), result.layout);
  if (rows.count() != blocks.size()) {
    refuse_damaged(group.get(), "self_value", "does not have a row for each block");
  }
  for (std::uint64_t block = 0; block < blocks.size(); ++block) {
    result.displacements.push_back(rows.read(block));
  }
  result.channels.blocks = std::move(blocks);
  return result;
}

bool is_lag_result(const std::string& path, ExternalFiles external) {
  return is_result_of(result_layout::van_hove, path, external);
}

}  // namespace starhist::io
