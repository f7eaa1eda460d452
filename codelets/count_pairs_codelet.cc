#include "codelets/count_pairs_codelet.hh"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>

#include "codelets/core/error.hh"
#include "codelets/kernels/cpu/count_pairs.hh"

namespace starhist {
namespace {

const double* positions_of(void* buffer) {
  return reinterpret_cast<const double*>(STARPU_VECTOR_GET_PTR(buffer));
}

std::vector<PairBlock> blocks_of(void* buffers[], const CountPairsArgs& args) {
  const double* first = positions_of(buffers[0]);
  const double* second = args.kind == PairKind::like ? first : positions_of(buffers[1]);
  std::vector<PairBlock> blocks;
  blocks.reserve(args.part_count);
  for (const FramePart& part : args.parts()) {
    PairBlock block;
    block.first = {first + 3 * part.first_offset, part.first_count};
    block.second = {second + 3 * part.second_offset, part.second_count};
    block.like = args.kind == PairKind::like;
    block.row_begin = part.row_begin;
    block.row_end = part.row_end;
    block.image = &part.image;
    block.bins = &args.bins;
    blocks.push_back(block);
  }
  return blocks;
}

void count_on_cpu(void* buffers[], void* cl_arg) noexcept {
  const auto& args = *static_cast<const CountPairsArgs*>(cl_arg);
  if (args.status->stopped()) {
    return;
  }
  try {
    const auto start = std::chrono::steady_clock::now();
    const auto blocks = blocks_of(buffers, args);
    void* counts = buffers[args.kind == PairKind::like ? 1 : 2];
    const std::uint64_t counted = cpu::count_pairs(
        blocks, args.threads,
        reinterpret_cast<std::uint64_t*>(STARPU_VECTOR_GET_PTR(counts)));
    if (counted != args.size.pairs) {
      throw InternalError("a task counted " + std::to_string(counted) + " of " +
                          std::to_string(args.size.pairs) + " pairs");
    }
    WorkerLoad& load =
        args.status->loads()[static_cast<std::size_t>(starpu_worker_get_id_check())];
    const std::chrono::nanoseconds busy = std::chrono::steady_clock::now() - start;
    load.tasks += 1;
    load.pairs += counted;
    load.busy_nanoseconds += static_cast<std::uint64_t>(busy.count());
  } catch (...) {
    args.status->fail(std::current_exception());
  }
}

const char* codelet_name(PairKind kind) {
  return kind == PairKind::like ? "count_like_pairs" : "count_unlike_pairs";
}

}  // namespace

CountPairsArgs* make_count_pairs_args(const CountPairsArgs& args,
                                      std::span<const FramePart> parts) {
  void* memory = std::malloc(sizeof(CountPairsArgs) + parts.size_bytes());
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  auto* copy = new (memory) CountPairsArgs(args);
  copy->part_count = static_cast<std::uint32_t>(parts.size());
  std::memcpy(static_cast<void*>(copy + 1), parts.data(), parts.size_bytes());
  return copy;
}

CountPairsCodelet::CountPairsCodelet(PairKind kind, BoxKind box,
                                     const std::string& cpu_variant, int threads)
    : model_(kind, box, cpu_variant, threads) {
  starpu_codelet_init(&codelet_);
  codelet_.name = codelet_name(kind);
  codelet_.model = model_.get();
  codelet_.cpu_funcs[0] = count_on_cpu;
  codelet_.nbuffers = kind == PairKind::like ? 2 : 3;
  for (int buffer = 0; buffer < codelet_.nbuffers - 1; ++buffer) {
    codelet_.modes[buffer] = STARPU_R;
  }
  codelet_.modes[codelet_.nbuffers - 1] = STARPU_REDUX;
}

}  // namespace starhist
