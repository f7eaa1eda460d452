#include "io/decoder/protocol.hh"

#include <cerrno>

#include <sys/socket.h>

#include "codelets/core/base/error.hh"

namespace starhist::io::decoder {
namespace {

template <class Value>
void add_column(const std::vector<Value>& column, Packer& packer) {
  packer.add(std::uint64_t{column.size()});
  for (const Value& value : column) {
    if constexpr (std::is_arithmetic_v<Value>) {
      packer.add(value);
    } else {
      packer.add_text(value);
    }
  }
}

template <class Value>
void take_column(Unpacker& unpacker, std::vector<Value>& column) {
  column.resize(unpacker.take<std::uint64_t>());
  for (Value& value : column) {
    if constexpr (std::is_arithmetic_v<Value>) {
      value = unpacker.take<Value>();
    } else {
      value = unpacker.take_text();
    }
  }
}

/// Calls `use` for each column, in the order in which they are packed.
template <class Table, class Use>
void for_each_column(Table& table, Use use) {
  use(table.name);
  use(table.type);
  use(table.element);
  use(table.residue_name);
  use(table.residue);
  use(table.insertion_code);
  use(table.chain);
  use(table.segment);
  use(table.alternate_location);
  use(table.part);
  use(table.molecule);
  use(table.mass);
  use(table.charge);
}

/// Whether a transfer that returned `count` is to be tried again.
bool is_tried_again(ssize_t count, const std::function<void()>& on_timeout) {
  if (count < 0 && errno == EAGAIN && on_timeout) {
    on_timeout();
    return true;
  }
  return count < 0 && errno == EINTR;
}

}  // namespace

bool send_all(int socket, const void* bytes, std::size_t size,
              const std::function<void()>& on_timeout) {
  const char* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket, from, size, MSG_NOSIGNAL);
    if (is_tried_again(sent, on_timeout)) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    from += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t size,
                 const std::function<void()>& on_timeout) {
  char* to = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t received = ::recv(socket, to, size, MSG_WAITALL);
    if (is_tried_again(received, on_timeout)) {
      continue;
    }
    if (received <= 0) {
      return false;
    }
    to += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

void Packer::add_source(const Source& source) {
  add(source.kind);
  add_text(source.format);
  add(source.atoms);
  add_text(source.structure);
  bytes_.append(source.content);
}

void Packer::add_particles(const ParticleTable& table) {
  add(std::uint64_t{table.count});
  for_each_column(table, [this](const auto& column) { add_column(column, *this); });
}

std::string_view Unpacker::take_bytes(std::uint64_t size) {
  if (size > bytes_.size()) {
    throw InternalError("a message of a decoder is too short");
  }
  const std::string_view taken = bytes_.substr(0, size);
  bytes_.remove_prefix(size);
  return taken;
}

Source Unpacker::take_source() {
  Source source;
  source.kind = take<Source::Kind>();
  source.format = take_text();
  source.atoms = take<std::uint64_t>();
  source.structure = take_text();
  source.content = take_bytes(bytes_.size());
  return source;
}

ParticleTable Unpacker::take_particles() {
  ParticleTable table;
  table.count = take<std::uint64_t>();
  for_each_column(table, [this](auto& column) { take_column(*this, column); });
  return table;
}

}  // namespace starhist::io::decoder
