#include "tasks/submission/position_sorting.hh"

#include "codelets/sort_positions_codelet.hh"
#include "codelets/task_args.hh"
#include "tasks/submission/submit_task.hh"

namespace starhist::tasks {
namespace {

/// The particles of `species`, frame by frame.
std::vector<codelets::SortSlice> slices_of(const std::vector<Frame>& frames,
                                           const BatchPositions& batch,
                                           SpeciesId species) {
  std::vector<codelets::SortSlice> slices;
  std::uint64_t offset = 0;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    codelets::SortSlice slice;
    slice.image = frames[f].box.minimum_image();
    slice.offset = offset;
    slice.count = frames[f].particle_count(species);
    if (!batch.bounds.empty()) {
      slice.bounds = batch.bounds[f][species.index()];
      slice.density_contrast = batch.density_contrasts[species.index()];
    }
    slices.push_back(slice);
    offset += slice.count;
  }
  return slices;
}

}  // namespace

DataHandle submit_sorting(const std::vector<Frame>& frames, const BatchPositions& batch,
                          SpeciesId species, const codelets::GpuScratch* scratch,
                          std::vector<std::uint32_t>* workers,
                          codelets::RunStatus& status) {
  const DataHandle& positions = batch.handles[species.index()];
  if (positions.get() == nullptr) {
    return {};
  }
  const std::vector<codelets::SortSlice> slices = slices_of(frames, batch, species);
  DataHandle sorted =
      make_vector_handle<double>(3 * (slices.back().offset + slices.back().count));
  starpu_task* task = starpu_task_create();
  task->cl = codelets::sort_positions_codelet();
  task->where = scratch != nullptr ? STARPU_CUDA : STARPU_CPU;
  restrict_to(workers, *task);
  codelets::SortPositionsArgs args;
  args.status = &status;
  args.scratch = scratch;
  codelets::set_task_args(*task, args, slices);
  task->handles[0] = positions.get();
  task->handles[1] = sorted.get();
  submit_task(task, "submit the sorting of positions");
  return sorted;
}

}  // namespace starhist::tasks
