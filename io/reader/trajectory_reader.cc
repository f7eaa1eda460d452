#include "io/reader/trajectory_reader.hh"

#include "codelets/core/base/error.hh"

namespace starhist::io {

void refuse_group(const std::string& path, const std::string& format,
                  const ReadOptions& options) {
  if (!options.group.empty()) {
    throw InputError(path + ": is of the format " + format +
                     ", which has no particle groups (--group " + options.group + ")");
  }
}

}  // namespace starhist::io
