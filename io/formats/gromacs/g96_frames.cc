#include "io/formats/gromacs/g96_frames.hh"

#include <algorithm>
#include <array>
#include <string>

#include "io/text/repeated_names.hh"
#include "io/text/text_fields.hh"

namespace starhist::io {
namespace {

/// Whether a line with this first word begins a block, rather than being part of a
/// block of numbers.
bool begins_block(std::string_view word) {
  constexpr std::array<std::string_view, 8> names{
      "TITLE",    "TIMESTEP",    "POSITION", "POSITIONRED",
      "VELOCITY", "VELOCITYRED", "BOX",      "LATTICESHIFTS"};
  return std::find(names.begin(), names.end(), word) != names.end();
}

/// Scans the frames of a G96 file.
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
        file.go_to(position);  // it belongs to the next frame
        cut_in_ = has_box || !box_due_ ? 0 : position.line;
        return {cut_in_ == 0, true};
      }
      if (name.empty() || name.starts_with('#')) {
        continue;
      }
      begun = begun || name != "TITLE";
      const bool ended =
          skip_block(file, name) || (name == "BOX" && lines_ > 0 && cut_in_ == 0);
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

  /// Returns the line at which another frame begins within a truncated one; 0: all
  /// frames are complete.
  std::uint64_t cut_in() const { return cut_in_; }

 private:
  static bool next(TextFile& file, std::string_view& line) {
    return next_or_whole_rest(
        file, line, [](std::string_view rest) { return take_field(rest) == "END"; });
  }

  /// Skips a block; false when the file ends before END, or another block begins.
  bool skip_block(TextFile& file, const std::string& name) {
    std::string_view line;
    const bool has_names = name == "POSITION";
    names_.begin_frame();
    for (lines_ = 0; next(file, line); ++lines_) {
      const std::string_view whole = line;
      const std::string_view word = take_field(line);
      if (word == "END") {
        if (has_names) {
          names_.end_frame();
        }
        return true;
      }
      if (name != "TITLE" && begins_block(word)) {
        cut_in_ = file.position().line - 1;
        return false;
      }
      if (has_names && !word.starts_with('#')) {
        names_.check(file, whole, name_begin, name_width);
      }
    }
    return false;
  }

  // Columns of the names of residue and atom.
  static constexpr std::size_t name_begin = 6;
  static constexpr std::size_t name_width = 11;

  RepeatedNames names_;
  bool box_due_ = false;   ///< true if an earlier frame has a box
  std::size_t lines_ = 0;  ///< lines of the last block, without END
  std::uint64_t cut_in_ = 0;
};

}  // namespace

TextIndex index_g96(TextFile& file) {
  G96Frames frames;
  TextIndex index = index_text(
      file, [&frames](TextFile& text, SpeciesSeen&) { return frames.skip(text); });
  if (frames.cut_in() > 0) {
    index.damage = "frame " + std::to_string(index.frames.size()) +
                   " is cut off before line " + std::to_string(frames.cut_in()) +
                   ", where another frame begins (the rest is not read: correct the "
                   "file, or convert its parts)";
  }
  return index;
}

}  // namespace starhist::io
