#include "driver/report/abort_message.hh"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/catch.hh"
#include "tests/support/child_process.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist::driver {
namespace {

using starhist::testing::ChildEnd;
using starhist::testing::ChildProcess;
using starhist::testing::TemporaryDirectory;

struct End {
  ChildEnd child;
  std::string errors;  ///< text on standard error
};

/// Outcome of a process that does `action` with default signal handlers.
End end_of(const std::function<void()>& action) {
  const TemporaryDirectory folder;
  const std::string path = folder.file("errors");
  const ChildEnd end =
      ChildProcess([&](const auto&) {
        for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
          std::signal(signal, SIG_DFL);  // the test framework installs its handlers
        }
        ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT, 0600), STDERR_FILENO);
        action();
      }).wait();
  std::ifstream file(path);
  return {end, {std::istreambuf_iterator<char>(file), {}}};
}

TEST_CASE("a library that ends the program causes exit code 2 and a message") {
  for (const auto& ending : {+[] { std::exit(255); }, +[] { std::abort(); }}) {
    const End end = end_of([&] {
      const AbortMessage message("the library gave up");
      ending();
    });
    CHECK(end.child.signal == 0);
    CHECK(end.child.exit_status == 2);
    CHECK(end.errors == "starhist: the library gave up\n");
  }
}

TEST_CASE("a fault prints a message and ends the program by its signal") {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    const End end = end_of([&] {
      const AbortMessage message("memory may have run out");
      ::raise(signal);
    });
    CHECK(end.child.signal == signal);
    CHECK(end.errors == "starhist: memory may have run out\n");
  }
}

TEST_CASE("a message is valid during its object's lifetime") {
  const End end = end_of([&] {
    std::optional<AbortMessage> message("not said");
    message.reset();
    std::exit(3);
  });
  CHECK(end.child.exit_status == 3);
  CHECK(end.errors.empty());
}

}  // namespace
}  // namespace starhist::driver
