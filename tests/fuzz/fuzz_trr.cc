// TRR: headers, frames and positions.

#include "io/formats/records.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size), io::trr_format());
  return 0;
}
