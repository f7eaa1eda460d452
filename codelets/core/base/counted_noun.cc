#include "codelets/core/base/counted_noun.hh"

#include "codelets/core/base/text.hh"

namespace starhist {

std::string counted(unsigned long long number, const std::string& noun) {
  return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace starhist
