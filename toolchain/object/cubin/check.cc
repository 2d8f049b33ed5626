#include "toolchain/object/cubin/check.h"

namespace ptxfarm::object::cubin {
namespace {

Status CheckTarget(const Cubin& cubin, u32 sm, char suffix) {
  // The option text alone tells 'f' from plain. Where it is missing, a plain one may be either.
  const bool suffix_open = !cubin.tool && cubin.suffix == 0 && suffix == 'f';
  if (cubin.sm == sm && (cubin.suffix == suffix || suffix_open)) return Ok();
  return MakeError(Code::kFailedPrecondition, "the object is for {}, {} was asked",
                   cubin.TargetName(), TargetName(sm, suffix));
}

// Every entry has code, and every function of ours a register count: a compiler that died between
// writing the tables and writing what they say would leave zeros.
Status CheckFunctions(const Cubin& cubin) {
  for (const Function& function : cubin.functions) {
    if (!function.is_entry) continue;
    const elf::Section* const code = cubin.file.SectionAt(function.section_index);
    if (code == nullptr || code->data.empty() ||
        code->data.find_first_not_of('\0') == std::string_view::npos)
      return MakeError(Code::kDataLoss, "entry {} has no code", function.name);
  }
  return Ok();
}

}  // namespace

Status CheckObject(std::string_view bytes, u32 sm, char suffix, CubinKind kind) {
  if (bytes.empty()) return MakeError(Code::kDataLoss, "the object is empty");
  if (!elf::LooksLikeElf(bytes))
    return MakeError(Code::kInvalidArgument, "the object of {} bytes is no ELF file", bytes.size());
  PTXFARM_ASSIGN_OR_RETURN(const Cubin cubin, ReadCubin(bytes));
  if (cubin.file.sections().empty())
    return MakeError(Code::kDataLoss, "the object has no sections");
  PTXFARM_RETURN_IF_ERROR(cubin.file.CheckWhole());
  PTXFARM_RETURN_IF_ERROR(CheckTarget(cubin, sm, suffix));
  if (cubin.kind != kind)
    return MakeError(Code::kFailedPrecondition, "the object is {}, {} was asked",
                     KindName(cubin.kind), KindName(kind));
  return CheckFunctions(cubin);
}

}  // namespace ptxfarm::object::cubin
