#include "io/hdf5/deferred_reads.hh"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/catch.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

constexpr std::size_t threads = 4;
constexpr std::size_t size = (std::size_t{9} << 20U) + 5;

TEST_CASE("a large piece is read in parts, with zeros beyond the end of the file") {
  const testing::TemporaryDirectory files;
  const std::string path = files.file("bytes");
  std::string written(size, ' ');
  for (std::size_t k = 0; k < size; ++k) {
    written[k] = static_cast<char>(k % 251 + 1);
  }
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(file >= 0);
  constexpr std::size_t in_file = size - (std::size_t{3} << 20U);  // within a part
  REQUIRE(::write(file, written.data(), in_file) == static_cast<ssize_t>(in_file));

  std::string read(size - 1, 'x');
  io::DeferredReads reads;
  reads.add(file, 1, read.size(), read.data());
  CHECK(reads.read(threads) == 0);
  CHECK(read.substr(0, in_file - 1) == written.substr(1, in_file - 1));
  CHECK(read.substr(in_file - 1) == std::string(size - in_file, '\0'));
  CHECK(reads.bytes() == 0);

  ::close(file);
  reads.add(file, 0, read.size(), read.data());
  CHECK(reads.read(threads) == EBADF);
}

TEST_CASE("reads into a range are found if they fill it") {
  const testing::TemporaryDirectory files;
  const std::string path = files.file("bytes");
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
  REQUIRE(file >= 0);
  REQUIRE(::write(file, "0123456789", 10) == 10);

  char room[12];
  io::DeferredReads reads;
  reads.add(file, 6, 4, room);      // 6789
  reads.add(file, 0, 5, room + 4);  // 01234; the rest is not read
  io::DeferredReads found;
  std::string text(6, ' ');
  CHECK(reads.find(room + 2, 6, text.data(), found));
  CHECK(found.read(threads) == 0);
  CHECK(text == "890123");
  CHECK_FALSE(reads.find(room + 4, 6, text.data(), found));
  CHECK(reads.bytes() == 9);
  ::close(file);
}

}  // namespace
}  // namespace starhist
