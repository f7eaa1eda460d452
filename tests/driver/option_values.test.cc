#include "driver/options/option_values.hh"

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/bins.hh"
#include "driver/run/frames/frame_selection.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

template <class Action>
std::string problem(Action action) {
  return error_text<InputError>(action);
}

TEST_CASE("numbers are parsed to the end of the text") {
  CHECK(driver::parse_number("--x", "1.5") == 1.5);
  CHECK(driver::parse_number("--x", "-2e-3") == -2e-3);
  CHECK(driver::parse_count("--n", "18446744073709551615") == 18446744073709551615U);
  for (const char* text : {"", "abc", " 1", "1e999", "--r-max"}) {
    CHECK(problem([&] { driver::parse_number("--x", text); }) ==
          "--x '" + std::string(text) + "' is not a number");
  }
  CHECK(problem([&] { driver::parse_number("--x", "1,5"); }) ==
        "--x '1,5' is not a number (write 1.5)");
  CHECK(problem([&] { driver::parse_number("--x", "1,5,7"); }) ==
        "--x '1,5,7' is not a number");
  CHECK(missing(problem([&] { driver::parse_number("--x", "1.5nm"); }),
                {"--x '1.5nm' is not a number (give a number without a unit: ",
                 "in the file's units"}) == "");
  for (const char* text : {"", "-1", "1.5", "x"}) {
    CHECK(missing(problem([&] { driver::parse_count("--n", text); }),
                  {"--n", text, "whole number"}) == "");
  }
  CHECK(missing(problem([] { driver::parse_count("--n", "1e3"); }),
                {"--n '1e3'", "digits (write 1000)"}) == "");
  CHECK(missing(problem([] { driver::parse_count("--n", "18446744073709551616"); }),
                {"--n '18446744073709551616'",
                 "too large (at most 18446744073709551615)"}) == "");
}

TEST_CASE("invalid numbers are refused") {
  CHECK(driver::parse_positive("--step", "3") == 3);
  CHECK(missing(problem([] { driver::parse_positive("--step", "0"); }),
                {"--step 0", "1 or more"}) == "");
}

TEST_CASE("memory is in GiB") {
  CHECK(driver::parse_memory("1") == 1ULL << 30U);
  CHECK(driver::parse_memory("0.5") == 1ULL << 29U);
  for (const char* text : {"0", "-1", "nan", "inf", "4GB", "1e7"}) {
    CHECK(missing(problem([&] { driver::parse_memory(text); }), {"--memory", text}) ==
          "");
  }
}

TEST_CASE("r_max is finite and positive") {
  CHECK(driver::parse_r_max("2.5") == 2.5);
  CHECK(missing(problem([] { driver::parse_r_max(""); }), {"--r-max is missing"}) ==
        "");
  for (const char* text : {"0", "-0", "-1", "nan", "inf", "-inf", "wide"}) {
    CHECK(missing(problem([&] { driver::parse_r_max(text); }), {"--r-max", text}) ==
          "");
  }
}

TEST_CASE("the number of bins is given, or follows from the width") {
  CHECK(driver::parse_bin_count("240", "", 1.2) == 240);
  CHECK(driver::parse_bin_count("", "0.005", 1.2) == 240);
  CHECK(driver::parse_bin_count("", "0.1", 0.3) == 3);  // 0.3 / 0.1 is not 3 in doubles
  CHECK(driver::parse_bin_count("", "2", 2.0) == 1);
  CHECK(driver::parse_bin_count(std::to_string(max_bin_count), "", 1.0) ==
        max_bin_count);
}

TEST_CASE("exactly one of bins and bin width must be given") {
  CHECK(missing(problem([] { driver::parse_bin_count("", "", 1.0); }),
                {"--bins or --bin-width is missing"}) == "");
  CHECK(missing(problem([] { driver::parse_bin_count("10", "0.1", 1.0); }),
                {"--bins and --bin-width exclude each other"}) == "");
}

TEST_CASE("invalid bins are refused, with their value") {
  for (const char* bins : {"0", "2147483647", "99999999999999999999", "-3", "ten"}) {
    CHECK(missing(problem([&] { driver::parse_bin_count(bins, "", 1.0); }),
                  {"--bins", bins}) == "");
  }
  for (const char* width : {"0", "-0.1", "nan", "inf", "thin", "0.3", "3", "1e-12"}) {
    CHECK(missing(problem([&] { driver::parse_bin_count("", width, 1.0); }),
                  {"--bin-width", width}) == "");
  }
}

TEST_CASE("a width that does not divide r_max is refused, with two that do") {
  CHECK(missing(problem([] { driver::parse_bin_count("", "0.3", 1.0); }),
                {"does not divide --r-max 1", "--r-max 1.2", "--bins 3"}) == "");
}

TEST_CASE("bins are checked even if r_max is invalid") {
  CHECK(driver::parse_bin_count("", "0.3", std::nullopt) > 0);
  CHECK(missing(problem([] { driver::parse_bin_count("0", "", std::nullopt); }),
                {"--bins 0"}) == "");
  CHECK(missing(problem([] { driver::parse_bin_count("", "-1", std::nullopt); }),
                {"--bin-width -1"}) == "");
}

TEST_CASE("boxes: the file's, open, lengths, lengths and angles") {
  CHECK_FALSE(driver::parse_box("file").has_value());
  CHECK(driver::parse_box("none")->kind() == BoxKind::open);
  CHECK(driver::parse_box("2,3,4")->kind() == BoxKind::orthorhombic);
  CHECK(driver::parse_box("2,3,4")->volume() == 24.0);
  CHECK(driver::parse_box("2,2,2,60,60,90")->kind() == BoxKind::triclinic);
  CHECK(driver::parse_box("2,3,4,90,90,90") == driver::parse_box("2,3,4"));
}

TEST_CASE("invalid boxes are refused, with the text of the option") {
  for (const char* text : {"", "1", "1,2", "1,2,3,4", "a,b,c", "1,2,3,90,90,90,90",
                           "1,,3", "1;2;3", "File"}) {
    CHECK(missing(problem([&] { driver::parse_box(text); }), {"--box", text}) == "");
  }
  CHECK(missing(problem([] { driver::parse_box("1,0,3"); }), {"0"}) == "");
  CHECK(missing(problem([] { driver::parse_box("1,-2,3"); }), {"-2"}) == "");
  CHECK(missing(problem([] { driver::parse_box("1,nan,3"); }), {"nan"}) == "");
  CHECK(missing(problem([] { driver::parse_box("1,1,1,90,90,180"); }), {"180"}) == "");
  CHECK(problem([] { driver::parse_box("1,1,1,10,10,90"); }) !=
        "");  // closes to no cell
}

TEST_CASE("number of selected frames") {
  CHECK(driver::FrameSelection{}.count(51) == 51);
  CHECK(driver::FrameSelection{0, std::nullopt, 5}.count(51) == 11);
  CHECK(driver::FrameSelection{0, std::nullopt, 5}.count(50) == 10);
  CHECK(driver::FrameSelection{3, 3, 1}.count(51) == 1);
  CHECK(driver::FrameSelection{3, 12, 4}.count(51) == 3);
  CHECK(driver::FrameSelection{50, 1000, 1}.count(51) == 1);
  constexpr std::uint64_t largest = 18446744073709551615U;
  CHECK(driver::FrameSelection{5, largest, largest}.count(51) == 1);
}

TEST_CASE("a selection without frames is refused, with the frames available") {
  CHECK(missing(problem([] {
                  driver::FrameSelection{51, std::nullopt, 1}.count(51);
                }),
                {"no frames", "--first 51", "there are 51"}) == "");
  CHECK(missing(problem([] {
                  driver::FrameSelection{4, 3, 1}.count(51);
                }),
                {"--first 4", "--last 3"}) == "");
}

TEST_CASE("lists are split at commas") {
  CHECK(driver::split_list("a,b") == std::vector<std::string>{"a", "b"});
  CHECK(driver::split_list("a") == std::vector<std::string>{"a"});
  CHECK(driver::split_list("").empty());
}

}  // namespace
}  // namespace starhist
