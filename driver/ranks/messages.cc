#include "driver/ranks/messages.hh"

#include "driver/ranks/packing.hh"

namespace starhist::driver {

STARHIST_FIELDS(RowPart, number, count)
STARHIST_FIELDS(WorkUnit, number, begin, end, rows)
STARHIST_FIELDS(LeftOutFrame, number, why)
STARHIST_FIELDS(FrameFacts, index, step, time, box, period, checksum, particle_number,
                pairs, excluded, work)
STARHIST_FIELDS(UnitCounts, unit, end, frames, left_out, counts, underflow,
                out_of_range, second, block)
STARHIST_FIELDS(BadFrame, unit, message)
STARHIST_FIELDS(StopRequest, signal)
STARHIST_FIELDS(Pulse, pairs)
STARHIST_FIELDS(codelets::TaskRecord, name, worker, pairs, frames, start, end,
                predicted)
STARHIST_FIELDS(codelets::RunStatus::Predictions, tasks, error, absolute_error, seconds,
                absolute_seconds)
STARHIST_FIELDS(LagTimes, shortest, longest)
STARHIST_FIELDS(LongSteps, count, first_frame)

template <class Archive>
void fields(Archive& archive, Jumps& jumps) {
  auto& [axes, steps, particles] = jumps;
  for (Jumps::Axis& axis : axes) {
    archive(axis.jumps, axis.between);
  }
  archive(steps, particles);
}

STARHIST_FIELDS(LagNotes, boxes_differ, periodic, times, steps, long_steps, jumps,
                has_ids)
STARHIST_FIELDS(MeasuredExtents, frames, sum, smallest, largest, particles)

template <class Archive>
void fields(Archive& archive, RunResult& result) {
  archive(result.frames, result.pairs, result.skipped_pairs, result.repeated_tasks,
          result.bytes_moved, result.count_seconds, result.cancelled,
          result.predictions, result.workers, result.tasks, result.lags,
          result.extents);
}

STARHIST_FIELDS(RankWork, rank, host, units, result, waited_for_work,
                waited_for_reading, changed_file)

template <class Archive>
void fields(Archive&, NoMoreUnits&) {}
template <class Archive>
void fields(Archive&, StopNow&) {}

namespace {

/// Packs the index of the alternative, then its fields.
template <class Message>
std::vector<char> pack(const Message& message) {
  Packer packer;
  Message copy = message;
  auto kind = static_cast<std::uint8_t>(message.index());
  packer(kind);
  std::visit([&](auto& content) { fields(packer, content); }, copy);
  return std::move(packer.bytes);
}

template <class Message, std::size_t... Kinds>
Message unpack(const std::vector<char>& bytes, std::index_sequence<Kinds...>) {
  Unpacker unpacker(bytes);
  std::uint8_t kind = 0;
  unpacker(kind);
  Message message;
  const auto take = [&]<std::size_t K>() {
    fields(unpacker, message.template emplace<K>());
  };
  if (!((kind == Kinds && (take.template operator()<Kinds>(), true)) || ...)) {
    throw InternalError("a message between ranks is of an unknown kind");
  }
  return message;
}

template <class Message>
Message unpack(const std::vector<char>& bytes) {
  return unpack<Message>(bytes,
                         std::make_index_sequence<std::variant_size_v<Message>>());
}

}  // namespace

std::vector<char> packed(const FromRank& message) {
  return pack(message);
}

std::vector<char> packed(const ToRank& message) {
  return pack(message);
}

FromRank unpacked_from_rank(const std::vector<char>& bytes) {
  return unpack<FromRank>(bytes);
}

ToRank unpacked_to_rank(const std::vector<char>& bytes) {
  return unpack<ToRank>(bytes);
}

}  // namespace starhist::driver
