#include "driver/ranks/messages.hh"

#include "driver/ranks/packing.hh"

namespace starhist::driver {
// Functions fields() of packing.hh.

template <class Archive>
void fields(Archive& archive, WorkUnit& unit) {
  archive(unit.number);
  archive(unit.begin);
  archive(unit.end);
  archive(unit.rows.number);
  archive(unit.rows.count);
}

template <class Archive>
void fields(Archive& archive, LeftOutFrame& frame) {
  archive(frame.number);
  archive(frame.why);
}

template <class Archive>
void fields(Archive& archive, FrameFacts& frame) {
  std::uint64_t index = frame.index.get();
  archive(index);
  frame.index = FrameIndex(index);
  archive(frame.step);
  archive(frame.time);
  archive(frame.box);
  archive(frame.checksum);
  archive(frame.particle_number);
  archive(frame.pairs);
  archive(frame.excluded);
}

template <class Archive>
void fields(Archive& archive, UnitCounts& counts) {
  archive(counts.unit);
  archive(counts.end);
  archive(counts.frames);
  archive(counts.left_out);
  archive(counts.counts);
  archive(counts.underflow);
  archive(counts.out_of_range);
  archive(counts.second);
  archive(counts.block);
}

template <class Archive>
void fields(Archive& archive, BadFrame& bad) {
  archive(bad.unit);
  archive(bad.message);
}

template <class Archive>
void fields(Archive& archive, StopRequest& request) {
  archive(request.signal);
}

template <class Archive>
void fields(Archive& archive, Pulse& pulse) {
  archive(pulse.pairs);
}

template <class Archive>
void fields(Archive& archive, WorkerSummary& worker) {
  archive(worker.name);
  archive(worker.cuda);
  archive(worker.device);
  archive(worker.tasks);
  archive(worker.pairs);
  archive(worker.busy_seconds);
}

template <class Archive>
void fields(Archive& archive, codelets::TaskRecord& task) {
  archive(task.name);
  archive(task.worker);
  archive(task.pairs);
  archive(task.frames);
  archive(task.start);
  archive(task.end);
  archive(task.predicted);
}

template <class Archive>
void fields(Archive& archive, LagTimes& times) {
  archive(times.shortest);
  archive(times.longest);
}

template <class Archive>
void fields(Archive& archive, LagNotes& notes) {
  std::uint64_t first_frame = notes.long_steps.first_frame.get();
  archive(notes.boxes_differ);
  archive(notes.periodic);
  archive(notes.times);
  archive(notes.long_steps.count);
  archive(first_frame);
  notes.long_steps.first_frame = FrameIndex(first_frame);
}

template <class Archive>
void fields(Archive& archive, RunResult& result) {
  archive(result.frames);
  archive(result.pairs);
  archive(result.skipped_pairs);
  archive(result.repeated_tasks);
  archive(result.bytes_moved);
  archive(result.count_seconds);
  archive(result.cancelled);
  archive(result.predictions.tasks);
  archive(result.predictions.error);
  archive(result.predictions.absolute_error);
  archive(result.predictions.seconds);
  archive(result.predictions.absolute_seconds);
  archive(result.workers);
  archive(result.tasks);
  archive(result.lags);
}

template <class Archive>
void fields(Archive& archive, RankWork& work) {
  archive(work.rank);
  archive(work.host);
  archive(work.units);
  archive(work.result);
  archive(work.waited_for_work);
  archive(work.waited_for_reading);
  archive(work.changed_file);
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
