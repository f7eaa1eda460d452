#include "codelets/run_status.hh"

#include <stdexcept>
#include <thread>

#include "codelets/core/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

TEST_CASE("a status without an error throws nothing") {
  RunStatus status(3);
  CHECK_FALSE(status.stopped());
  status.rethrow_error();
  status.stop();
  CHECK(status.stopped());
  status.rethrow_error();
}

TEST_CASE("the first error is kept, as the type that it was") {
  RunStatus status(1);
  status.fail(std::make_exception_ptr(RunError("first")));
  status.fail(std::make_exception_ptr(InputError("second")));
  CHECK(status.stopped());
  CHECK(testing::error_text<RunError>([&] { status.rethrow_error(); }) == "first");
  CHECK(testing::error_text<RunError>([&] { status.rethrow_error(); }) == "first");
}

TEST_CASE("of errors in many threads there is one") {
  RunStatus status(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&status, t] {
      status.loads()[static_cast<std::size_t>(t)].pairs += 10;
      status.fail(std::make_exception_ptr(RunError("thread")));
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(testing::error_text<RunError>([&] { status.rethrow_error(); }) == "thread");
  CHECK(status.pairs_done() == 40);
}

}  // namespace
}  // namespace starhist
