#include "io/text/unwritten_positions.hh"

#include "codelets/core/base/error.hh"

namespace starhist::io {

void refuse_unwritten(std::uint64_t first, std::uint64_t last,
                      const std::string& position) {
  throw InputError("particles " + std::to_string(first) + " to " +
                   std::to_string(last) + " are all at exactly " + position +
                   ": their positions are lost (the file was truncated, or never "
                   "completed)");
}

void UnwrittenPositions::refuse() const {
  refuse_unwritten(count_ - run_, count_ - 1, "(0, 0, 0)");
}

}  // namespace starhist::io
