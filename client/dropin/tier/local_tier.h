// The local tier: results of tools as files of the user, found by key, without any server.
//
//   <folder>/ab/cdef…      one record (record.h) a key
//   <folder>/counters      counters.h
//   <folder>/locks/        key_lock.h
//   <folder>/notes/        small facts: digests of tools by their stamp, what a farm said of itself
//   <folder>/scratch/      folders of compiles under way
//
// Any number of processes may use one tier at once, on one machine or over NFS, and may be killed
// at any moment: files are written beside their name and renamed, and checked when they are read.
// Nothing is synced: after a loss of power a file may be torn, which the check finds.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"
#include "client/dropin/tier/counters.h"
#include "client/dropin/tier/record.h"

namespace ptxfarm::dropin {

class LocalTier {
 public:
  // Nothing is looked at or made yet.
  explicit LocalTier(std::string folder) : folder_(std::move(folder)) {}

  // The tier of this user: $PTXFARM_LOCAL_RESULTS, else "results" in $XDG_CACHE_HOME/ptxfarm or
  // ~/.cache/ptxfarm. Nothing where the variable is no absolute path ("none"), or there is no
  // home.
  static std::optional<LocalTier> OfUser();

  const std::string& folder() const { return folder_; }
  std::string PathOf(const Sha256& key) const;

  // Nothing where there is none; a file that isn't a whole record of the key is removed.
  std::optional<Record> Get(const Sha256& key) const;

  // Makes the folders that are missing. RESOURCE_EXHAUSTED: the disk is full; the tier is as
  // before.
  Status Put(const Sha256& key, const RecordParts& parts) const;

  // A small fact under a name that the caller made of a digest; with the same promises as records.
  // `age_seconds` tells how long ago it was put, less than 0 where the clock was set back.
  struct Note {
    std::string text;
    i64 age_seconds = 0;
  };
  std::optional<Note> GetNote(const Sha256& name) const;
  Status PutNote(const Sha256& name, std::string_view text) const;
  void RemoveNote(const Sha256& name) const;

  void Count(Counter counter) const;
  std::optional<Counters> OpenCounters() const { return Counters::Open(folder_ + "/counters"); }

  std::string locks() const { return folder_ + "/locks"; }
  std::string notes() const { return folder_ + "/notes"; }
  std::string scratch() const { return folder_ + "/scratch"; }

 private:
  std::string folder_;
};

// Larger files aren't ours.
inline constexpr u64 kRecordBytesMax = u64{1} << 31;

// Makes a folder and those above it, for this user only.
Status MakeFolder(const std::string& path);

// Writes beside the name and renames, without a sync.
Status ReplaceFile(const std::string& path, std::string_view bytes, mode_t mode);

// A word that no other process or call has.
std::string UniqueSuffix();

}  // namespace ptxfarm::dropin
