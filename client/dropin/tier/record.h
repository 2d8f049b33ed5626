// One result of a tool as a file of the local tier: what it printed, its exit code, its object.
//
//   head (kHeadBytes): magic, size of the whole, key, exit code, sizes of the parts
//   out, err, maker, object: one behind the other
//   SHA-256 over all of that
//
// Whole or not there: a torn, swapped or foreign file doesn't read back as a record of its key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace ptxfarm::dropin {

struct RecordParts {
  i32 exit_code = 0;
  bool has_object = false;  // False: the call makes no file.
  std::string_view out;     // What it prints; with the input's name as kNamePlace.
  std::string_view err;
  std::string_view maker;  // "ptxas 13.0.88 <sha256>": what `cache recall` matches.
  std::string_view object;
};

std::string PackRecord(const Sha256& key, const RecordParts& parts);

class Record {
 public:
  // Nothing where the bytes aren't a whole record of this key.
  static std::optional<Record> Unpack(std::string bytes, const Sha256& key);

  i32 exit_code() const { return exit_code_; }
  bool has_object() const { return has_object_; }
  std::string_view out() const { return Part(0); }
  std::string_view err() const { return Part(1); }
  std::string_view maker() const { return Part(2); }
  std::string_view object() const { return Part(3); }

 private:
  static constexpr int kParts = 4;
  std::string_view Part(int index) const;

  std::string bytes_;
  i32 exit_code_ = 0;
  bool has_object_ = false;
  u64 part_bytes_[kParts] = {};
};

// The key that a record's head names, for who walks over the files of a tier.
std::optional<Sha256> KeyInHead(std::string_view bytes);

}  // namespace ptxfarm::dropin
