#include "driver/commands/verify/reopened_run.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_checksum.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/run_checks.hh"

namespace starhist::driver {
namespace {

std::vector<std::size_t> numbers_of_species(const io::ResultFile& result,
                                            const io::TrajectoryInfo& info) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : result.layout.species) {
    const auto found = std::find(info.species.begin(), info.species.end(), name);
    if (found == info.species.end()) {
      throw InputError(join(info.paths, ", ") + ": has no species " + name +
                       ", which " + result.path + " counts (its species are " +
                       join(info.species, ", ") +
                       "): give the trajectory that was counted with --trajectory");
    }
    numbers.push_back(static_cast<std::size_t>(found - info.species.begin()));
  }
  return numbers;
}

void check_units(const io::ResultFile& result, const io::TrajectoryInfo& info) {
  const auto check = [&](const char* what, const std::string& of_result,
                         const std::string& of_file) {
    if (!of_file.empty() && of_result != of_file) {
      throw InputError(
          join(info.paths, ", ") + ": the unit of " + what + " is " + of_file +
          ", but " + (of_result.empty() ? "unknown" : of_result) + " in " +
          result.path + ": give the trajectory that was counted with --trajectory");
    }
  };
  check("lengths", result.layout.length_unit, info.length_unit);
  check("times", result.layout.time_unit, info.time_unit);
}

/// Throws InputError if the result's plane or second axis is not the recorded one,
/// whose positions are read.
void check_axes(const std::string& path, const HistogramLayout& layout,
                const TrajectoryRunSpec& spec) {
  const auto text = [](const std::optional<SecondAxis>& axis, Plane plane) {
    return (axis ? "second axis " + to_string(*axis) : std::string("no second axis")) +
           (plane == Plane::none ? "" : ", plane " + to_string(plane));
  };
  const std::string counted = text(layout.second, layout.plane);
  const std::string recorded = text(spec.second, spec.reading.plane);
  if (counted != recorded) {
    throw InputError(path + ": its axes (" + counted + ") are not the recorded ones (" +
                     recorded + "): the file was changed, count again");
  }
}

HistogramLayout layout_of(const io::ResultFile& result,
                          const std::vector<std::size_t>& species,
                          const io::TrajectoryInfo& info) {
  const auto number = [&](SpeciesId id) {
    return SpeciesId(static_cast<std::uint32_t>(species[id.index()]));
  };
  HistogramLayout layout = result.layout;
  layout.species = info.species;
  layout.elements.clear();
  layout.selections = info.selections;
  for (SpeciesPair& pair : layout.pairs) {
    pair = {number(pair.first), number(pair.second)};
  }
  for (std::size_t s = 0; s < species.size(); ++s) {
    const auto rule = [](const std::vector<std::string>& rules, std::size_t k) {
      return rules.empty() ? std::string() : rules[k];
    };
    if (rule(result.layout.selections, s) != rule(info.selections, species[s])) {
      throw InputError(result.path + ": the rule of its species " +
                       result.layout.species[s] +
                       " is not the one that its provenance records (the file was "
                       "changed): count again");
    }
  }
  return layout;
}

}  // namespace

ReopenedRun::ReopenedRun(const CountedRun& run, const RecordedRun& recorded)
    : input_(recorded.spec.inputs, reading_options(recorded.spec)),
      species_(numbers_of_species(*run.result, input_.info())),
      layout_(layout_of(*run.result, species_, input_.info())),
      exclusions_(make_exclusions(layout_, input_.info())) {
  if (recorded.spec.exclusion != layout_.exclusion) {
    throw InputError(
        run.result->path + ": its excluded pairs (" + to_string(layout_.exclusion) +
        ") are not those that its provenance records (" +
        to_string(recorded.spec.exclusion) + "): the file was changed, count again");
  }
  check_axes(run.result->path, layout_, recorded.spec);
  check_units(*run.result, input_.info());
  check_trajectory(run);
}

Frame ReopenedRun::read(FrameIndex index) {
  if (index.get() >= info().frame_count) {
    throw InputError(join(info().paths, ", ") + ": has only " +
                     std::to_string(info().frame_count) + " frames, no frame " +
                     std::to_string(index.get()));
  }
  Frame frame;
  input_.reader().read(index, frame);
  check_digits(layout_, frame);
  exclusions_.check(layout_, frame);
  frame.checksum = frame_checksum(layout_, frame);
  return frame;
}

void ReopenedRun::check_trajectory(const CountedRun& run) {
  std::vector<CountedFrame> ends;
  for (std::uint64_t b = run.begin; b < run.end; ++b) {
    for (const CountedFrame& frame : run.result->blocks[b].counted) {
      if (frame.checksum != 0) {
        ends.resize(std::min<std::size_t>(ends.size(), 1));
        ends.push_back(frame);
      }
    }
  }
  const auto is_same = [&](const CountedFrame& frame) {
    try {
      return read(frame.index).checksum == frame.checksum;
    } catch (const InputError&) {
      return false;
    }
  };
  if (!ends.empty() && std::none_of(ends.begin(), ends.end(), is_same)) {
    throw InputError(
        join(info().paths, ", ") + ": is not the trajectory that " + run.result->path +
        " counts, or has changed since (the positions, step or time of its frame " +
        std::to_string(ends.front().index.get()) +
        (ends.size() > 1
             ? " and of its frame " + std::to_string(ends.back().index.get())
             : "") +
        " differ): give the trajectory that was counted with --trajectory, or count "
        "again");
  }
}

}  // namespace starhist::driver
