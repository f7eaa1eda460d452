#pragma once

#include <string>
#include <string_view>

#include "io/text/text_file.hh"
#include "io/text/text_particles.hh"

namespace starhist::io {

/// A text file may end without the end of a line, as "\n".join(lines) writes it. Its
/// last line is then whole, or cut off within its last number. A number cannot tell by
/// itself, so it is compared with one that is written in the same form. In ambiguity a
/// line is not whole.

/// Whether `number`, the last characters of a file, is whole, where `like` is a number
/// in the same form: if it has at least as many decimals, or without a point at least
/// as many digits. With an exponent both have one, and that of `number` at least two
/// digits and as many as that of `like`: "1.5e-1" may be cut off from "1.5e-10". False
/// for what is no number and for "1.".
bool is_whole_number(std::string_view number, std::string_view like);

/// What a line of an atom has in its columns.
struct AtomColumns {
  std::size_t count = 0;  ///< of a line, at least
  const ParticleColumns& particles;
  bool number_first = false;  ///< whether the first column is a number
};

/// Whether the last line of a file, that of an atom, is whole: if all fields are there,
/// as many as in `above`, the line of the atom before, and if the last one is a whole
/// number or has a blank behind it.
bool is_whole_atom(std::string_view line, std::string_view above,
                   const AtomColumns& columns);

/// is_whole_atom() for `rest`, the characters behind the last end of a line in `file`,
/// compared with the line of the frame that has the most decimals: its atoms begin at
/// `begin`. `above`: a line of the frame before, "" for none. The file stays where it
/// is.
bool is_whole_last_atom(TextFile& file, const TextFile::Position& begin,
                        std::string_view rest, const std::string& above,
                        const AtomColumns& columns);

/// Whether the last line of a GRO file, which is a box in free form, is whole: if it
/// has three or nine numbers, as many as `before`, the box of the frame before ("" for
/// none), and the last one is whole, compared with the first: all are written with the
/// same number of decimals.
bool is_whole_box(std::string_view line, std::string_view before);

}  // namespace starhist::io
