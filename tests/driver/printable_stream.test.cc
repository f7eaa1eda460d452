// Text from files cannot control the terminal.
#include "driver/report/printable_stream.hh"

#include <sstream>

#include "tests/support/catch.hh"
#include "tests/support/run_program.hh"

namespace starhist::testing {
namespace {

std::string printed(const std::string& text) {
  std::ostringstream out;
  {
    const driver::PrintableStream printable(out);
    out << text;
    for (const char c : text) {
      out.put(c);
    }
  }
  const std::string all = out.str();
  const std::size_t half = all.size() / 2;
  CHECK(all.substr(0, half) == all.substr(half));
  return all.substr(0, half);
}

TEST_CASE("control characters are escaped, all others are kept") {
  CHECK(printed("a\tb\n") == "a\tb\n");
  CHECK(printed("\x1b[2J\r\x7f\x07") == "\\x1b[2J\\x0d\\x7f\\x07");
  CHECK(printed("\xc2\x9b"
                "31m") == "\\x9b31m");
  CHECK(printed("\xc2\xb5m \xc3\x85 \xe2\x88\x9e") ==
        "\xc2\xb5m \xc3\x85 \xe2\x88\x9e");
  CHECK(printed("x\xc2") == "x\xc2");
  // Characters that change the writing direction; others with the same prefix are kept.
  CHECK(printed("a\xe2\x80\xaeSi \xe2\x81\xa6 \xd8\x9c") ==
        "a\\u202eSi \\u2066 \\u061c");
  CHECK(printed("\xe2\x80\x93 \xe2\x80 \xe2\xc2\xb5 \xd8\xa7") ==
        "\xe2\x80\x93 \xe2\x80 \xe2\xc2\xb5 \xd8\xa7");
  CHECK(printed("") == "");
}

TEST_CASE("a stream keeps its state and its buffer after a printable one") {
  std::ostringstream out;
  std::streambuf* const before = out.rdbuf();
  {
    const driver::PrintableStream printable(out);
    out.setstate(std::ios::failbit);
  }
  CHECK(static_cast<std::ostream&>(out).rdbuf() == before);
  CHECK(out.fail());
}

TEST_CASE("long messages keep their start and end") {
  CHECK(driver::shortened("abc", 3) == "abc");
  CHECK(driver::shortened("abcdefghij", 8) ==
        "abcdef [... 2 characters left out ...] ij");
}

TEST_CASE(
    "messages and summaries escape control characters of names, and have a limit") {
  const ProgramRun run = run_program({"info", "\x1b[2J\xc2\x9bno"});
  CHECK(run.exit_code == 1);
  CHECK(run.err.find('\x1b') == std::string::npos);
  CHECK(run.err.find("\\x1b[2J\\x9bno") != std::string::npos);
  CHECK(run_program({"info", std::string(60'000, 'x')}).err.size() < 5000);
}

}  // namespace
}  // namespace starhist::testing
