#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace starhist::io {

/// Elements of the atoms of PDB, "C" and "Cl", from columns 77 and 78; libgromacs (2022
/// at least) begins one column too far right.
class PdbElements {
 public:
  /// False behind the first model.
  bool add_line(std::string_view line);

  /// One per atom; empty when no atom has one.
  std::vector<std::string> take();

 private:
  std::vector<std::string> elements_;
  bool any_ = false;
};

}  // namespace starhist::io
