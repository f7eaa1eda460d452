#include "io/files/json_text.hh"

#include <cmath>
#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using io::json_number;
using io::json_string;
using io::json_text;
using Json = nlohmann::ordered_json;

TEST_CASE("texts in JSON: escapes, UTF-8 unchanged, other bytes replaced") {
  CHECK(json_string("") == "\"\"");
  CHECK(json_string("a\"b\\c\n\x01") == R"("a\"b\\c\n\u0001")");
  CHECK(json_string("\xc3\x85") == "\"\xc3\x85\"");
  CHECK(json_string("caf\xe9") == "\"caf\xef\xbf\xbd\"");
}

TEST_CASE(
    "numbers in JSON: integral ones without a fraction, null for non-finite ones") {
  CHECK(json_number(2.0).dump() == "2");
  CHECK(json_number(-0.5).dump() == "-0.5");
  CHECK(json_number(0.0).dump() == "0");
  CHECK(json_number(-0.0).dump() == "-0.0");
  CHECK(json_number(0x1p53).dump() == "9007199254740992");
  CHECK(json_number(1e300).dump() == "1e+300");
  CHECK(json_number(std::numeric_limits<double>::infinity()).dump() == "null");
  CHECK(json_number(std::nan("")).dump() == "null");
}

TEST_CASE("doubles in JSON survive a round trip") {
  std::mt19937_64 random(1);
  for (int k = 0; k < 100000; ++k) {
    const double value =
        std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random),
                   std::uniform_int_distribution<int>(-1000, 1000)(random));
    const std::string text = json_text(json_number(value), -1);
    if (Json::parse(text).get<double>() != value) {
      FAIL_CHECK(text);
    }
  }
}

TEST_CASE("members keep their order") {
  CHECK(json_text({{"b", 1}, {"a", {{"z", true}, {"y", nullptr}}}}, -1) ==
        R"({"b":1,"a":{"z":true,"y":null}})");
  CHECK(json_text({{"b", 1}}) == "{\n  \"b\": 1\n}");
}

}  // namespace
}  // namespace starhist
