#include "store/rocks/families.h"

#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/table_properties_collectors.h>

namespace ptxfarm::rocks {
namespace {

constexpr u64 kMiB = u64{1} << 20;

void Plain(rocksdb::ColumnFamilyOptions&) {}

// Values live in blob files beside the tree: the tree stays small enough to be compacted for next
// to nothing, a value is written once instead of at each level, and since blob files are in the
// order of writing, eviction by use empties the old ones first, which are then dropped or rewritten
// (garbage collection). With the shared cache a warm read is quicker than out of blocks; without it
// each read would check a CRC-32C in software (measured: 17 µs for 20 KB instead of 1.4).
void ValuesApart(rocksdb::ColumnFamilyOptions& options) {
  options.enable_blob_files = true;
  options.min_blob_size = 1024;
  options.blob_file_size = 32 * kMiB;
  options.enable_blob_garbage_collection = true;
  options.blob_garbage_collection_age_cutoff = 1.0;
  options.blob_garbage_collection_force_threshold = 0.3;
  options.write_buffer_size = 16 * kMiB;
  // The tree holds keys only: merging it early costs little, and only a merge finds out which
  // values are garbage.
  options.level0_file_num_compaction_trigger = 2;
}

// Each large blob is one table file, made outside and put in its place whole (chunk_files.h).
// Nothing is ever merged, so nothing is ever rewritten.
void WholeFiles(rocksdb::ColumnFamilyOptions& options) {
  options.disable_auto_compactions = true;
  options.level_compaction_dynamic_level_bytes = false;
}

// Rows are replaced at each use and deleted at the old end: without this, eviction would wade
// through what was deleted.
void ManyDeletes(rocksdb::ColumnFamilyOptions& options) {
  constexpr std::size_t kWindow = 4096;
  options.table_properties_collector_factories.push_back(
      rocksdb::NewCompactOnDeletionCollectorFactory(kWindow, kWindow / 2));
}

}  // namespace

// clang-format off
const FamilyRow kFamilies[6] = {
    {Family::kMeta,    "meta",    Plain},
    {Family::kBlobs,   "blobs",   ValuesApart},
    {Family::kChunks,  "chunks",  WholeFiles},
    {Family::kActions, "actions", Plain},
    {Family::kUse,     "use",     ManyDeletes},
    {Family::kFacts,   "facts",   ManyDeletes},
};
// clang-format on

rocksdb::ColumnFamilyOptions FamilyOptions(const FamilyRow& row,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = cache;
  table.checksum = rocksdb::kXXH3;  // CRC-32C runs in software in Debian's build.
  table.format_version = 5;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // Inside the cache, so that memory is bounded whatever the number of blobs.
  table.cache_index_and_filter_blocks = true;
  table.cache_index_and_filter_blocks_with_high_priority = true;

  rocksdb::ColumnFamilyOptions options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.blob_cache = cache;
  options.compression = rocksdb::kNoCompression;  // What is worth it comes compressed.
  options.level_compaction_dynamic_level_bytes = true;
  options.write_buffer_size = 8 * kMiB;
  row.configure(options);
  return options;
}

}  // namespace ptxfarm::rocks
