// What the outputs of one command line depend on: for each time that it was run with other files,
// which files it read with which contents, where it looked and found nothing, and the key of what
// came out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "client/dropin/tool/file_stamp.h"

namespace ptxfarm::dropin {

struct SeenFile {
  std::string path;  // As the compiler names it: may be relative.
  Sha256 sha256{};
  // As it was when it was read; all zero where it was so fresh that it could change again unseen.
  FileStamp stamp;
};

struct Variant {
  std::vector<SeenFile> files;
  // Where a file of that name would be taken instead of one of `files`. Nothing is there, or was.
  std::vector<std::string> absent;
  Sha256 result{};
};

// Newest first.
using Manifest = std::vector<Variant>;

// Older ones are dropped: a file that goes back and forth between two states needs two.
inline constexpr std::size_t kVariantsMax = 16;

std::string PackManifest(const Manifest& manifest);
// Nothing where the bytes are no whole manifest.
std::optional<Manifest> UnpackManifest(std::string_view bytes);

enum class Match : u8 {
  kNo,
  kYes,
  kYesByContent,  // Some files are other files with the same bytes: their stamps in `variant` are
                  // now theirs.
};
Match MatchFiles(Variant& variant);

struct SeenFiles {
  std::vector<SeenFile> files;
  std::vector<std::string> asked_names;  // Of __has_include, in files outside of /usr.
};

// Reads the files now. Nothing where one can't be read, was changed after `since_ns` (of the
// real-time clock), so that nobody knows what the compiler saw, or gives other text each time
// (__TIME__) or reads what no line marker names (.incbin).
std::optional<SeenFiles> ReadSeen(const std::vector<std::string>& paths, i64 since_ns);

// Where the compiler would have found another file instead of one of these, or one that it was
// asked for in vain: below the folders of the search, in their order, and beside the user's own
// files. Only what isn't there now; of a whole tree that isn't there the top alone.
std::vector<std::string> AbsentPlaces(const SeenFiles& seen,
                                      const std::vector<std::string>& folders);

}  // namespace ptxfarm::dropin
