#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_field.hh"

namespace starhist::io {

/// A value that a term of a selection compares a field with: a word or a pattern for
/// text, a range for numbers.
struct SelectionValue {
  std::string text;        ///< as it was written
  bool pattern = false;    ///< *, ? and [..] in `text` match other letters
  std::int64_t first = 0;  ///< numbers from first to last (inclusive) match
  std::int64_t last = 0;
};

/// A selection of particles: a term such as "name OW", or other selections combined.
struct Selection {
  enum class Kind {
    all,      ///< all particles
    term,     ///< particles whose field has one of the values
    every,    ///< "and" of the parts
    any,      ///< "or" of the parts
    opposite  ///< "not" of the one part
  };
  Kind kind = Kind::all;
  ParticleField field = ParticleField::index;  ///< of a term
  std::vector<SelectionValue> values;          ///< of a term
  std::vector<Selection> parts;                ///< of `every`, `any` and `opposite`
};

/// One entry per particle: 1 if it is selected, else 0. Throws InputError when the
/// table does not have a field of the selection, or when no particle has one of its
/// values.
std::vector<char> select(const Selection& selection, const ParticleTable& table);

}  // namespace starhist::io
