#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace starhist::driver {

/// Lags as a user writes them, before the number and the times of the frames are known:
/// "0,1,2,5", "first:last:step", or "log:N".
class LagList {
 public:
  /// `option`: for messages. Throws InputError for any other text.
  LagList(std::string option, const std::string& text);

  /// The lags of a selection of `frame_count` frames, ascending, each once [frames].
  /// `interval`: time between frames if the list is in units of time. log:N stands for
  /// 0 and N lags from 1 to half of the frames, evenly spaced by their logarithms;
  /// those that round to the same frame are one. Throws InputError for lags that are
  /// not whole numbers of frames, or that no two frames have.
  std::vector<std::uint64_t> in_frames(std::uint64_t frame_count,
                                       std::optional<double> interval = {}) const;

 private:
  std::string option_;
  std::string text_;
  std::vector<double> values_;  ///< empty for log:N
  std::uint64_t logarithmic_ = 0;
};

}  // namespace starhist::driver
