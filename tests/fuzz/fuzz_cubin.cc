// The ELF and cubin readers, the check of compiler output, and the new layout, over anything.
#include <string_view>

#include "toolchain/object/cubin/check.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/cubin/describe.h"
#include "toolchain/object/cubin/tool_options.h"

namespace {

using namespace ptxfarm;          // NOLINT: the fuzzer's own file
using namespace ptxfarm::object;  // NOLINT

void ReadTables(std::string_view bytes) {
  const Result<elf::File> file = elf::File::Read(bytes);
  if (!file) return;
  (void)file->CheckWhole();
  (void)file->EndOfContents();
  // Each table once is enough: a file may hold as many section headers as it has bytes for.
  if (const elf::Section* const table = file->FindSectionOfType(elf::kSectionSymtab))
    (void)file->Symbols(*table);
  for (const u32 type : {elf::kSectionRel, elf::kSectionRela})
    if (const elf::Section* const table = file->FindSectionOfType(type))
      (void)file->Relocations(*table);
}

void ReadKernels(std::string_view bytes) {
  const Result<cubin::Cubin> cubin = cubin::ReadCubin(bytes);
  if (!cubin) return;
  (void)cubin::Describe(*cubin, {.attributes = true, .sections = true});
  (void)cubin::CheckObject(bytes, cubin->sm, cubin->suffix, cubin->kind);
}

// A layout that was made once is one that we understand: the way back must give the same bytes.
void LayOut(std::string_view bytes) {
  const Result<elf::File> file = elf::File::Read(bytes);
  const auto note = file ? cubin::ReadToolNote(*file) : std::nullopt;
  if (!note) return;
  const Result<std::string> longer =
      cubin::WithToolOptions(bytes, std::string(note->options) + "-v  ");
  if (!longer) return;
  PTXFARM_CHECK(cubin::ReadCubin(*longer).has_value() == cubin::ReadCubin(bytes).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReadTables(bytes);
  ReadKernels(bytes);
  LayOut(bytes);
  return 0;
}
