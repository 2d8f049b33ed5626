// What a local farm says of itself, in a file beside its socket.
#pragma once

#include <string>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::local {

// Names the bytes of a program on disk: it changes when the program is built or installed anew.
struct ProgramStamp {
  std::string path;
  u64 device = 0;
  u64 inode = 0;
  i64 modified_ns = 0;

  friend bool operator==(const ProgramStamp&, const ProgramStamp&) = default;
};

Result<ProgramStamp> StampOf(const std::string& path);

struct FarmRecord {
  std::string version;  // "0.1.0"
  i64 process = 0;
  ProgramStamp program;
  std::string
      page;  // "http://127.0.0.1:40123", where metrics and health are; empty where there is none.

  friend bool operator==(const FarmRecord&, const FarmRecord&) = default;
};

// As one line of JSON.
std::string Serialize(const FarmRecord& record);
// DATA_LOSS where the text is no record.
Result<FarmRecord> ParseFarmRecord(std::string_view text);

}  // namespace ptxfarm::local
