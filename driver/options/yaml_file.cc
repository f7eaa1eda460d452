#include "driver/options/yaml_file.hh"

#include "codelets/core/base/error.hh"

#ifdef STARHIST_YAML
#include <cmath>
#include <cstdint>
#include <filesystem>

#include <yaml-cpp/yaml.h>

#include "codelets/core/base/text.hh"
#include "io/compression/byte_source.hh"
#include "io/files/file_signature.hh"
#include "io/files/json_text.hh"
#endif

namespace starhist::driver {

#ifdef STARHIST_YAML
namespace {

std::string scalar_as_json(const YAML::Node& node) {
  std::int64_t whole = 0;
  double number = 0.0;
  bool truth = false;
  const bool in_quotes = node.Tag() == "!";
  if (!in_quotes && YAML::convert<std::int64_t>::decode(node, whole)) {
    return std::to_string(whole);
  }
  if (!in_quotes && YAML::convert<double>::decode(node, number) &&
      std::isfinite(number)) {
    const std::string text = number_text(number);
    const bool looks_whole = text.find_first_of(".e") == std::string::npos;
    return looks_whole ? text + ".0" : text;
  }
  if (!in_quotes && YAML::convert<bool>::decode(node, truth)) {
    return truth ? "true" : "false";
  }
  return io::json_string(node.Scalar());
}

/// Converts a document to JSON. Throws InputError if aliases make it endless or huge.
class JsonOfYaml {
 public:
  std::string operator()(const YAML::Node& node, int depth = 0) {
    if (depth > most_depth || ++nodes_ > most_nodes) {
      throw InputError(
          "has a value that contains itself, or too many values (remove its aliases, "
          "'*NAME')");
    }
    std::string items;
    const auto add = [&items](const std::string& item) {
      items += (items.empty() ? "" : ",") + item;
    };
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        return scalar_as_json(node);
      case YAML::NodeType::Sequence:
        for (const YAML::Node& item : node) {
          add((*this)(item, depth + 1));
        }
        return "[" + items + "]";
      case YAML::NodeType::Map:
        for (const auto& item : node) {
          add(io::json_string(item.first.as<std::string>()) + ":" +
              (*this)(item.second, depth + 1));
        }
        return "{" + items + "}";
      default:
        return "null";
    }
  }

 private:
  static constexpr int most_depth = 100;
  static constexpr std::size_t most_nodes = 1U << 20U;
  std::size_t nodes_ = 0;
};

void write(YAML::Emitter& out, const YAML::Node& node) {
  if (node.IsMap()) {
    out << YAML::BeginMap;
    for (const auto& item : node) {
      out << YAML::Key << item.first.Scalar() << YAML::Value;
      write(out, item.second);
    }
    out << YAML::EndMap;
  } else if (node.IsSequence()) {
    out << (node.size() == 0 ? YAML::Flow : YAML::Block) << YAML::BeginSeq;
    for (const YAML::Node& item : node) {
      write(out, item);
    }
    out << YAML::EndSeq;
  } else {
    out << node;
  }
}

}  // namespace

std::string yaml_file_as_json(const std::string& path) {
  try {
    if (std::filesystem::is_directory(path)) {
      throw YAML::BadFile(path);
    }
    io::refuse_special_file(path);
    const io::FileSignature signature = io::signature_of_file(path);
    if (!signature.bytes.empty() && !signature.may_be_text) {
      throw InputError(path + ": is not YAML, but looks like " + signature.description +
                       " (give the parameter file of `cadishi histo`, "
                       "histograms.yaml)");
    }
    return JsonOfYaml()(YAML::LoadFile(path));
  } catch (const YAML::BadFile&) {
    throw InputError(path +
                     ": cannot be opened (give the path of the parameter file of "
                     "`cadishi histo`; the default is histograms.yaml)");
  } catch (const YAML::Exception& error) {
    throw InputError(path + ": is not YAML (line " +
                     std::to_string(error.mark.line + 1) + ": " + error.msg + ")");
  }
}

std::string json_as_yaml(const std::string& json) {
  YAML::Emitter out;
  out << YAML::LowerNull;
  write(out, YAML::Load(json));
  return std::string(out.c_str()) + "\n";
}
#else
std::string yaml_file_as_json(const std::string& path) {
  throw InputError(
      path +
      ": cannot be read, because this starhist was built without yaml-cpp (rebuild it "
      "with libyaml-cpp-dev, or use starhist rdf and starhist export --cadishi)");
}

std::string json_as_yaml(const std::string& json) {
  return json + "\n";  // JSON is YAML, too
}
#endif

}  // namespace starhist::driver
