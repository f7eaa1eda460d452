#include "io/reader/trajectory_reader.hh"

#include <numeric>

#include "codelets/core/base/error.hh"

namespace starhist::io {

void refuse_group(const std::string& path, const std::string& format,
                  const ReadOptions& options) {
  if (!options.group.empty()) {
    throw InputError(path + ": is of the format " + format +
                     ", which has no particle groups (--group " + options.group + ")");
  }
}

std::vector<FileOrder> species_in_turn(
    const std::vector<std::vector<double>>& positions) {
  std::vector<FileOrder> order(positions.size());
  std::uint32_t first = 0;
  for (std::size_t s = 0; s < order.size(); ++s) {
    std::vector<std::uint32_t>& row = order[s].row;
    row.resize(positions[s].size() / 3);
    std::iota(row.begin(), row.end(), first);
    first += static_cast<std::uint32_t>(row.size());
  }
  return order;
}

}  // namespace starhist::io
