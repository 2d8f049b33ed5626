#include "client/dropin/nvcc/manifest.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/bytes.h"
#include "base/file.h"
#include "client/dropin/tier/sha256_stream.h"

namespace ptxfarm::dropin {
namespace {

constexpr u64 kSourceBytesMax = u64{1} << 30;
constexpr u32 kMagic = 0x314d4e50;  // "PNM1"

// "bits/stl_algo.h", "cuda/std/__cccl/extended.h"
constexpr int kNamePartsMax = 6;

// Of macros and directives that give other text each time, or read what no line marker names.
constexpr std::string_view kUnkeyable[] = {"__TIME__", "__DATE__", "__TIMESTAMP__", ".incbin",
                                           "#embed"};

void AppendText(std::string& bytes, std::string_view text) {
  AppendTo(bytes, static_cast<u32>(text.size()));
  bytes += text;
}

// Reads from the front, and remembers that something was missing.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Take() {
    T value{};
    const std::optional<T> found = ReadAt<T>(bytes_, 0);
    is_good_ = is_good_ && found.has_value();
    if (!is_good_) return value;
    bytes_.remove_prefix(sizeof(T));
    return *found;
  }
  std::string TakeText() {
    const u32 size = Take<u32>();
    is_good_ = is_good_ && size <= bytes_.size();
    if (!is_good_) return {};
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool is_good_ = true;
};

bool Exists(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0;
}

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view(".") : path.substr(0, slash);
}

// "a/b/c.h" of "inc/a/b/c.h" in "inc"; nothing where it isn't below.
std::optional<std::string_view> Below(std::string_view path, std::string_view folder) {
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  if (folder == "." && !path.starts_with('/'))
    return path.starts_with("./") ? path.substr(2) : path;
  if (!path.starts_with(folder) || path.size() <= folder.size() || path[folder.size()] != '/')
    return std::nullopt;
  return path.substr(folder.size() + 1);
}

// The toolkit's and the machine's own: not where a project's files come and go.
bool IsOfTheSystem(std::string_view path) { return path.starts_with("/usr/"); }

// The names behind __has_include. False where one isn't spelled out.
bool AppendAskedNames(std::string_view text, std::vector<std::string>& names) {
  constexpr std::string_view kWord = "__has_include";
  for (std::size_t at = text.find(kWord); at != std::string_view::npos;
       at = text.find(kWord, at + 1)) {
    std::string_view rest = text.substr(at + kWord.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with('(')) continue;  // `#ifdef __has_include`
    rest.remove_prefix(1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (!rest.starts_with('<') && !rest.starts_with('"')) return false;
    const std::size_t end = rest.find(rest[0] == '<' ? '>' : '"', 1);
    if (end == std::string_view::npos) return false;
    names.emplace_back(rest.substr(1, end - 1));
  }
  return true;
}

// The highest part of folder/name that isn't there; nothing where all of it is.
std::optional<std::string> TopAbsent(const std::string& folder, std::string_view name) {
  if (!Exists(folder)) return folder;
  for (std::size_t slash = name.find('/');; slash = name.find('/', slash + 1)) {
    const std::string part = folder + "/" + std::string(name.substr(0, slash));
    if (!Exists(part)) return part;
    if (slash == std::string_view::npos) return std::nullopt;
  }
}

}  // namespace

std::string PackManifest(const Manifest& manifest) {
  std::string bytes;
  AppendTo(bytes, kMagic);
  AppendTo(bytes, static_cast<u32>(manifest.size()));
  for (const Variant& variant : manifest) {
    AppendTo(bytes, variant.result);
    AppendTo(bytes, static_cast<u32>(variant.files.size()));
    for (const SeenFile& file : variant.files) {
      AppendText(bytes, file.path);
      AppendTo(bytes, file.sha256);
      AppendTo(bytes, file.stamp);
    }
    AppendTo(bytes, static_cast<u32>(variant.absent.size()));
    for (const std::string& path : variant.absent) AppendText(bytes, path);
  }
  return bytes;
}

std::optional<Manifest> UnpackManifest(std::string_view bytes) {
  Cursor cursor(bytes);
  if (cursor.Take<u32>() != kMagic) return std::nullopt;
  Manifest manifest;
  for (u32 left = cursor.Take<u32>(); left > 0 && cursor.is_good(); --left) {
    Variant variant{.files = {}, .absent = {}, .result = cursor.Take<Sha256>()};
    for (u32 files = cursor.Take<u32>(); files > 0 && cursor.is_good(); --files) {
      SeenFile file{.path = cursor.TakeText()};
      file.sha256 = cursor.Take<Sha256>();
      file.stamp = cursor.Take<FileStamp>();
      variant.files.push_back(std::move(file));
    }
    for (u32 paths = cursor.Take<u32>(); paths > 0 && cursor.is_good(); --paths)
      variant.absent.push_back(cursor.TakeText());
    manifest.push_back(std::move(variant));
  }
  if (!cursor.is_good() || !cursor.is_at_end()) return std::nullopt;
  return manifest;
}

Match MatchFiles(Variant& variant) {
  for (const std::string& path : variant.absent)
    if (Exists(path)) return Match::kNo;
  Match match = Match::kYes;
  for (SeenFile& file : variant.files) {
    const std::optional<FileStamp> stamp = StampOf(file.path);
    if (!stamp) return Match::kNo;
    if (*stamp == file.stamp) continue;
    if (stamp->size_bytes != file.stamp.size_bytes && file.stamp != FileStamp{}) return Match::kNo;
    const i64 now = NowNs();
    const Result<std::string> bytes = ReadFile(file.path, kSourceBytesMax);
    if (!bytes || Sha256Of(*bytes) != file.sha256) return Match::kNo;
    if (!IsSettled(*stamp, now) || StampOf(file.path) != stamp) continue;
    file.stamp = *stamp;
    match = Match::kYesByContent;
  }
  return match;
}

std::optional<SeenFiles> ReadSeen(const std::vector<std::string>& paths, i64 since_ns) {
  SeenFiles seen;
  for (const std::string& path : paths) {
    const std::optional<FileStamp> stamp = StampOf(path);
    if (!stamp || stamp->changed_ns >= since_ns || stamp->modified_ns >= since_ns)
      return std::nullopt;
    const i64 now = NowNs();
    const Result<std::string> bytes = ReadFile(path, kSourceBytesMax);
    if (!bytes || StampOf(path) != stamp) return std::nullopt;
    for (const std::string_view word : kUnkeyable)
      if (bytes->find(word) != std::string::npos) return std::nullopt;
    if (!IsOfTheSystem(path) && !AppendAskedNames(*bytes, seen.asked_names)) return std::nullopt;
    SeenFile file{.path = path, .sha256 = Sha256Of(*bytes)};
    if (IsSettled(*stamp, now)) file.stamp = *stamp;
    seen.files.push_back(std::move(file));
  }
  return seen;
}

std::vector<std::string> AbsentPlaces(const SeenFiles& seen,
                                      const std::vector<std::string>& folders) {
  std::set<std::string> beside;  // A quoted name is looked for beside the file that includes it.
  for (const SeenFile& file : seen.files)
    if (!IsOfTheSystem(file.path)) beside.emplace(FolderOf(file.path));
  std::set<std::string> absent;
  // The name in the first folders of the search, and beside the user's files.
  const auto look = [&](std::string_view name, std::size_t folders_before) {
    const auto look_in = [&](const std::string& folder) {
      if (std::optional<std::string> path = TopAbsent(folder, name))
        absent.insert(*std::move(path));
    };
    for (std::size_t i = 0; i < folders_before; ++i) look_in(folders[i]);
    for (const std::string& folder : beside) look_in(folder);
  };
  for (const SeenFile& file : seen.files) {
    bool is_below = false;
    for (std::size_t i = 0; i < folders.size(); ++i)
      if (const std::optional<std::string_view> name = Below(file.path, folders[i])) {
        look(*name, i);
        is_below = true;
      }
    if (is_below) continue;
    // Of a folder that the compiler knows by itself: which part of the path is the name isn't
    // known.
    std::size_t slash = file.path.size();
    for (int parts = 0; parts < kNamePartsMax && slash != std::string::npos && slash != 0;
         ++parts) {
      slash = file.path.rfind('/', slash - 1);
      look(std::string_view(file.path).substr(slash == std::string::npos ? 0 : slash + 1),
           folders.size());
    }
  }
  for (const std::string& name : seen.asked_names) look(name, folders.size());
  return {absent.begin(), absent.end()};
}

}  // namespace ptxfarm::dropin
