#include "codelets/run_status.hh"

#include <stdexcept>
#include <thread>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

TEST_CASE("a status without an error does not throw") {
  codelets::RunStatus status(3);
  CHECK_FALSE(status.stopped());
  status.rethrow_error();
  status.stop();
  CHECK(status.stopped());
  status.rethrow_error();
}

TEST_CASE("the first error is kept with its type") {
  codelets::RunStatus status(1);
  status.fail(std::make_exception_ptr(RunError("first")));
  status.fail(std::make_exception_ptr(InputError("second")));
  CHECK(status.stopped());
  CHECK(testing::error_text<RunError>([&] { status.rethrow_error(); }) == "first");
  CHECK(testing::error_text<RunError>([&] { status.rethrow_error(); }) == "first");
}

TEST_CASE("ended tasks: loads of workers, errors of predictions, a list") {
  codelets::RunStatus status(2);
  status.record({"A-B", 1, 100, 2, 10.0, 12.0, 3.0});
  CHECK(status.records().empty());
  status.keep_records();
  status.record({"A-A", 1, 50, 1, 12.0, 13.0, 0.5});
  status.record({"B-B", 0, 7, 1, 12.0, 12.5, 0.0});  // not predicted
  CHECK(status.loads()[0].pairs == 7);
  CHECK(status.loads()[1].pairs == 150);
  CHECK(status.loads()[1].tasks == 2);
  CHECK(status.loads()[1].busy_nanoseconds == 3'000'000'000);
  CHECK(status.pairs_done() == 157);
  CHECK(status.predictions().tasks == 2);
  CHECK(status.predictions().error == 0.5 - 0.5);
  CHECK(status.predictions().absolute_error == 0.5 + 0.5);
  CHECK(status.predictions().seconds == 2.0 + 1.0);
  CHECK(status.predictions().absolute_seconds == 1.0 + 0.5);
  REQUIRE(status.records().size() == 2);
  CHECK(status.records()[0].name == std::string("A-A"));
}

TEST_CASE("of errors in many threads exactly one is kept") {
  codelets::RunStatus status(4);
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
