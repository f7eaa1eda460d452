#include "io/files/whole_file.hh"

#include <chrono>
#include <future>
#include <ostream>

#include <sys/stat.h>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::testing {
namespace {

TEST_CASE("a pipe is written once a program reads it") {
  const TemporaryDirectory folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const std::string text(1U << 20U, 'x');  // more than a pipe holds
  const auto write = [&](std::ostream& out) { out << text; };

  SECTION("without a reader it is refused") {
    const std::string error = error_text<InputError>(
        [&] { io::write_whole_file(pipe, write, std::chrono::milliseconds(100)); });
    CHECK(missing(error, {pipe.c_str(), "no program has opened this pipe"}) == "");
  }
  SECTION("a reader may come later") {
    auto written =
        std::async(std::launch::async, [&] { io::write_whole_file(pipe, write); });
    CHECK(written.wait_for(std::chrono::milliseconds(50)) ==
          std::future_status::timeout);
    CHECK(read_bytes(pipe) == text);
    CHECK_NOTHROW(written.get());
  }
}

}  // namespace
}  // namespace starhist::testing
