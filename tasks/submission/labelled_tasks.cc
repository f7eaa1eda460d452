#include "tasks/submission/labelled_tasks.hh"

#include <algorithm>

#include "codelets/labelled/count_labelled_pairs_codelet.hh"
#include "codelets/task_args.hh"
#include "tasks/submission/submit_task.hh"

namespace starhist::tasks {

LabelledPositions take_labelled_positions(const std::vector<Frame>& frames,
                                          const LabelledPairs& labels,
                                          PinnedPool& memory) {
  LabelledPositions batch;
  batch.label_begin.reserve(frames.size() * (labels.species.size() + 1));
  std::uint64_t particles = 0;
  for (const Frame& frame : frames) {
    codelets::LabelledFrame place;
    place.image = frame.box.minimum_image();
    place.offset = particles;
    batch.label_begin.push_back(0);
    for (const SpeciesId species : labels.species) {
      place.count += frame.particle_count(species);
      batch.label_begin.push_back(static_cast<std::uint32_t>(place.count));
    }
    particles += place.count;
    batch.frames.push_back(place);
  }
  for (std::size_t f = 0; f < frames.size(); ++f) {
    batch.frames[f].label_begin =
        batch.label_begin.data() + f * (labels.species.size() + 1);
  }
  batch.memory = memory.take(3 * particles * sizeof(double));
  auto* next = batch.memory->data<double>();
  for (const Frame& frame : frames) {
    for (const SpeciesId species : labels.species) {
      const auto& positions = frame.positions[species.index()];
      next = std::copy(positions.begin(), positions.end(), next);
    }
  }
  batch.handle = make_vector_handle(batch.memory->data<double>(), 3 * particles);
  return batch;
}

void LabelledTasks::submit(std::size_t group, std::uint64_t pairs, int priority,
                           PendingBlock& block, SubmittedBatch& batch) const {
  const LabelledPositions& positions = *batch.labelled();
  codelets::CountLabelledPairsArgs args;
  args.group = &labels_.groups[group];
  args.pairs = pairs;
  args.bins = layout_.bins.from_zero();
  args.threads = threads_;
  args.status = &status_;
  starpu_task* task = starpu_task_create();
  task->cl = codelets::count_labelled_pairs_codelet();
  task->name = "small species";
  codelets::set_task_args(*task, args, positions.frames);
  task->handles[0] = positions.handle.get();
  task->handles[1] = block.labelled_handle(group);
  task->priority = priority;
  batch.watch_labelled(*task);
  submit_task(task, "submit the counting of small species");
}

}  // namespace starhist::tasks
