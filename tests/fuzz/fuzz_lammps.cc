// LAMMPS text dumps, plain and compressed by gzip.

#include "io/formats/records.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size), io::lammps_format());
  return 0;
}
