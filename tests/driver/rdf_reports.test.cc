#include "driver/commands/rdf_reports.hh"

#include "tests/support/catch.hh"

namespace starhist {
namespace {

using driver::how_to_go_on;

TEST_CASE("a stopped run is resumed by its command, but a stream cannot be") {
  const std::vector<std::string> words{"a b.xyz", "-f", "-o", "out.h5"};
  CHECK(how_to_go_on("starhist", words, false) ==
        "to resume, run: starhist rdf 'a b.xyz' -o out.h5 --resume");
  CHECK(how_to_go_on("starhist", words, true) ==
        "to resume, run: starhist rdf 'a b.xyz' -f -o out.h5 --resume");
  CHECK(how_to_go_on("starhist", {"imd://127.0.0.1:8888", "-o", "out.h5"}, false)
            .find("--resume") == std::string::npos);
}

}  // namespace
}  // namespace starhist
