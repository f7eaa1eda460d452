#include "io/formats/gromacs/g96_frames.hh"

#include <string>

#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Goes through G96.
class G96Frames {
 public:
  FrameSkip skip(TextFile& file) {
    bool begun = false;
    bool has_positions = false;
    bool has_box = false;
    std::string_view line;
    for (TextFile::Position position = file.position(); next(file, line);
         position = file.position()) {
      const std::string name(take_field(line));
      const bool positions = name.starts_with("POSITION");
      if (has_positions && (positions || name == "TIMESTEP")) {
        file.go_to(position);  // it is of the next frame
        return {true, true};
      }
      if (name.empty() || name.starts_with('#')) {
        continue;
      }
      begun = begun || name != "TITLE";
      const bool ended = skip_block(file) || (name == "BOX" && lines_ > 0);
      if (!ended) {
        return {false, begun};
      }
      has_positions = has_positions || positions;
      has_box = has_box || name == "BOX";
      box_due_ = box_due_ || has_box;
    }
    const bool whole = has_positions && (has_box || (!box_due_ && !file.truncation()));
    return {whole, begun};
  }

 private:
  static bool next(TextFile& file, std::string_view& line) {
    return next_or_whole_rest(
        file, line, [](std::string_view rest) { return take_field(rest) == "END"; });
  }

  /// False when the file ends before END.
  bool skip_block(TextFile& file) {
    std::string_view line;
    for (lines_ = 0; next(file, line); ++lines_) {
      if (take_field(line) == "END") {
        return true;
      }
    }
    return false;
  }

  bool box_due_ = false;   ///< as some frame has one
  std::size_t lines_ = 0;  ///< of the last block, without END
};

}  // namespace

TextIndex index_g96(TextFile& file) {
  G96Frames frames;
  return index_text(
      file, [&frames](TextFile& text, SpeciesSeen&) { return frames.skip(text); });
}

}  // namespace starhist::io
