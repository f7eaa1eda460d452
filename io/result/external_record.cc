#include "io/result/external_record.hh"

namespace starhist::io {

std::string external_file_text(const ExternalFile& file) {
  return file.file + " (" + file.kind + " of " + file.place + ")";
}

void add_external_files(const ExternalFileList& files, const std::string& prefix,
                        RunRecord& record) {
  for (std::size_t k = 0; k < files.size(); ++k) {
    record.emplace_back(prefix + "external " + std::to_string(k + 1),
                        external_file_text(files[k]));
  }
}

}  // namespace starhist::io
