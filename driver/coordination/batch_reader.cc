#include "driver/coordination/batch_reader.hh"

#include "codelets/core/base/decimal_text.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/geometry/flat_positions.hh"
#include "driver/run/run_checks.hh"

namespace starhist::driver {
namespace {

/// Particles of a batch per thread, some milliseconds of work.
constexpr std::uint64_t particles_per_thread = 40'000;
constexpr std::uint64_t most_frames = 1024;  // of a batch

/// Throws InputError if several images of a particle could be within a cut-off.
void check_cutoffs(const std::vector<NeighbourShell>& shells,
                   const HistogramLayout& layout, const Frame& frame) {
  const double half = frame.box.inscribed_radius();
  const Plane plane = two_dimensional(frame.box, frame.positions);
  for (const NeighbourShell& shell : shells) {
    if (shell.cutoff() > half * (1.0 + 1e-6)) {
      throw InputError(
          "--cutoff " + decimal_text(shell.cutoff()) + " of " +
          shell_name(shell, layout.species) + " exceeds " + rounded_text(half) +
          unit_suffix(layout.length_unit) +
          ", half the shortest lattice vector of frame " +
          std::to_string(frame.index.get()) +
          " (a particle may have several images within it, of which one would be "
          "counted): " +
          (plane == Plane::none
               ? "choose a smaller cut-off in the file's length unit, or a larger --box"
               : "the particles lie in the plane " + to_string(plane) + ": open the " +
                     "third axis with --open " + "xyz"[normal_axis(plane)]));
    }
  }
}

}  // namespace

bool BatchReader::read(std::vector<Frame>& frames) {
  std::uint64_t particles = 0;
  while (frames.size() < most_frames &&
         (frames.size() < threads_ || particles < threads_ * particles_per_thread)) {
    std::optional<Frame> frame = source_->next();
    if (!frame) {
      return false;
    }
    check(*frame);
    particles += frame->particle_count();
    frames.push_back(*std::move(frame));
  }
  return true;
}

void BatchReader::check(Frame& frame) {
  if (!first_) {
    first_.emplace();
    first_->index = frame.index;
    first_->box = frame.box;
  }
  const HistogramLayout& layout = run_.run().layout;
  check_same_periodicity(*first_, frame);
  check_cutoffs(spec_.shells, layout, frame);
  run_.run().exclusions.check(layout, frame);
  if (spec_.per_particle) {
    identity_.sort(frame);
  }
}

}  // namespace starhist::driver
