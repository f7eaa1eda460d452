#include "codelets/kernels/cpu/variants.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;

TEST_CASE("the last variant runs everywhere, and names find their variants") {
  const auto& all = kernels::cpu::variants();
  REQUIRE_FALSE(all.empty());
  CHECK(all.back().name == "baseline");
  CHECK(all.back().supported);
  for (const kernels::cpu::Variant& variant : all) {
    INFO(variant.name);
    CHECK(variant.loop != nullptr);
    if (variant.supported) {
      CHECK(&kernels::cpu::find_variant(variant.name) == &variant);
    } else {
      CHECK(missing(error_text<InputError>(
                        [&] { kernels::cpu::find_variant(variant.name); }),
                    {"not supported", variant.name.c_str()}) == "");
    }
  }
}

TEST_CASE("an unknown variant is an error that lists the names") {
  const std::string error =
      error_text<InputError>([] { kernels::cpu::find_variant("sse9"); });
  CHECK(missing(error, {"'sse9'", "STARHIST_CPU_VARIANT", "baseline"}) == "");
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    CHECK(missing(error, {variant.name.c_str()}) == "");
  }
  CHECK_FALSE(error_text<InputError>([] { kernels::cpu::find_variant(""); }).empty());
}

TEST_CASE("without the variable the fastest supported variant is selected") {
  unsetenv("STARHIST_CPU_VARIANT");
  const auto& all = kernels::cpu::variants();
  const auto fastest = std::find_if(
      all.begin(), all.end(), [](const auto& variant) { return variant.supported; });
  CHECK(kernels::cpu::selected_variant().name == fastest->name);
}

testing::ProgramRun selftest_with(const std::string& variant) {
  testing::ProgramSetting setting;
  setting.environment["STARHIST_CPU_VARIANT"] = variant;
  return testing::run_program({"selftest", "--particles", "50"}, setting);
}

TEST_CASE("the variable STARHIST_CPU_VARIANT forces each variant") {
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    INFO(variant.name);
    const auto run = selftest_with(variant.name);
    if (variant.supported) {
      CHECK(run.exit_code == 0);
      CHECK(missing(run.out, {("rdf will use " + variant.name + "\n").c_str()}) == "");
    } else {
      CHECK(run.exit_code == 1);
      CHECK(missing(run.err, {"not supported", variant.name.c_str()}) == "");
    }
  }
}

TEST_CASE("the variable STARHIST_CPU_VARIANT with an unknown name fails") {
  const auto run = selftest_with("sse9");
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"'sse9'", "STARHIST_CPU_VARIANT", "avx2", "baseline"}) == "");
}

}  // namespace
}  // namespace starhist
