#include "client/local/farm_record.h"

#include <sys/stat.h>

#include <cerrno>

#include <nlohmann/json.hpp>

namespace ptxfarm::local {

Result<ProgramStamp> StampOf(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return ErrnoError(errno, fmt::format("stat {}", path));
  return ProgramStamp{path, static_cast<u64>(info.st_dev), static_cast<u64>(info.st_ino),
                      i64{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

std::string Serialize(const FarmRecord& record) {
  const nlohmann::json json = {
      {"version", record.version},
      {"process", record.process},
      {"program",
       {{"path", record.program.path},
        {"device", record.program.device},
        {"inode", record.program.inode},
        {"modified_ns", record.program.modified_ns}}},
      {"page", record.page},
  };
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

Result<FarmRecord> ParseFarmRecord(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  // The library throws where a field is missing or of another type: asked first, so that it never
  // does.
  const auto has = [](const nlohmann::json& object, const char* key, auto is) {
    return object.is_object() && object.contains(key) && is(object[key]);
  };
  const auto is_text = [](const nlohmann::json& value) { return value.is_string(); };
  const auto is_number = [](const nlohmann::json& value) { return value.is_number_integer(); };
  const auto is_object = [](const nlohmann::json& value) { return value.is_object(); };
  if (!has(json, "version", is_text) || !has(json, "process", is_number) ||
      !has(json, "page", is_text) || !has(json, "program", is_object))
    return MakeError(Code::kDataLoss, "not the record of a farm");
  const nlohmann::json& program = json["program"];
  if (!has(program, "path", is_text) || !has(program, "device", is_number) ||
      !has(program, "inode", is_number) || !has(program, "modified_ns", is_number))
    return MakeError(Code::kDataLoss, "not the record of a farm's program");
  return FarmRecord{.version = json["version"].get<std::string>(),
                    .process = json["process"].get<i64>(),
                    .program = {.path = program["path"].get<std::string>(),
                                .device = program["device"].get<u64>(),
                                .inode = program["inode"].get<u64>(),
                                .modified_ns = program["modified_ns"].get<i64>()},
                    .page = json["page"].get<std::string>()};
}

}  // namespace ptxfarm::local
