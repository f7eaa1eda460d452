#include "driver/run/frames/trajectory_input.hh"
#include "tests/support/catch.hh"

namespace starhist {
namespace {

TEST_CASE(
    "three quarters of the cores decompress with GPUs, otherwise half of 16 read") {
  io::TrajectoryInfo plain;
  io::TrajectoryInfo compressed;
  compressed.decompresses = true;
  io::TrajectoryInfo together = compressed;
  together.sequential_only = true;
  for (const bool beside_gpus : {false, true}) {
    CHECK(driver::most_readers(plain, 1, beside_gpus) == 2);
    CHECK(driver::most_readers(plain, 6, beside_gpus) == 3);
    CHECK(driver::most_readers(plain, 128, beside_gpus) == 8);
    CHECK(driver::most_readers(together, 128, beside_gpus) == 1);
  }
  CHECK(driver::most_readers(compressed, 128, false) == 8);
  CHECK(driver::most_readers(compressed, 2, true) == 2);
  CHECK(driver::most_readers(compressed, 16, true) == 12);
  CHECK(driver::most_readers(compressed, 128, true) == 96);
  CHECK(driver::most_readers(compressed, 256, true) == 96);
}

}  // namespace
}  // namespace starhist
