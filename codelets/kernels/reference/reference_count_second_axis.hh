#pragma once

#include "codelets/kernels/second_axis_pairs.hh"

namespace starhist::kernels::reference {

/// Counts the pairs with the defining function for every pair, with the result of
/// SecondAxisCount; the last entry is the number of pairs out of range. Tests compare
/// with it.
void count_second_axis(const SecondAxisPairs& pairs, std::uint64_t* counts);

}  // namespace starhist::kernels::reference
