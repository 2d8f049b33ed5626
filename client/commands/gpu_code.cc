#include "client/commands/gpu_code.h"

#include "client/files/input_file.h"
#include "toolchain/object/cubin/cubin.h"

namespace ptxfarm::client {
namespace {

// The toolkit's own libraries reach half of it.
constexpr u64 kFileBytesMax = u64{4} << 30;

}  // namespace

std::string GpuCode::Target() const {
  if (!member) {
    const Result<object::cubin::Cubin> read = object::cubin::ReadCubin(cubin);
    return read ? read->TargetName() : "?";
  }
  const std::string number = object::fatbin::TargetText(member->target);
  if (member->Is(object::fatbin::MemberKind::kPtx)) return "compute_" + number;
  if (member->Is(object::fatbin::MemberKind::kLtoIr)) return "lto_" + number;
  return "sm_" + number;
}

std::string GpuCode::Kind() const {
  if (!member || member->Is(object::fatbin::MemberKind::kCubin)) return "cubin";
  if (member->Is(object::fatbin::MemberKind::kPtx)) return "ptx";
  if (member->Is(object::fatbin::MemberKind::kLtoIr)) return "ltoir";
  return object::fatbin::MemberKindName(member->kind);
}

u64 GpuCode::StoredBytes() const { return member ? member->payload.size() : cubin.size(); }

Result<std::string> GpuCode::Image() const {
  if (!member) return std::string(cubin);
  return object::fatbin::Image(*member);
}

Result<GpuFile> ReadGpuFile(const std::string& path) {
  GpuFile file{.path = path};
  PTXFARM_ASSIGN_OR_RETURN(std::string bytes, ReadInput(path, kFileBytesMax));
  file.bytes = std::make_unique<const std::string>(std::move(bytes));
  Result<object::fatbin::Findings> found = object::fatbin::FindGpuCode(*file.bytes);
  if (!found) return std::move(found).error().Wrap("{}", path);
  std::size_t number = 0;
  for (const object::fatbin::FoundContainer& container : found->containers) {
    for (const object::fatbin::MemberView& member : container.container.members)
      file.pieces.push_back({.place = container.place,
                             .offset = container.offset,
                             .container = number,
                             .member = member});
    ++number;
  }
  for (const object::fatbin::FoundCubin& cubin : found->cubins)
    file.pieces.push_back({.place = cubin.place, .offset = cubin.offset, .cubin = cubin.bytes});
  file.damages = std::move(found->damages);
  return file;
}

}  // namespace ptxfarm::client
