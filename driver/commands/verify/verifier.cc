#include "driver/commands/verify/verifier.hh"

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "codelets/core/base/text.hh"
#include "driver/commands/verify/definition.hh"

namespace starhist::driver {
namespace {

/// All blocks, in random order. The order depends on number and seed only.
std::vector<std::uint64_t> random_order(std::uint64_t blocks, std::uint64_t seed) {
  std::vector<std::uint64_t> order(blocks);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937_64 random(seed);
  for (std::uint64_t k = blocks; k > 1; --k) {
    std::swap(order[k - 1], order[random() % k]);
  }
  return order;
}

template <class Value>
void add_unless_known(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) {
    values.push_back(value);
  }
}

std::string counted_by(const CountedRun& run) {
  const std::string variant = run.recorded("cpu variant");
  std::string text = "starhist " + run.recorded("version") +
                     (variant.empty() ? "" : ", kernel " + variant);
  for (const auto& [name, value] : run.record) {
    text += name.starts_with("GPU ") ? ", " + value : "";
  }
  return text;
}

class Verifier {
 public:
  Verifier(VerifiedResult& result, const std::vector<CountedRun>& runs,
           const std::vector<RecordedRun>& recorded, const Sample& sample)
      : result_(result),
        blocks_(result.file().blocks),
        runs_(runs),
        recorded_(recorded),
        sample_(sample),
        order_(random_order(blocks_.size(), sample.seed)) {
    order_.resize(
        std::min<std::uint64_t>(order_.size(), sample.blocks.value_or(order_.size())));
    if (!sample.seconds) {  // all of them are recounted: frames are read once, in order
      std::sort(order_.begin(), order_.end());
    }
  }

  Verification verify(Recounter wanted) {
    describe();
    found_.distribution_values = result_.compare_distributions(found_.differences);
    Recount recount(chosen(wanted), result_.file().layout, runs_);
    found_.method = recount.method();
    const auto start = std::chrono::steady_clock::now();
    double work = 0.0;  // of the blocks recounted so far
    for (const std::uint64_t block : order_) {
      const double elapsed = seconds_since(start);
      const double expected =
          work > 0.0 ? elapsed * (work + work_of(block)) / work : elapsed;
      if (sample_.seconds && !found_.sample.empty() && expected > *sample_.seconds) {
        break;
      }
      add_block(block, recount);
      work += work_of(block);
    }
    compare_sums();
    found_.seconds = seconds_since(start);
    return std::move(found_);
  }

 private:
  double work_of(std::uint64_t block) const {
    return static_cast<double>(result_.work(block));
  }

  void describe() {
    const io::ResultFile& file = result_.file();
    found_.result = file.path;
    found_.id = io::value_of(file.record, io::result_id).value_or("");
    found_.partial = file.state == io::ResultState::partial;
    found_.blocks = blocks_.size();
    for (const BlockCounts& block : blocks_) {
      found_.frames += block.frames;
    }
    found_.contents = result_.contents();
    found_.sum_rule = result_.sum_rule();
    found_.seed = sample_.seed;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      add_unless_known(found_.counted_by, counted_by(runs_[k]));
      for (const ComparedFile& file_of_run : recorded_[k].trajectories) {
        add_unless_known(found_.trajectories,
                         std::pair{file_of_run.path, file_of_run.state});
      }
    }
  }

  /// Compares sums over all blocks if all have been recounted.
  void compare_sums() {
    if (result_.sums().empty()) {
      return;
    }
    const bool all = recounted_ == blocks_.size();
    found_.sums =
        result_.sums() + (all ? ", compared" : ", not compared (--blocks all)");
    if (all) {
      found_.numbers += result_.compare_sums(found_.differences);
    }
  }

  std::size_t run_of(std::uint64_t block) const {
    const auto found = std::find_if(
        runs_.begin(), runs_.end(),
        [&](const CountedRun& run) { return block >= run.begin && block < run.end; });
    return static_cast<std::size_t>(found - runs_.begin());
  }

  /// The trajectory of a run. Few stay open, because a result may have thousands.
  RunBlocks& opened(std::size_t run) {
    constexpr std::size_t most_open = 16;
    auto found = opened_.find(run);
    if (found == opened_.end()) {
      if (opened_.size() == most_open) {
        opened_.clear();
      }
      found = opened_.emplace(run, result_.open(runs_, run, recorded_[run])).first;
    }
    return *found->second;
  }

  /// Chooses the recounter if the user has not, and reports a recount that takes longer
  /// than the time limit.
  Recounter chosen(Recounter wanted) {
    const bool other = wanted == Recounter::cpu || wanted == Recounter::gpu;
    if (other && result_.has_kernels()) {
      return wanted;
    }
    if (other) {
      throw InputError(std::string("--with ") +
                       (wanted == Recounter::cpu ? "cpu" : "gpu") + ": " +
                       result_.file().path +
                       " counts neighbours, which only the definition recounts: omit "
                       "--with");
    }
    const std::uint64_t first = order_.front();
    ReopenedRun& run = opened(run_of(first)).run();
    double speed = 0.0;
    try {
      speed = definition_speed(run.layout().pairs, run.layout().bins,
                               run.read(blocks_[first].first_frame));
    } catch (const InputError&) {
      return Recounter::definition;  // the recount reports the unusable frame
    }
    constexpr double usual_limit = 60.0;
    const double limit = sample_.seconds.value_or(usual_limit);
    double work = work_of(first);
    if (!sample_.seconds) {
      work = std::accumulate(
          order_.begin(), order_.end(), 0.0,
          [&](double sum, std::uint64_t block) { return sum + work_of(block); });
    }
    if (speed == 0.0 || work <= limit * speed) {
      return Recounter::definition;
    }
    const bool can_be_faster = result_.has_kernels() && has_other_variant(runs_);
    if (wanted == Recounter::automatic && can_be_faster) {
      return Recounter::cpu;
    }
    std::cerr << "starhist: with the definition "
              << (sample_.seconds ? "one block takes" : "these blocks take")
              << " about " << grouped(static_cast<std::uint64_t>(work / speed)) << " s"
              << (can_be_faster ? " (--with cpu is faster)" : "") << '\n';
    return Recounter::definition;
  }

  void add_block(std::uint64_t number, Recount& recount) {
    const BlockCounts& block = blocks_[number];
    found_.sample.insert(number);
    found_.frames_read += block.frames;
    found_.pairs += result_.pairs(number);
    found_.without_checksum += static_cast<std::uint64_t>(
        std::count_if(block.counted.begin(), block.counted.end(),
                      [](const CountedFrame& frame) { return frame.checksum == 0; }));
    RunBlocks& run = opened(run_of(number));
    try {
      found_.numbers += run.compare(number, recount, found_.differences);
      ++recounted_;
    } catch (const InputError& error) {
      found_.differences.add({number, "frames", "counted", error.what()});
    }
  }

  VerifiedResult& result_;
  const std::vector<BlockCounts>& blocks_;
  const std::vector<CountedRun>& runs_;
  const std::vector<RecordedRun>& recorded_;
  const Sample sample_;
  std::vector<std::uint64_t> order_;  ///< blocks to recount
  std::uint64_t recounted_ = 0;       ///< number of blocks whose frames could be used
  std::map<std::size_t, std::unique_ptr<RunBlocks>> opened_;
  Verification found_;
};

}  // namespace

Verification verify(VerifiedResult& result, const std::vector<CountedRun>& runs,
                    const std::vector<RecordedRun>& recorded, const Sample& sample,
                    Recounter recounter) {
  return Verifier(result, runs, recorded, sample).verify(recounter);
}

}  // namespace starhist::driver
