#include "driver/options/trajectory_options.hh"

#include "io/trajectory/format_texts.hh"

namespace starhist::driver {

OptionSpec structure_option() {
  return {"structure", "FILE", io::structure_help()};
}

OptionSpec group_option() {
  return {"group", "NAME", "particle group of an H5MD file, if it has several"};
}

OptionSpec unit_option() {
  return {"unit",
          "UNIT",
          "length unit of files that do not say theirs: nm, A, sigma, ...",
          {.examples = {"nm", "A", "sigma"}}};
}

OptionSpec box_option() {
  return {"box",
          "BOX",
          "file, none, a,b,c or a,b,c,alpha,beta,gamma (degrees)",
          {.fallback = "file", .examples = {"file", "none"}}};
}

OptionSpec first_option() {
  return {"first", "I", "first frame, counted from 0", {.fallback = "0"}};
}

OptionSpec last_option() {
  return {"last", "I", "last frame, inclusive", {.otherwise = "the last there is"}};
}

OptionSpec step_option() {
  return {"step", "N", "every N-th frame", {.fallback = "1"}};
}

OptionSpec skip_bad_frames_option() {
  return {"skip-bad-frames", "",
          "leave out frames that cannot be used, and exit with code 3"};
}

OptionSpec allow_external_option() {
  return {"allow-external", "",
          "read HDF5 files whose data lie in other files, which they name"};
}

io::ExternalFiles external_files(const ParsedOptions& parsed) {
  return parsed.has("allow-external") ? io::ExternalFiles::followed
                                      : io::ExternalFiles::refused;
}

}  // namespace starhist::driver
