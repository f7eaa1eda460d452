#pragma once

#include <cstdint>
#include <string_view>

namespace starhist::io {

/// Residue numbers of PDB, whose four columns programs extend beyond 9999 in different
/// ways. The variant may depend on the previous number, so the records of a frame must
/// be read in order.
class PdbResidueNumbers {
 public:
  struct Number {
    std::int64_t value = 0;  ///< 0 for blank columns
    char insertion = ' ';    ///< insertion code; ' ': not given
    /// The number begins in the column of the chain; the chain is then missing.
    bool over_chain = false;
  };

  /// Reads the number in columns 23 to 26 of an atom's record:
  /// - decimal, such as "  52", "-999"; five or more digits from column 23 on, which
  ///   replace the insertion code, or from column 22 on after 9999
  /// - hybrid-36: "A000" is 10000, "ZZZZ" is 1223055, "a000" is 1223056
  /// - hexadecimal beyond 9999, as written by VMD: "2710" after 9999, "271a"
  /// Throws InputError for anything different.
  Number next(std::string_view line);

 private:
  Number read(std::string_view line) const;

  std::int64_t last_ = 0;
  bool last_without_chain_ = false;
};

}  // namespace starhist::io
