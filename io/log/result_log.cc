#include "io/log/result_log.hh"

#include <cstring>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_image.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/log/record_log.hh"
#include "io/log/row_record.hh"

namespace starhist::io {
namespace {

Hdf5Object read_header(LogReader& log, const std::string& path) {
  const std::optional<LogReader::Record> header = log.next();
  if (!header || header->type != RecordType::header) {
    throw InputError(path +
                     ": has no header (it is damaged, and no block of it can be used: "
                     "count again; --force replaces it)");
  }
  return open_hdf5_image(header->payload, path);
}

}  // namespace

Hdf5Object open_log_header(const std::string& path) {
  LogReader log(path);
  return read_header(log, path);
}

ResultLog open_result_log(const std::string& path) {
  LogReader log(path);
  ResultLog result{read_header(log, path)};
  RowAppender rows(result.file.get());
  while (const std::optional<LogReader::Record> record = log.next()) {
    if (record->type == RecordType::block) {
      rows.append(record->payload);
      ++result.blocks;
    }
  }
  rows.finish();
  if (log.damaged()) {
    write_hdf5_attribute(result.file.get(), damaged_attribute, std::int32_t{1});
  }
  return result;
}

std::optional<LogPosition> read_log_position(const std::string& path) {
  std::optional<LogPosition> position;
  for (LogReader log(path);
       const std::optional<LogReader::Record> record = log.next();) {
    if (record->type == RecordType::position &&
        record->payload.size() == sizeof(LogPosition)) {
      position.emplace();
      std::memcpy(&*position, record->payload.data(), sizeof(LogPosition));
    }
  }
  return position;
}

}  // namespace starhist::io
