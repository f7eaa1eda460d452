#pragma once

#include <string>

namespace starhist::driver {

/// A YAML or JSON file as JSON: maps as objects; scalars without quotes as null,
/// booleans and numbers where they look like these. Throws InputError with the line for
/// a file that is not YAML, for values that contain themselves, and in a build without
/// yaml-cpp.
std::string yaml_file_as_json(const std::string& path);

/// A JSON document as YAML with one value per line.
std::string json_as_yaml(const std::string& json);

}  // namespace starhist::driver
