#include "io/text/unique_ids.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {

void UniqueIds::start_frame(std::uint64_t atoms) {
  constexpr std::uint64_t most_per_atom = 4;
  most_ = most_per_atom * (atoms + 1);
  others_.clear();
  if (++frame_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0U);
    frame_ = 1;
  }
}

void UniqueIds::add(std::string_view field) {
  const std::int64_t id = whole_field(field, "id");
  if (!insert(id)) {
    throw InputError("the id " + std::to_string(id) + " stands twice in a frame");
  }
}

bool UniqueIds::insert(std::int64_t id) {
  if (id < 0 || static_cast<std::uint64_t>(id) >= most_) {
    return others_.insert(id).second;
  }
  const auto place = static_cast<std::size_t>(id);
  if (place >= seen_.size()) {
    seen_.resize(std::min<std::size_t>(std::max(place + 1, 2 * seen_.size()), most_));
  }
  return std::exchange(seen_[place], frame_) != frame_;
}

}  // namespace starhist::io
