#include <algorithm>
#include <optional>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/counting/frame_facts.hh"
#include "driver/commands/verify/compare_blocks.hh"
#include "driver/commands/verify/definition.hh"
#include "driver/commands/verify/reopened_run.hh"
#include "driver/commands/verify/verified_result.hh"
#include "driver/lags/particle_identity.hh"
#include "driver/options/neighbours/coordination_options.hh"

namespace starhist::driver {
namespace {

/// Sums over all recounted blocks.
struct ParticleSums {
  std::vector<FileOrder> order;                        ///< of the first frame, by shell
  std::vector<std::vector<std::uint64_t>> neighbours;  ///< by shell and particle
};

class NeighbourBlocks : public RunBlocks {
 public:
  NeighbourBlocks(const io::CoordinationResult& result, const CountedRun& run,
                  const RecordedRun& recorded, ParticleSums& sums)
      : result_(result),
        run_(run, recorded),
        no_pairs_(run_.layout()),
        identity_(run_.layout().species),
        sums_(sums) {
    no_pairs_.pairs.clear();
    for (const NeighbourShell& shell : result.shells) {
      shells_.push_back(shell);
      shells_.back().centre = species(shell.centre);
      shells_.back().neighbour = species(shell.neighbour);
      names_.push_back("pair " + shell_name(shell, result.file.layout.species) + ", ");
    }
    if (!result.particles.empty()) {
      follow(run_.read(result.file.blocks[run.begin].first_frame));
    }
  }

  ReopenedRun& run() override { return run_; }

  std::uint64_t compare(std::uint64_t number, Recount& /*recount*/,
                        Differences& differences) override {
    const BlockCounts& block = result_.file.blocks[number];
    Comparison comparison(number, differences);
    std::size_t place = place_of(number);
    BlockCounts recount = empty_block(no_pairs_, block.index);
    std::vector<NeighbourCounts> counts(shells_.size());
    BlockFrames frames(block, run_);
    for (; std::optional<Frame> frame = frames.next(); ++place) {
      add_frame(no_pairs_.region, facts_of(no_pairs_, {}, *frame), recount);
      count_frame(*frame, place, counts, comparison);
    }
    compare_frames(result_.file.layout, block, recount, run_.species(), comparison);
    for (std::size_t s = 0; s < shells_.size(); ++s) {
      const NeighbourCounts& own = result_.counts[number][s];
      const auto of = [](const NeighbourCounts& numbers, std::size_t n) {
        return n < numbers.size() ? numbers[n] : 0;
      };
      for (std::size_t n = 0; n < std::max(own.size(), counts[s].size()); ++n) {
        if (!comparison.is_equal(of(own, n), of(counts[s], n))) {
          comparison.add(names_[s] + "particles with " + counted(n, "neighbour"),
                         std::to_string(of(own, n)), std::to_string(of(counts[s], n)));
        }
      }
    }
    return comparison.numbers();
  }

 private:
  /// Number in the trajectory of a species of the result.
  SpeciesId species(SpeciesId of_result) const {
    return SpeciesId(static_cast<std::uint32_t>(run_.species()[of_result.index()]));
  }

  /// Gives all frames the order of particles of the first one.
  void follow(Frame first) {
    std::vector<FileOrder> order = first.order;
    identity_.sort(first);
    for (std::size_t s = 0; s < sums_.neighbours.size(); ++s) {
      if (sums_.neighbours[s].size() != first.particle_count(shells_[s].centre)) {
        throw InputError(
            result_.file.path +
            ": its runs do not count the same particles, so sums per "
            "particle have no meaning (the file was changed): count again");
      }
    }
    for (const NeighbourShell& shell : shells_) {
      if (sums_.neighbours.size() == shells_.size()) {
        break;  // an earlier run has made them
      }
      sums_.order.push_back(order.empty() ? FileOrder() : order[shell.centre.index()]);
      sums_.neighbours.emplace_back(first.particle_count(shell.centre));
    }
  }

  /// Place of a block's first frame among the frames of all blocks.
  std::size_t place_of(std::uint64_t block) const {
    std::size_t frames = 0;
    for (std::uint64_t b = 0; b < block; ++b) {
      frames += result_.file.blocks[b].counted.size();
    }
    return frames;
  }

  void count_frame(const Frame& frame, std::size_t place,
                   std::vector<NeighbourCounts>& counts, Comparison& comparison) {
    const std::string name = "frame " + std::to_string(frame.index.get()) + ", ";
    comparison.real(name + "time", result_.times[place], frame.time);
    for (std::size_t s = 0; s < shells_.size(); ++s) {
      const std::vector<std::uint32_t> neighbours =
          neighbours_by_definition(shells_[s], no_pairs_.exclusion, run_.info(), frame);
      const NeighbourCounts numbers = by_number(neighbours);
      add(numbers, counts[s]);
      if (!result_.particles.empty()) {
        add_by_particle(frame, s, neighbours);
      }
      if (result_.frames) {
        const std::size_t entry = place * shells_.size() + s;
        comparison.integer(name + names_[s] + "particles",
                           result_.frames->centres[entry], neighbours.size());
        comparison.integer(name + names_[s] + "neighbours",
                           result_.frames->neighbours[entry], neighbour_sum(numbers));
      }
    }
  }

  /// Adds numbers of neighbours to the sums, in the order of the first frame.
  void add_by_particle(const Frame& frame, std::size_t shell,
                       const std::vector<std::uint32_t>& neighbours) {
    Frame numbers;  // in place of x coordinates, which ParticleIdentity sorts
    numbers.index = frame.index;
    numbers.order = frame.order;
    for (const std::vector<double>& positions : frame.positions) {
      numbers.positions.emplace_back(positions.size());
    }
    std::vector<double>& own = numbers.positions[shells_[shell].centre.index()];
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      own[3 * i] = neighbours[i];
    }
    identity_.sort(numbers);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      sums_.neighbours[shell][i] += static_cast<std::uint64_t>(own[3 * i]);
    }
  }

  const io::CoordinationResult& result_;
  ReopenedRun run_;
  HistogramLayout no_pairs_;  ///< of blocks without pairs
  ParticleIdentity identity_;
  ParticleSums& sums_;
  std::vector<NeighbourShell> shells_;  ///< with the trajectory's species
  std::vector<std::string> names_;      ///< "pair O-H, ", by shell
};

class VerifiedNeighbours : public VerifiedResult {
 public:
  explicit VerifiedNeighbours(io::CoordinationResult result)
      : result_(std::move(result)) {
    // The run checks positions with the bins of its largest cut-off.
    for (const NeighbourShell& shell : result_.shells) {
      UniformBins& bins = result_.file.layout.bins;
      bins = bins.count == 0 || shell.bins.r_max > bins.r_max ? shell.bins : bins;
    }
  }

  const io::ResultFile& file() const override { return result_.file; }
  CountingCommand command() const override {
    return {{}, {"cutoff", "from"}, [](const std::vector<std::string>& words) {
              const auto options = parse_coordination_options(words, false);
              return options ? std::optional(options->run) : std::nullopt;
            }};
  }
  std::string contents() const override {
    return counted(result_.shells.size(), "pair");
  }
  std::string sum_rule() const override {
    return "particles by their number of neighbours = all particles: holds in " +
           counted(result_.file.blocks.size(), "block") + ", " + contents() + " each";
  }
  bool has_kernels() const override { return false; }
  std::uint64_t pairs(std::uint64_t block) const override {
    const BlockCounts& own = result_.file.blocks[block];
    double pairs = 0.0;
    for (const NeighbourShell& shell : result_.shells) {
      pairs += static_cast<double>(own.particle_number[shell.centre.index()]) *
               static_cast<double>(own.particle_number[shell.neighbour.index()]) /
               std::max(1U, own.frames);
    }
    return static_cast<std::uint64_t>(pairs);
  }
  std::uint64_t work(std::uint64_t block) const override { return pairs(block); }
  std::unique_ptr<RunBlocks> open(const std::vector<CountedRun>& runs, std::size_t run,
                                  const RecordedRun& recorded) override {
    return std::make_unique<NeighbourBlocks>(result_, runs[run], recorded, sums_);
  }

  std::string sums() const override {
    return result_.particles.empty() ? "" : "neighbours of each particle";
  }
  std::uint64_t compare_sums(Differences& differences) const override {
    Comparison comparison({}, differences);
    for (std::size_t s = 0; s < result_.particles.size(); ++s) {
      const io::ParticleNeighbours& own = result_.particles[s];
      const std::string name =
          sums() + ", pair " +
          shell_name(result_.shells[s], result_.file.layout.species) + ", ";
      comparison.integer(name + "particles", own.neighbours.size(),
                         sums_.neighbours[s].size());
      compare_each(name, "", own.neighbours, sums_.neighbours[s], comparison);
      compare_each(name, ", place in the file", own.order.row, sums_.order[s].row,
                   comparison);
      compare_each(name, ", id", own.order.id, sums_.order[s].id, comparison);
    }
    return comparison.numbers();
  }

 private:
  template <class Value>
  static void compare_each(const std::string& name, const std::string& what,
                           const std::vector<Value>& recorded,
                           const std::vector<Value>& recounted,
                           Comparison& comparison) {
    for (std::size_t i = 0; i < std::min(recorded.size(), recounted.size()); ++i) {
      comparison.integer(name + "particle " + std::to_string(i) + what,
                         static_cast<std::uint64_t>(recorded[i]),
                         static_cast<std::uint64_t>(recounted[i]));
    }
  }

  io::CoordinationResult result_;
  ParticleSums sums_;
};

}  // namespace

std::unique_ptr<VerifiedResult> verified_neighbours(io::CoordinationResult result) {
  return std::make_unique<VerifiedNeighbours>(std::move(result));
}

}  // namespace starhist::driver
