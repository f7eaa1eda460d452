// GRO as a structure, and as a trajectory with atoms from the file or a structure.

#include "io/formats/records.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size), io::gro_format(), true);
  return 0;
}
