#include "io/output/checkpoint.hh"

#include <utility>

#include "codelets/core/base/error.hh"
#include "io/log/record_log.hh"
#include "io/log/result_log.hh"
#include "io/result/result_reader.hh"

namespace starhist::io {

std::string checkpoint_of(const std::string& path) {
  return path + ".checkpoint";
}

std::optional<Checkpoint> read_checkpoint(const std::string& path,
                                          const std::string& id) {
  const std::string name = checkpoint_of(path);
  if (!is_record_log(name)) {
    return std::nullopt;
  }
  try {
    const std::optional<LogPosition> position = read_log_position(name);
    ResultFile result = read_result(name);
    if (!position || result.blocks.size() != 1 ||
        value_of(result.record, result_id) != id) {
      return std::nullopt;
    }
    Checkpoint checkpoint{std::move(result.blocks.front()), position->next_number,
                          position->blocks_before};
    checkpoint.block.index = BlockIndex(position->blocks_before);
    return checkpoint;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace starhist::io
