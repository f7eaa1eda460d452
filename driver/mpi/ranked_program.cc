#include "driver/mpi/ranked_program.hh"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>

#include "codelets/core/base/error.hh"
#include "driver/commands/rdf_reports.hh"
#include "driver/commands/starpu_defaults.hh"
#include "driver/mpi/agreement.hh"
#include "driver/mpi/rank_service.hh"
#include "driver/ranks/host_share.hh"
#include "driver/ranks/packing.hh"
#include "driver/ranks/rank_link.hh"
#include "driver/report/abort_message.hh"
#include "driver/run/version.hh"

namespace starhist::driver {

STARHIST_FIELDS(RankPlace, host, processors, visible_gpus, gpus)
STARHIST_FIELDS(HostShare, number, ranks, processors, visible_gpus)

namespace {

template <class T>
std::string packed_text(T value) {
  Packer packer;
  packer(value);
  return {packer.bytes.begin(), packer.bytes.end()};
}

template <class T>
T unpacked_text(const std::string& text) {
  const std::vector<char> bytes(text.begin(), text.end());
  Unpacker unpacker(bytes);
  T value;
  unpacker(value);
  return value;
}

/// This rank's share of its host, from the resources of all ranks. Called by all ranks.
HostShare share_of_host(Communicator& ranks) {
  const std::vector<std::string> texts = ranks.gather(
      packed_text(own_place(static_cast<std::uint32_t>(ranks.first_rank_on_host()))));
  std::vector<RankPlace> places;
  for (const std::string& text : texts) {
    places.push_back(unpacked_text<RankPlace>(text));
  }
  std::vector<std::string> shares;
  for (const HostShare& share : share_hosts(places)) {
    shares.push_back(packed_text(share));
  }
  return unpacked_text<HostShare>(ranks.scatter(shares));
}

/// Input, options and version as lines, for comparison with other ranks.
std::string identity_text(const TrajectoryRun& run) {
  std::ostringstream text;
  for (const auto& [name, value] : run.identity()) {
    if (name != "ranks") {
      text << name << ": " << value << '\n';
    }
  }
  for (const std::string& species : run.run().layout.species) {
    text << "species: " << species << '\n';
  }
  text << "frames: " << run.info().frame_count << '\n';
  text.precision(17);
  text << "r_max: " << run.run().layout.bins.r_max << '\n';
  return text.str();
}

std::string text_of(const Beginning& beginning) {
  return std::to_string(beginning.number) + " " + std::to_string(beginning.end) + " " +
         std::to_string(beginning.first);
}

Beginning beginning_of(const std::string& text) {
  Beginning beginning;
  std::istringstream stream(text);
  stream >> beginning.number >> beginning.end >> beginning.first;
  return beginning;
}

}  // namespace

std::string ranks_text(const Communicator& ranks) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (std::find(hosts.begin(), hosts.end(), ranks.host_of(rank)) == hosts.end()) {
      hosts.push_back(ranks.host_of(rank));
    }
  }
  std::string text = std::to_string(ranks.size()) + " on " +
                     std::to_string(hosts.size()) +
                     (hosts.size() == 1 ? " host:" : " hosts:");
  for (const std::string& host : hosts) {
    text += " " + host;
  }
  return text;
}

RankedProgram::RankedProgram(Communicator& ranks, StopSignals& signals,
                             std::string command, std::vector<std::string> arguments)
    : ranks_(ranks),
      signals_(signals),
      command_(std::move(command)),
      arguments_(std::move(arguments)) {}

std::string RankedProgram::how_to_go_on(bool replaces) const {
  const std::string program = as_invoked("starhist-mpi");
  if (ranks_.size() == 1) {
    return driver::how_to_go_on(program, arguments_, replaces, command_);
  }
  std::string text =
      driver::how_to_go_on("mpirun -n " + std::to_string(ranks_.size()) + " " + program,
                           arguments_, replaces, command_);
  const std::string before = "to resume, run";
  if (text.starts_with(before)) {
    text.insert(before.size(), " with the options of your mpirun");  // unknown here
  }
  return text;
}

/// Up to the end of this function all ranks learn of each other's errors.
void RankedProgram::open() {
  agree_on(ranks_, version(), "the version of starhist",
           "start the same program on all hosts");
  agree(ranks_, [this] { options_ = parse(leads()); });
  complete_options();
  std::error_code ignored;
  if (leads() && options_->overwrite &&
      std::filesystem::exists(options_->output, ignored)) {
    go_on_ = how_to_go_on(true);
    set_last_words(nullptr);
  }
  const HostShare share = share_of_host(ranks_);
  take_share(share);
  options_->processes_on_host = share.ranks;
  if (leads()) {
    options_->as_written.emplace_back("ranks", ranks_text(ranks_));
  } else {
    options_->resume = false;
  }
  agree_on_block_length();
  agree(ranks_, [this] {
    run_ = std::make_unique<TrajectoryRun>(*options_);
    check();
    if (run_->info().stream) {
      throw InputError(run_->info().paths.front() +
                       ": frames of a running simulation arrive only once, in one "
                       "process (count them with starhist rdf)");
    }
  });
  agree_on(ranks_, identity_text(*run_), "the run",
           "give all ranks the same files and options");
  agree(ranks_, [this] { set_starpu_defaults(options_->cpu_mode); });
}

/// Only rank 0 has the files of the run that is resumed.
void RankedProgram::agree_on_block_length() {
  std::uint32_t length = 0;
  agree(ranks_, [&] {
    if (leads() && options_->resume && options_->choose_block_length) {
      length = resumed_block_length(options_->output, options_->overwrite);
    }
  });
  options_->resumed_block_length =
      static_cast<std::uint32_t>(std::stoul(ranks_.broadcast(std::to_string(length))));
}

void RankedProgram::find_first_frame() {
  const tasks::CountingOptions& options = run_->run().options;
  agree(ranks_, [&] {
    if (leads() && options.frames > 0) {
      first_ = run_->first_frame();
      check_first();
      beginning_ = {options.first_number, options.first_number + options.frames,
                    first_.index.get()};
    }
  });
  beginning_ = beginning_of(ranks_.broadcast(text_of(beginning_)));
  agree(ranks_, [&] {
    if (!leads() && beginning_.end > beginning_.number) {
      run_->read(FrameIndex(beginning_.first), first_);
    }
  });
}

RankWork RankedProgram::work_of(RankWork work) const {
  work.rank = static_cast<std::uint32_t>(ranks_.rank());
  work.host = ranks_.host();
  try {
    run_->check_unchanged();
  } catch (const RunError& error) {
    work.changed_file = error.what();
  }
  return work;
}

RankedCounts RankedProgram::lead(Coordinator coordinator, const RunHooks& hooks,
                                 std::uint64_t expected_pairs,
                                 const UnitCounter& count) {
  LocalLink link;
  const auto ended_ranks =
      std::make_shared<EndedRanks>(static_cast<std::uint32_t>(ranks_.size()));
  set_last_words(ended_ranks);
  std::optional<RankService> service;
  or_abort(ranks_, [&] {
    ranks_.broadcast(to_begin);
    service.emplace(
        ranks_, link, std::move(coordinator), hooks, expected_pairs, *ended_ranks,
        [this](const std::string& why) { ranks_.abort(why, ExitCode::failure); });
    link.send(work_of(count(link)));
    stream_.reset();  // its reader is needed again
  });
  service->join();
  const Coordinator& ended = service->coordinator();
  signal_ = ended.signal();
  RankedCounts counts{ended.work(), {}, ended.stopped()};
  for (const LeftOutFrame& frame : ended.assembly().left_out()) {
    counts.left_out.push_back(frame.why);
  }
  for (const RankWork& work : counts.work) {
    if (!work.changed_file.empty()) {
      throw RunError("rank " + std::to_string(work.rank) + " on " + work.host + ": " +
                     work.changed_file);
    }
  }
  if (!ended.bad_frame().empty()) {
    throw InputError(ended.bad_frame());
  }
  return counts;
}

ExitCode RankedProgram::follow(const UnitCounter& count) {
  const AbortMessage last_words(ranks_.name_of(ranks_.rank()) +
                                ": the run was aborted (memory may have run out, or a "
                                "GPU may have failed: see the lines above)");
  return or_abort(ranks_, [&] {
    if (ranks_.broadcast() == to_begin) {
      MpiLink link(ranks_);
      link.send(work_of(count(link)));
      signals_.disarm();   // nothing is left to stop
      ranks_.broadcast();  // the result is written meanwhile
    }
    return ExitCode::done;
  });
}

void RankedProgram::tell_end() {
  ranks_.broadcast(to_end);
  ranks_.set_agreed_end();
}

void RankedProgram::set_last_words(const std::shared_ptr<const EndedRanks>& ended) {
  std::vector<std::string> names;
  for (int rank = 0; ended != nullptr && rank < ranks_.size(); ++rank) {
    names.push_back(ranks_.name_of(rank));
  }
  signals_.set_last_words([=, go_on = go_on_, leads = leads()] {
    if (!leads) {
      return;
    }
    std::string where = ended == nullptr ? "before the first frame" : "";
    for (const std::size_t rank :
         ended ? ended->missing() : std::vector<std::size_t>()) {
      where += (where.empty() ? "within a frame of " : ", ") + names[rank];
    }
    std::cerr << "starhist: stopped " << (where.empty() ? "while saving counts" : where)
              << "; earlier results are saved; " << go_on << std::endl;
  });
}

ExitCode RankedProgram::run_agreed() {
  set_last_words(nullptr);
  open();
  if (ranks_.broadcast(leads() && is_finished(*run_) ? to_end : to_begin) == to_end) {
    ranks_.set_agreed_end();  // the others have finished
    return leads() ? report_finished(*options_, *run_) : ExitCode::done;
  }
  return go();
}

ExitCode RankedProgram::run() {
  try {
    return run_agreed();
  } catch (const AgreedEnd&) {
    return ExitCode::done;  // rank 0 has the exit code
  } catch (const std::exception& error) {
    if (ranks_.rank() == 0 && ranks_.has_agreed_end()) {
      throw;
    }
    ranks_.abort(error_text(error), ExitCode::failure);
  }
}

}  // namespace starhist::driver
