#include "toolchain/object/fatbin/find.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "toolchain/object/archive/archive.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/elf/elf.h"

namespace ptxfarm::object::fatbin {
namespace {

constexpr u64 kAlignment = 8;
constexpr std::string_view kFatbinSections[] = {".nv_fatbin", "__nv_relfatbin"};

// Magic, version and header size: the first word of every container.
constexpr u64 kFirstWord =
    u64{kContainerMagic} | u64{kContainerVersion} << 32 | u64{kContainerHeaderBytes} << 48;

// One object of the file: the whole of it, or a member of an archive.
class ObjectSearch {
 public:
  // `base` is the object's offset in the file.
  ObjectSearch(std::string_view object, u64 base, std::string place, Findings& findings)
      : object_(object), base_(base), place_(std::move(place)), findings_(findings) {}

  Status Search() {
    if (LooksLikeFatbin(object_)) {
      SearchRange(0, object_.size(), place_, Reading::kStrict);
      return Ok();
    }
    if (!elf::LooksLikeElf(object_))
      return MakeError(Code::kInvalidArgument, "no fatbin, cubin, host object or archive of these");
    PTXFARM_ASSIGN_OR_RETURN(const elf::File file, elf::File::Read(object_));
    if (file.header().machine == cubin::kMachineCuda) {
      findings_.cubins.push_back({place_, base_, object_});
      return Ok();
    }
    SearchHostObject(file);
    return Ok();
  }

 private:
  enum class Reading {
    kStrict,  // Containers and zero bytes, nothing else.
    kSearch,  // Containers among other things.
  };

  void SearchHostObject(const elf::File& file);
  void SearchRange(u64 begin, u64 end, const std::string& place, Reading reading);
  u64 NextFirstWord(u64 begin, u64 end) const;
  void ReportSkipped(u64 begin, u64 end, const std::string& place);

  std::string InSection(std::string_view section) const {
    return place_.empty() ? std::string(section) : place_ + ":" + std::string(section);
  }

  std::string_view object_;
  u64 base_;
  std::string place_;
  Findings& findings_;
};

// Sections in the order of the file, each searched by its kind, and the bytes between them too: a
// cursor that only moves on keeps this linear, however the sections of a hostile file overlap.
void ObjectSearch::SearchHostObject(const elf::File& file) {
  std::vector<const elf::Section*> sections;
  for (const elf::Section& section : file.sections())
    if (!section.data.empty()) sections.push_back(&section);
  std::stable_sort(
      sections.begin(), sections.end(),
      [](const elf::Section* a, const elf::Section* b) { return a->offset < b->offset; });
  u64 cursor = 0;
  for (const elf::Section* const section : sections) {
    const u64 end = section->offset + section->size;
    if (end <= cursor) continue;
    if (section->offset > cursor) SearchRange(cursor, section->offset, place_, Reading::kSearch);
    const bool is_fatbin = std::find(std::begin(kFatbinSections), std::end(kFatbinSections),
                                     section->name) != std::end(kFatbinSections);
    SearchRange(std::max(cursor, section->offset), end, InSection(section->name),
                is_fatbin ? Reading::kStrict : Reading::kSearch);
    cursor = end;
  }
  SearchRange(cursor, object_.size(), place_, Reading::kSearch);
}

u64 ObjectSearch::NextFirstWord(u64 begin, u64 end) const {
  for (u64 at = AlignUp(begin, kAlignment); at + kAlignment <= end; at += kAlignment)
    if (*ReadAt<u64>(object_, at) == kFirstWord) return at;
  return end;
}

void ObjectSearch::SearchRange(u64 begin, u64 end, const std::string& place, Reading reading) {
  const std::string_view range = object_.substr(0, end);
  u64 cursor = begin;
  while (cursor < end) {
    const u64 at = NextFirstWord(cursor, end);
    if (reading == Reading::kStrict) ReportSkipped(cursor, at, place);
    if (at == end) return;
    ContainerEnd found = ReadContainerAsFarAsItGoes(range, at);
    if (found.container)
      findings_.containers.push_back({place, base_ + at, *std::move(found.container)});
    else
      findings_.damages.push_back({place, base_ + at, std::move(found.container).error()});
    // Behind what was read, so that no byte is looked at twice.
    cursor = std::max(found.read_to, at + kAlignment);
  }
}

void ObjectSearch::ReportSkipped(u64 begin, u64 end, const std::string& place) {
  const std::string_view skipped = object_.substr(begin, end - begin);
  const std::size_t first = skipped.find_first_not_of('\0');
  if (first == std::string_view::npos) return;
  // What follows a damaged container is part of that damage.
  if (!findings_.damages.empty() && findings_.damages.back().place == place) return;
  findings_.damages.push_back({place, base_ + begin + first,
                               MakeError(Code::kDataLoss, "{} bytes that are no fatbin container",
                                         skipped.size() - first)});
}

}  // namespace

Result<Findings> FindGpuCode(std::string_view bytes) {
  Findings findings;
  if (!archive::LooksLikeArchive(bytes)) {
    PTXFARM_RETURN_IF_ERROR(ObjectSearch(bytes, 0, "", findings).Search());
    return findings;
  }
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<archive::Member> members, archive::ReadArchive(bytes));
  for (const archive::Member& member : members) {
    const Status status =
        ObjectSearch(member.data, member.offset, std::string(member.name), findings).Search();
    // An archive may hold anything; only what announces itself as an object and isn't one is
    // damage.
    if (!status && status.error().code != Code::kInvalidArgument)
      findings.damages.push_back({std::string(member.name), member.offset, status.error()});
  }
  return findings;
}

}  // namespace ptxfarm::object::fatbin
