#include "codelets/core/base/contract.hh"

#ifdef STARHIST_CONTRACTS

#include <cstdio>
#include <cstdlib>

namespace starhist {

void report_broken_contract(const char* kind, const char* file, int line,
                            const char* condition, const char* rule) {
  std::fprintf(stderr, "%s:%d: broken %s: %s (%s)\n", file, line, kind, rule,
               condition);
  std::abort();
}

}  // namespace starhist

#endif
