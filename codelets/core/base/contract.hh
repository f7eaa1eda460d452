#pragma once

/// Contracts in code: preconditions and invariants that only a bug in starhist breaks.
/// Wrong input of a user is an InputError instead.
///
/// STARHIST_EXPECT checks a precondition at the beginning of a function,
/// STARHIST_ENSURE a result or an invariant at its end. `rule` is the contract's
/// sentence, a string literal. The option STARHIST_CONTRACTS of CMake switches both on;
/// it is the default for Debug builds, sanitizers and fuzzing. Otherwise the condition
/// is compiled, but not evaluated, so contracts are free.
///
/// A broken contract prints file, line, condition and rule, and aborts. It does not
/// throw, because exceptions cannot leave destructors, parallel regions and callbacks
/// of StarPU and HDF5; because a handler would report it as an unusable frame; and
/// because fuzzers and core dumps then show the place.
///
/// Conditions must not change anything, and cost less than the function that they
/// guard. Device code and loops over pairs are checked at the entrance
/// of their kernel.
///
/// Example: STARHIST_EXPECT(k <= count, "bins have the edges 0 .. count");
#ifdef STARHIST_CONTRACTS

namespace starhist {

/// Prints the broken contract to stderr and aborts. `kind`: "precondition" or
/// "invariant".
[[noreturn]] void report_broken_contract(const char* kind, const char* file, int line,
                                         const char* condition, const char* rule);

}  // namespace starhist

#define STARHIST_CONTRACT(kind, condition, rule)                      \
  (static_cast<bool>(condition) ? static_cast<void>(0)                \
                                : ::starhist::report_broken_contract( \
                                      kind, __FILE__, __LINE__, #condition, rule))
#else
#define STARHIST_CONTRACT(kind, condition, rule) \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

#define STARHIST_EXPECT(condition, rule) \
  STARHIST_CONTRACT("precondition", condition, rule)
#define STARHIST_ENSURE(condition, rule) STARHIST_CONTRACT("invariant", condition, rule)
