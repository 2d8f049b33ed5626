// The version of what layout.h describes, as written in the database, and the ways from older ones.
#pragma once

#include <span>

#include "base/int.h"
#include "base/result.h"
#include "store/rocks/database.h"

namespace ptxfarm::rocks {

// Brings a database from version `from` to `from + 1`: adds what is to be changed to `batch`, which
// is written together with the new number, so that a migration has happened or hasn't.
struct Migration {
  u32 from;
  Status (*migrate)(Database& database, rocksdb::WriteBatch& batch);
};

struct Format {
  u32 version;
  std::span<const Migration> migrations;
};

// Version 1 is the first.
inline constexpr Format kFormat{.version = 1, .migrations = {}};

// Writes the version into a new database, migrates an older one, refuses (FAILED_PRECONDITION) a
// newer one, or one so old that no way leads from it.
Status BringTo(const Format& format, Database& database);

}  // namespace ptxfarm::rocks
