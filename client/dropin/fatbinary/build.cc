#include "client/dropin/fatbinary/build.h"

#include "base/file.h"
#include "toolchain/object/fatbin/embed.h"
#include "toolchain/object/limits.h"

namespace ptxfarm::dropin {

namespace fatbin = object::fatbin;

Status BuildFatbinary(const FatbinaryCall& call, Exactness exactness) {
  std::vector<std::string> contents;
  contents.reserve(call.images.size());  // Members are views into them.
  std::vector<fatbin::Member> members;
  for (const FatbinaryImage& image : call.images) {
    Result<std::string> bytes = ReadFile(image.file, object::kMemberBytesMax.value);
    if (!bytes) return std::move(bytes).error().Wrap("Could not open input file '{}'", image.file);
    contents.push_back(*std::move(bytes));
    members.push_back({image.kind, image.target, contents.back()});
  }
  const fatbin::WriteOptions options = call.WriteOptions();
  if (exactness == Exactness::kToolkitBytes && !fatbin::IsAsTheToolkitWrites(members, options))
    return MakeError(Code::kUnimplemented,
                     "these images are large, and the toolkit packs them a little differently");
  PTXFARM_ASSIGN_OR_RETURN(const std::string container, fatbin::WriteFatbin(members, options));
  const auto write = [](const std::string& path, std::string_view bytes) -> Status {
    if (path.empty()) return Ok{};
    Status written = WriteFileAtomically(path, bytes);
    if (!written) return std::move(written).error().Wrap("Could not open output file '{}'", path);
    return Ok{};
  };
  PTXFARM_RETURN_IF_ERROR(write(call.create, container));
  return write(call.embedded, call.embedded.empty()
                                  ? std::string()
                                  : fatbin::EmbeddedText(container, call.EmbedOptions()));
}

}  // namespace ptxfarm::dropin
