// The column families and how each is laid out on disk.
#pragma once

#include <memory>
#include <string_view>

#include <rocksdb/cache.h>
#include <rocksdb/options.h>

#include "base/int.h"

namespace ptxfarm::rocks {

// What each holds: layout.h.
enum class Family : u8 { kMeta, kBlobs, kChunks, kActions, kUse, kFacts };

struct FamilyRow {
  Family family;
  std::string_view name;
  // Changes what is particular to it.
  void (*configure)(rocksdb::ColumnFamilyOptions& options);
};

// In the order of the enumerators.
extern const FamilyRow kFamilies[6];

// Options of a family; all share one cache of blocks and values.
rocksdb::ColumnFamilyOptions FamilyOptions(const FamilyRow& row,
                                           const std::shared_ptr<rocksdb::Cache>& cache);

}  // namespace ptxfarm::rocks
