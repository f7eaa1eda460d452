#include "driver/report/record_lines.hh"

#include "tests/support/catch.hh"

namespace starhist::testing {
namespace {

using driver::record_line;

TEST_CASE("lines of a record: options without a value, empty entries, local times") {
  CHECK(record_line("option --bins", "280") == "  option --bins: 280\n");
  CHECK(record_line("option --force", "") == "  option --force\n");
  CHECK(record_line("group", "") == "");
  CHECK(record_line("input 1 modified (unix time)", "1795800835")
            .starts_with("  input 1 modified: 2026-11-2"));
  CHECK(record_line("input 1 modified (unix time)", "x") ==
        "  input 1 modified (unix time): x\n");
}

TEST_CASE("lines of inputs and options leave out the rest of a record") {
  CHECK(driver::input_lines({{"input 1", "a.h5"}, {"workers", "2"}}) ==
        "  input 1: a.h5\n");
}

}  // namespace
}  // namespace starhist::testing
