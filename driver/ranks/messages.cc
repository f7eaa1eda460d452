#include "driver/ranks/messages.hh"

#include "driver/ranks/packing.hh"

namespace starhist::driver {
// Functions fields() of packing.hh.

template <class Archive>
void fields(Archive& archive, RowPart& part) {
  auto& [number, count] = part;
  archive(number, count);
}

template <class Archive>
void fields(Archive& archive, WorkUnit& unit) {
  auto& [number, begin, end, rows] = unit;
  archive(number, begin, end, rows);
}

template <class Archive>
void fields(Archive& archive, LeftOutFrame& frame) {
  auto& [number, why] = frame;
  archive(number, why);
}

template <class Archive>
void fields(Archive& archive, FrameFacts& frame) {
  auto& [index, step, time, box, period, checksum, particle_number, pairs, excluded,
         work] = frame;
  archive(index, step, time, box, period, checksum, particle_number, pairs, excluded,
          work);
}

template <class Archive>
void fields(Archive& archive, UnitCounts& unit_counts) {
  auto& [unit, end, frames, left_out, counts, underflow, out_of_range, second, block] =
      unit_counts;
  archive(unit, end, frames, left_out, counts, underflow, out_of_range, second, block);
}

template <class Archive>
void fields(Archive& archive, BadFrame& bad) {
  auto& [unit, message] = bad;
  archive(unit, message);
}

template <class Archive>
void fields(Archive& archive, StopRequest& request) {
  auto& [signal] = request;
  archive(signal);
}

template <class Archive>
void fields(Archive& archive, Pulse& pulse) {
  auto& [pairs] = pulse;
  archive(pairs);
}

template <class Archive>
void fields(Archive& archive, codelets::TaskRecord& task) {
  auto& [name, worker, pairs, frames, start, end, predicted] = task;
  archive(name, worker, pairs, frames, start, end, predicted);
}

template <class Archive>
void fields(Archive& archive, codelets::RunStatus::Predictions& predictions) {
  auto& [tasks, error, absolute_error, seconds, absolute_seconds] = predictions;
  archive(tasks, error, absolute_error, seconds, absolute_seconds);
}

template <class Archive>
void fields(Archive& archive, LagTimes& times) {
  auto& [shortest, longest] = times;
  archive(shortest, longest);
}

template <class Archive>
void fields(Archive& archive, LongSteps& steps) {
  auto& [count, first_frame] = steps;
  archive(count, first_frame);
}

template <class Archive>
void fields(Archive& archive, Jumps& jumps) {
  auto& [axes, steps, particles] = jumps;
  for (Jumps::Axis& axis : axes) {
    archive(axis.jumps, axis.between);
  }
  archive(steps, particles);
}

template <class Archive>
void fields(Archive& archive, LagNotes& notes) {
  auto& [boxes_differ, periodic, times, steps, long_steps, jumps, has_ids] = notes;
  archive(boxes_differ, periodic, times, steps, long_steps, jumps, has_ids);
}

template <class Archive>
void fields(Archive& archive, MeasuredExtents& extents) {
  auto& [frames, sum, smallest, largest, particles] = extents;
  archive(frames, sum, smallest, largest, particles);
}

template <class Archive>
void fields(Archive& archive, RunResult& result) {
  archive(result.frames, result.pairs, result.skipped_pairs, result.repeated_tasks,
          result.bytes_moved, result.count_seconds, result.cancelled,
          result.predictions, result.workers, result.tasks, result.lags,
          result.extents);
}

template <class Archive>
void fields(Archive& archive, RankWork& work) {
  auto& [rank, host, units, result, waited_for_work, waited_for_reading, changed_file] =
      work;
  archive(rank, host, units, result, waited_for_work, waited_for_reading, changed_file);
}

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
