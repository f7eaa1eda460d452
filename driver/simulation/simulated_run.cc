#include "driver/simulation/simulated_run.hh"

#include <iomanip>
#include <istream>
#include <limits>
#include <ostream>

#include "codelets/core/base/error.hh"

namespace starhist::driver {
namespace {

/// Raise it whenever the lines of a run change.
constexpr std::uint32_t version_of_lines = 2;

[[noreturn]] void refuse_version() {
  throw InputError(
      "starhist and starhist-simulate are of different versions (build both from the "
      "same source: scripts/setup/build.sh simgrid)");
}

/// Writes and reads values, each on a separate line.
class Lines {
 public:
  explicit Lines(std::ostream& out) : out_(&out) {
    out << std::setprecision(std::numeric_limits<double>::max_digits10);
  }
  explicit Lines(std::istream& in) : in_(&in) {}

  template <class Number>
  void number(Number& value) {
    if (out_ != nullptr) {
      *out_ << value << '\n';
    } else {
      *in_ >> value;
      end_line();
    }
  }
  template <class Choice>
  void choice(Choice& value) {
    int index = static_cast<int>(value);
    number(index);
    value = static_cast<Choice>(index);
  }
  void text(std::string& value) {
    if (out_ != nullptr) {
      *out_ << value << '\n';
    } else {
      std::getline(*in_, value);
      check();
    }
  }
  /// Calls each(element) for all elements; reading first resizes the list to the stored
  /// number.
  template <class Element, class Each>
  void list(std::vector<Element>& elements, Each each) {
    std::uint64_t count = elements.size();
    number(count);
    elements.resize(count);
    for (Element& element : elements) {
      each(element);
    }
  }
  /// In binary form, because there can be millions.
  void doubles(std::vector<double>& values) {
    std::uint64_t count = values.size();
    number(count);
    values.resize(count);
    const auto bytes = static_cast<std::streamsize>(count * sizeof(double));
    if (out_ != nullptr) {
      out_->write(reinterpret_cast<const char*>(values.data()), bytes);
    } else {
      in_->read(reinterpret_cast<char*>(values.data()), bytes);
      check();
    }
  }

 private:
  void end_line() {
    check();
    in_->ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  void check() {
    if (!*in_) {
      refuse_version();
    }
  }

  std::ostream* out_ = nullptr;
  std::istream* in_ = nullptr;
};

void exchange(Lines& lines, Box& box) {
  std::array<Vec3, 3> edges = box.edges();
  std::array<bool, 3> periodic = box.periodic();
  auto plane = static_cast<std::uint32_t>(box.plane());
  lines.number(plane);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    lines.number(periodic[axis]);
    lines.number(edges[axis].x);
    lines.number(edges[axis].y);
    lines.number(edges[axis].z);
  }
  box = plane == 0 ? Box(edges, periodic)
                   : Box::in_plane(edges, static_cast<Plane>(plane));
}

void exchange(Lines& lines, SimulatedRun& run) {
  std::uint32_t version = version_of_lines;
  lines.number(version);
  if (version != version_of_lines) {
    refuse_version();
  }
  lines.list(run.layout.species, [&](std::string& name) { lines.text(name); });
  lines.list(run.layout.pairs, [&](SpeciesPair& pair) {
    std::uint32_t first = pair.first.get();
    std::uint32_t second = pair.second.get();
    lines.number(first);
    lines.number(second);
    pair = {SpeciesId(first), SpeciesId(second)};
  });
  lines.number(run.layout.bins.r_max);
  lines.number(run.layout.bins.inverse_width);
  lines.number(run.layout.bins.count);
  lines.number(run.layout.bins.below);
  lines.number(run.options.frames);
  lines.number(run.options.frames_per_block);
  lines.number(run.options.memory_bytes);
  lines.number(run.options.most_pairs_per_task);
  lines.choice(run.options.clusters);
  lines.choice(run.options.labels);
  lines.number(run.options.record_tasks);
  lines.number(run.ranks);
  lines.number(run.cpu_workers);
  lines.text(run.cpu_variant);
  lines.number(run.seconds_to_read_a_frame);
  lines.number(run.seconds_to_accept_a_frame);
  lines.number(run.seconds_to_start);
  lines.number(run.submission.task);
  lines.number(run.submission.sample);
  lines.number(run.submission.new_block);
  lines.number(run.submission.new_byte);
  lines.number(run.submission.copied_byte);
  lines.list(run.gpus, [&](perfmodels::GpuProperties& gpu) {
    lines.number(gpu.capability);
    lines.number(gpu.multiprocessors);
    lines.number(gpu.clock);
    lines.number(gpu.shared_bytes);
  });
  lines.text(run.trace);
  exchange(lines, run.frame.box);
  lines.list(run.frame.positions,
             [&](std::vector<double>& positions) { lines.doubles(positions); });
}

void exchange(Lines& lines, SimulatedResult& result) {
  lines.number(result.seconds);
  lines.number(result.pairs);
  lines.number(result.bytes_moved);
  lines.text(result.scheduler);
  lines.number(result.clustered);
  lines.number(result.frames_per_batch);
  lines.number(result.most_pairs_per_task);
  lines.number(result.most_pairs_per_gpu_task);
  lines.number(result.cpu_share);
  lines.number(result.measured);
  lines.number(result.estimated_pairs);
  lines.list(result.workers, [&](WorkerSummary& worker) {
    lines.text(worker.name);
    lines.number(worker.cuda);
    lines.number(worker.tasks);
    lines.number(worker.pairs);
    lines.number(worker.busy_seconds);
  });
}

template <class Value>
void write(std::ostream& out,
           Value value) {  // a copy: exchange() changes its argument
  Lines lines(out);
  exchange(lines, value);
}

template <class Value>
Value read(std::istream& in) {
  Value value;
  Lines lines(in);
  exchange(lines, value);
  return value;
}

}  // namespace

void write_run(std::ostream& out, const SimulatedRun& run) {
  write(out, run);
}

SimulatedRun read_run(std::istream& in) {
  return read<SimulatedRun>(in);
}

void write_result(std::ostream& out, const SimulatedResult& result) {
  write(out, result);
}

SimulatedResult read_result(std::istream& in) {
  return read<SimulatedResult>(in);
}

}  // namespace starhist::driver
