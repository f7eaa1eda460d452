#pragma once

#include <string>
#include <string_view>

#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// A text file may end without a newline, for example if it was written with
/// "\n".join(lines). Its last line is then complete, or truncated within its last
/// number. The number is therefore compared with another number in the same format.
/// Ambiguous lines count as truncated.

/// Whether `number`, the last characters of a file, is complete, compared with `like`,
/// a number in the same format. It needs at least as many decimals or, without a
/// decimal point, at least as many digits. Either both have an exponent or neither; an
/// exponent needs at least two digits, and at least as many as in `like`: "1.5e-1" may
/// be a truncated "1.5e-10". False if the text is not a number, and for "1.".
bool is_whole_number(std::string_view number, std::string_view like);

/// is_whole_number() of the last field of `line`, the characters after the last newline
/// of a file. It is complete if a blank or "\r" follows it.
bool is_whole_last_number(std::string_view line, std::string_view like);

/// Layout of a line that describes an atom.
struct AtomColumns {
  std::size_t count = 0;  ///< least number of fields
  const ParticleColumns& particles;
  bool number_first = false;  ///< whether the first field is a number
};

/// Whether the last line of a file, which describes an atom, is complete: it has all
/// fields, as many as `above`, the line of the previous atom, and its last field is a
/// complete number or is followed by a blank.
bool is_whole_atom(std::string_view line, std::string_view above,
                   const AtomColumns& columns);

/// Applies is_whole_atom() to `rest`, the characters after the last newline of `file`.
/// They are compared with the line of this frame that has the most decimals; the atoms
/// of the frame begin at `begin`. `above`: an atom's line of the previous frame, or "".
/// Leaves the position in the file unchanged.
bool is_whole_last_atom(TextFile& file, const TextFile::Position& begin,
                        std::string_view rest, const std::string& above,
                        const AtomColumns& columns);

/// Whether the last line of a GRO file, a box in free format, is complete: it has three
/// or nine numbers, as many as `before`, the box of the previous frame (or ""), and the
/// last number is complete compared with the first. All numbers are written with the
/// same number of decimals.
bool is_whole_box(std::string_view line, std::string_view before);

}  // namespace starhist::io
