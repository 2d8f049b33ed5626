#include "client/files/ptx_member.h"

#include "toolchain/object/fatbin/fatbin.h"

namespace ptxfarm::client {

Result<std::string> PtxMember(std::string_view fatbin, std::string_view target) {
  using namespace object::fatbin;
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<Container> containers, ReadFatbin(fatbin));
  for (const Container& container : containers)
    for (const MemberView& member : container.members)
      if (member.Is(MemberKind::kPtx) && "compute_" + TargetText(member.target) == target)
        return Image(member);
  return MakeError(Code::kNotFound, "the fat binary has no PTX for {}", target);
}

}  // namespace ptxfarm::client
