#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_field.hh"

namespace starhist::io {

/// What a term of a selection compares with: a word, in which *, ? and [..] stand for
/// other letters (a pattern), or whole numbers from first to last.
struct SelectionValue {
  std::string text;  ///< as it was written
  bool pattern = false;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Which particles are meant: "name OW", or other selections joined by and, or, not.
struct Selection {
  enum class Kind { all, term, every, any, opposite };
  Kind kind = Kind::all;
  ParticleField field = ParticleField::index;  ///< of a term
  std::vector<SelectionValue> values;          ///< of a term: any of them
  std::vector<Selection> parts;  ///< of `every` and `any`; one of `opposite`
};

/// One entry per particle: 1 where it is meant, else 0. Throws InputError when the
/// table does not have a field that is asked for, or when one of the values is that of
/// no particle.
std::vector<char> select(const Selection& selection, const ParticleTable& table);

}  // namespace starhist::io
