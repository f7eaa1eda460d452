// XYZ and extended XYZ.

#include "io/formats/xyz/xyz_reader.hh"
#include "tests/fuzz/fuzz_input.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace starhist;
  fuzz::read_trajectory(fuzz::text_of(data, size),
                        [](const std::string& path, const io::ReadOptions& options) {
                          return std::make_unique<io::XyzReader>(path, options);
                        });
  return 0;
}
