#include "driver/commands/verify/recorded_run.hh"

#include <algorithm>
#include <filesystem>
#include <set>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/run/provenance.hh"
#include "io/files/file_identity.hh"

namespace starhist::driver {
namespace {

namespace fs = std::filesystem;

/// Options that define particles, pairs, boxes and units of a frame.
constexpr const char* reading[] = {
    "structure", "altloc",       "index", "aliases",   "guess-elements",
    "group",     "unit",         "box",   "time-unit", "allow-external",
    "repeated",  "species",      "by",    "pairs",     "all-pairs",
    "only-same", "exclude-same", "plane", "open"};

/// Options that the blocks themselves answer, or that change no count, unless
/// CountingCommand::needed lists them.
constexpr const char* answered[] = {"first",      "last",
                                    "step",       "begin",
                                    "end",        "every",
                                    "part",       "r-max",
                                    "bins",       "bin-width",
                                    "r-min",      "centred",
                                    "output",     "force",
                                    "block",      "blocks",
                                    "json",       "memory",
                                    "resume",     "checkpoint",
                                    "trace",      "skip-bad-frames",
                                    "explain",    "quiet",
                                    "edges",      "verbose",
                                    "cpu-mode",   "clusters",
                                    "tiles",      "labels",
                                    "task-pairs", "variant",
                                    "volume",     "geometry",
                                    "extent",     "axis2",
                                    "axis2-bins", "axis2-max",
                                    "lags",       "lag-unit",
                                    "per-frame",  "per-particle"};

template <std::size_t Count>
bool has(const char* const (&names)[Count], const std::string& name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string size_text(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = fs::file_size(path, failure);
  return failure ? "" : std::to_string(size);
}

/// The recorded path, or the same path from the folder of the result if only that
/// exists.
std::string found_path(const CountedRun& run, const std::string& path) {
  const std::string beside = (fs::path(run.result->path).parent_path() / path).string();
  return !exists(path) && exists(beside) ? beside : path;
}

std::vector<std::string> recorded_inputs(const CountedRun& run) {
  std::vector<std::string> inputs;
  for (std::size_t k = 1;; ++k) {
    const auto path = io::value_of(run.record, "input " + std::to_string(k));
    if (!path) {
      return inputs;
    }
    inputs.push_back(*path);
  }
}

/// True if the file has the size and the sampled bytes of input k of the run.
bool is_input(const CountedRun& run, std::size_t k, const std::string& path) {
  const std::string input = "input " + std::to_string(k + 1);
  const std::string bytes = run.recorded(input + sampled_bytes);
  return !bytes.empty() && run.recorded(input + " bytes") == size_text(path) &&
         bytes == io::sampled_bytes_text(path);
}

std::string state_of(const CountedRun& run, std::size_t k, const std::string& path) {
  if (is_input(run, k, path)) {
    return "unchanged since it was counted: same size, same samples of its bytes";
  }
  const std::string before = run.recorded("input " + std::to_string(k + 1) + " bytes");
  const std::string now = size_text(path);
  return before == now ? "changed since it was counted, same size"
                       : "changed since it was counted, from " +
                             (before.empty() ? "an unknown size" : before + " bytes") +
                             " to " + now + " bytes";
}

/// The trajectory files of a run, at their present paths. Adds the files of `given`
/// that it uses to `used`. `only`: all runs have the same inputs.
std::vector<std::string> present_inputs(const CountedRun& run,
                                        const std::vector<std::string>& given,
                                        bool only, std::set<std::string>& used) {
  std::vector<std::string> inputs = recorded_inputs(run);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    auto found = std::find_if(given.begin(), given.end(), [&](const std::string& path) {
      return is_input(run, k, path);
    });
    if (found == given.end()) {
      found = std::find_if(given.begin(), given.end(), [&](const std::string& path) {
        return name_of(path) == name_of(inputs[k]);
      });
    }
    if (found == given.end() && only && given.size() == inputs.size()) {
      found = given.begin() + static_cast<std::ptrdiff_t>(k);
    }
    if (found != given.end()) {
      used.insert(*found);
      inputs[k] = *found;
      continue;
    }
    const std::string path = found_path(run, inputs[k]);
    if (!exists(path)) {
      throw InputError(path + ": the trajectory of " + run.result->path +
                       " is not there (its size was " +
                       run.recorded("input " + std::to_string(k + 1) + " bytes") +
                       " bytes): give its present path with --trajectory");
    }
    inputs[k] = path;
  }
  return inputs;
}

/// The present path of a file that defines particles or boxes; `moved` is the path that
/// the user gave.
std::string present_file(const CountedRun& run, const std::string& option,
                         const std::string& recorded, const std::string& moved) {
  const std::string entry = file_entry + option;
  std::string path = moved.empty() ? found_path(run, recorded) : moved;
  if (!exists(path)) {
    throw InputError(path + ": the file of " + option + " with which " +
                     run.result->path +
                     " was counted is not there: give its present path with " + option);
  }
  if (run.recorded(entry + " bytes") != size_text(path) ||
      run.recorded(entry + " first bytes") != io::first_bytes_text(path) ||
      (!run.recorded(entry + all_bytes).empty() &&
       run.recorded(entry + all_bytes) != io::all_bytes_text(path))) {
    throw InputError(path + ": is not the file of " + option + " with which " +
                     run.result->path +
                     " was counted (its size or its content differs): give that file "
                     "with " +
                     option);
  }
  return path;
}

/// The options of the run, as words of a command line, with present paths.
std::vector<std::string> option_words(const CountingCommand& command,
                                      const CountedRun& run, const MovedFiles& moved) {
  const std::pair<const char*, const std::string*> files[] = {
      {"structure", &moved.structure},
      {"index", &moved.index},
      {"aliases", &moved.aliases},
      {"box", &moved.boxes}};
  std::vector<std::string> words = command.given;
  const std::string prefix = "option --";
  std::set<std::string> with_file;
  for (const auto& [entry, value] : run.record) {
    if (!entry.starts_with(prefix)) {
      continue;
    }
    const std::string name = entry.substr(prefix.size());
    const bool needed = std::find(command.needed.begin(), command.needed.end(), name) !=
                        command.needed.end();
    if (!needed && !has(reading, name)) {
      if (!has(answered, name)) {
        throw InputError(run.result->path + " was counted with --" + name +
                         ", which this version of starhist does not know: verify it "
                         "with version " +
                         run.recorded("version"));
      }
      continue;
    }
    std::string text = value;
    for (const auto& [option, path] : files) {
      const std::string file = file_entry + ("--" + name);
      if (name == option && io::value_of(run.record, file + " first bytes")) {
        text = present_file(run, "--" + name, value, *path);
        with_file.insert(name);
      }
    }
    words.push_back("--" + name + (text.empty() ? "" : "=" + text));
  }
  for (const auto& [option, path] : files) {
    if (!path->empty() && !with_file.contains(option)) {
      throw InputError("--" + std::string(option) + " " + *path + ": " +
                       run.result->path + " was counted without such a file (omit --" +
                       option + ")");
    }
  }
  return words;
}

/// Throws InputError if the run's frames cannot be read again.
void check_source(const CountedRun& run, bool has_given) {
  const std::string& path = run.result->path;
  const std::string program = run.recorded("program");
  if (program == "libstarhist") {
    throw InputError(path +
                     " was counted by the C library or the Python module, from frames "
                     "in memory, which cannot be read again: count a trajectory file "
                     "with starhist rdf and verify that result");
  }
  if (program != "starhist" || recorded_inputs(run).empty()) {
    throw InputError(path +
                     " does not record how its blocks were counted (it was merged by "
                     "an older version, or is of another program): verify the "
                     "results that were merged, or count again");
  }
  const bool is_stream = run.recorded("frames selected") == "all that come" ||
                         run.recorded("input 1").starts_with("imd:");
  if (is_stream && !has_given) {
    throw InputError(path +
                     " was counted from a running simulation, whose frames arrive only "
                     "once: if the simulation wrote them to a trajectory, give it with "
                     "--trajectory");
  }
}

RecordedRun recorded_run(const CountingCommand& command, const CountedRun& run,
                         const MovedFiles& moved, bool only,
                         std::set<std::string>& used) {
  check_source(run, !moved.trajectories.empty());
  std::vector<std::string> words = option_words(command, run, moved);
  words.emplace_back("--");
  const std::vector<std::string> inputs =
      present_inputs(run, moved.trajectories, only, used);
  words.insert(words.end(), inputs.begin(), inputs.end());
  RecordedRun recorded;
  try {
    recorded.spec = command.parse(words).value();
  } catch (const InputError& error) {
    throw InputError(run.result->path +
                     ": its recorded options are invalid: " + error.what());
  }
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    recorded.trajectories.push_back({inputs[k], state_of(run, k, inputs[k])});
  }
  return recorded;
}

}  // namespace

std::vector<RecordedRun> recorded_runs(const CountingCommand& command,
                                       const std::vector<CountedRun>& runs,
                                       const MovedFiles& moved) {
  for (const std::string& path : moved.trajectories) {
    if (!exists(path)) {
      throw InputError("--trajectory " + path + ": no such file");
    }
  }
  const bool only = std::all_of(runs.begin(), runs.end(), [&](const CountedRun& run) {
    return recorded_inputs(run) == recorded_inputs(runs.front());
  });
  std::set<std::string> used;
  std::vector<RecordedRun> recorded;
  for (const CountedRun& run : runs) {
    recorded.push_back(recorded_run(command, run, moved, only, used));
  }
  for (const std::string& path : moved.trajectories) {
    if (!used.contains(path)) {
      throw InputError("--trajectory " + path + ": is not one of the files of " +
                       runs.front().result->path + " (" +
                       join(recorded_inputs(runs.front()), ", ") +
                       "), by its size and sampled bytes or by its name (give as many "
                       "files as were counted, in their order)");
    }
  }
  return recorded;
}

}  // namespace starhist::driver
