#include "toolchain/object/cubin/attributes.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/bytes.h"

namespace ptxfarm::object::cubin {
namespace {

using Format = AttributeFormat;
using Shape = AttributeShape;

// Numbers and names are those that public listings of cubins print; formats and shapes were
// measured on CUDA 13.0's output and libraries. Rows of unknown format
// have a name and were not met in a file.
// clang-format off
constexpr AttributeDesc kAttributes[] = {
    {0x01, "PAD",                               Format::kUnknown, Shape::kWords},
    {0x02, "IMAGE_SLOT",                        Format::kUnknown, Shape::kWords},
    {0x03, "JUMPTABLE_RELOCS",                  Format::kUnknown, Shape::kWords},
    {0x04, "CTAIDZ_USED",                       Format::kFlag,    Shape::kNothing},
    {0x05, "MAX_THREADS",                       Format::kBytes,   Shape::kExtent},
    {0x06, "IMAGE_OFFSET",                      Format::kUnknown, Shape::kWords},
    {0x07, "IMAGE_SIZE",                        Format::kUnknown, Shape::kWords},
    {0x08, "TEXTURE_NORMALIZED",                Format::kUnknown, Shape::kWords},
    {0x09, "SAMPLER_INIT",                      Format::kBytes,   Shape::kWords},
    {0x0a, "PARAM_CBANK",                       Format::kBytes,   Shape::kParameterBank},
    {0x0b, "SMEM_PARAM_OFFSETS",                Format::kUnknown, Shape::kWords},
    {0x0c, "CBANK_PARAM_OFFSETS",               Format::kUnknown, Shape::kWords},
    {0x0d, "SYNC_STACK",                        Format::kUnknown, Shape::kWords},
    {0x0e, "TEXID_SAMPID_MAP",                  Format::kUnknown, Shape::kWords},
    {0x0f, "EXTERNS",                           Format::kBytes,   Shape::kSymbols},
    {0x10, "REQNTID",                           Format::kBytes,   Shape::kExtent},
    {0x11, "FRAME_SIZE",                        Format::kBytes,   Shape::kSymbolNumber},
    {0x12, "MIN_STACK_SIZE",                    Format::kBytes,   Shape::kSymbolNumber},
    {0x13, "SAMPLER_FORCE_UNNORMALIZED",        Format::kBytes,   Shape::kSymbolNumber},
    {0x14, "BINDLESS_IMAGE_OFFSETS",            Format::kUnknown, Shape::kWords},
    {0x15, "BINDLESS_TEXTURE_BANK",             Format::kByte,    Shape::kNumber},
    {0x16, "BINDLESS_SURFACE_BANK",             Format::kByte,    Shape::kNumber},
    {0x17, "KPARAM_INFO",                       Format::kBytes,   Shape::kParameter},
    {0x18, "SMEM_PARAM_SIZE",                   Format::kUnknown, Shape::kWords},
    {0x19, "CBANK_PARAM_SIZE",                  Format::kHalf,    Shape::kNumber},
    {0x1a, "QUERY_NUMATTRIB",                   Format::kUnknown, Shape::kWords},
    {0x1b, "MAXREG_COUNT",                      Format::kHalf,    Shape::kNumber},
    {0x1c, "EXIT_INSTR_OFFSETS",                Format::kBytes,   Shape::kOffsets},
    {0x1d, "S2RCTAID_INSTR_OFFSETS",            Format::kUnknown, Shape::kOffsets},
    {0x1e, "CRS_STACK_SIZE",                    Format::kBytes,   Shape::kNumber},
    {0x1f, "NEED_CNP_WRAPPER",                  Format::kUnknown, Shape::kWords},
    {0x20, "NEED_CNP_PATCH",                    Format::kUnknown, Shape::kWords},
    {0x21, "EXPLICIT_CACHING",                  Format::kUnknown, Shape::kWords},
    {0x22, "ISTYPEP_USED",                      Format::kFlag,    Shape::kNothing},
    {0x23, "MAX_STACK_SIZE",                    Format::kBytes,   Shape::kSymbolNumber},
    {0x24, "SUQ_USED",                          Format::kUnknown, Shape::kWords},
    {0x25, "LD_CACHEMOD_INSTR_OFFSETS",         Format::kUnknown, Shape::kOffsets},
    {0x26, "LOAD_CACHE_REQUEST",                Format::kUnknown, Shape::kWords},
    {0x27, "ATOM_SYS_INSTR_OFFSETS",            Format::kUnknown, Shape::kOffsets},
    {0x28, "COOP_GROUP_INSTR_OFFSETS",          Format::kBytes,   Shape::kOffsets},
    {0x29, "COOP_GROUP_MASK_REGIDS",            Format::kBytes,   Shape::kWords},
    {0x2a, "SW1850030_WAR",                     Format::kUnknown, Shape::kWords},
    {0x2b, "WMMA_USED",                         Format::kFlag,    Shape::kNothing},
    {0x2c, "HAS_PRE_V10_OBJECT",                Format::kUnknown, Shape::kWords},
    {0x2d, "ATOMF16_EMUL_INSTR_OFFSETS",        Format::kUnknown, Shape::kOffsets},
    {0x2e, "ATOM16_EMUL_INSTR_REG_MAP",         Format::kBytes,   Shape::kPairs},
    {0x2f, "REGCOUNT",                          Format::kBytes,   Shape::kSymbolNumber},
    {0x30, "SW2393858_WAR",                     Format::kUnknown, Shape::kWords},
    {0x31, "INT_WARP_WIDE_INSTR_OFFSETS",       Format::kBytes,   Shape::kOffsets},
    {0x32, "SHARED_SCRATCH",                    Format::kUnknown, Shape::kWords},
    {0x33, "STATISTICS",                        Format::kUnknown, Shape::kWords},
    {0x34, "INDIRECT_BRANCH_TARGETS",           Format::kBytes,   Shape::kWords},
    {0x35, "SW2861232_WAR",                     Format::kFlag,    Shape::kNothing},
    {0x36, "SW_WAR",                            Format::kBytes,   Shape::kNumber},
    {0x37, "CUDA_API_VERSION",                  Format::kBytes,   Shape::kVersion},
    {0x38, "NUM_MBARRIERS",                     Format::kHalf,    Shape::kNumber},
    {0x39, "MBARRIER_INSTR_OFFSETS",            Format::kBytes,   Shape::kWords},
    {0x3a, "COROUTINE_RESUME_OFFSETS",          Format::kUnknown, Shape::kWords},
    {0x3b, "SAM_REGION_STACK_SIZE",             Format::kUnknown, Shape::kSymbolNumber},
    {0x3c, "PER_REG_TARGET_PERF_STATS",         Format::kUnknown, Shape::kWords},
    {0x3d, "CTA_PER_CLUSTER",                   Format::kBytes,   Shape::kExtent},
    {0x3e, "EXPLICIT_CLUSTER",                  Format::kFlag,    Shape::kNothing},
    {0x3f, "MAX_CLUSTER_RANK",                  Format::kBytes,   Shape::kNumber},
    {0x40, "INSTR_REG_MAP",                     Format::kBytes,   Shape::kWords},
    {0x41, "RESERVED_SMEM_USED",                Format::kFlag,    Shape::kNothing},
    {0x42, "RESERVED_SMEM_0_SIZE",              Format::kUnknown, Shape::kWords},
    {0x43, "UCODE_SECTION_DATA",                Format::kUnknown, Shape::kWords},
    {0x44, "UNUSED_LOAD_BYTE_OFFSET",           Format::kBytes,   Shape::kPairs},
    {0x45, "KPARAM_INFO_V2",                    Format::kBytes,   Shape::kParameterV2},
    {0x46, "SYSCALL_OFFSETS",                   Format::kBytes,   Shape::kOffsets},
    {0x47, "SW_WAR_MEMBAR_SYS_INSTR_OFFSETS",   Format::kUnknown, Shape::kOffsets},
    {0x48, "GRAPHICS_GLOBAL_CBANK",             Format::kUnknown, Shape::kWords},
    {0x49, "SHADER_TYPE",                       Format::kUnknown, Shape::kWords},
    {0x4a, "VRC_CTA_INIT_COUNT",                Format::kByte,    Shape::kHexNumber},
    {0x4b, "TOOLS_PATCH_FUNC",                  Format::kFlag,    Shape::kNothing},
    {0x4c, "NUM_BARRIERS",                      Format::kByte,    Shape::kNumber},
    {0x4d, "TEXMODE_INDEPENDENT",               Format::kFlag,    Shape::kNothing},
    {0x4e, "PERF_STATISTICS",                   Format::kUnknown, Shape::kWords},
    {0x4f, "AT_ENTRY_FRAGMENTS",                Format::kBytes,   Shape::kWords},
    {0x50, "SPARSE_MMA_MASK",                   Format::kHalf,    Shape::kHexNumber},
    {0x51, "TCGEN05_1CTA_USED",                 Format::kFlag,    Shape::kNothing},
    {0x52, "TCGEN05_2CTA_USED",                 Format::kFlag,    Shape::kNothing},
    {0x53, "GEN_ERRBAR_AT_EXIT",                Format::kFlag,    Shape::kNothing},
    {0x54, "REG_RECONFIG",                      Format::kFlag,    Shape::kNothing},
    {0x55, "ANNOTATIONS",                       Format::kBytes,   Shape::kWords},
    {0x56, "UNKNOWN",                           Format::kUnknown, Shape::kWords},
    {0x57, "STACK_CANARY_TRAP_OFFSETS",         Format::kUnknown, Shape::kOffsets},
    {0x58, "STUB_FUNCTION_KIND",                Format::kUnknown, Shape::kWords},
    {0x59, "LOCAL_CTA_ASYNC_STORE_OFFSETS",     Format::kUnknown, Shape::kOffsets},
    {0x5a, "MERCURY_FINALIZER_OPTIONS",         Format::kBytes,   Shape::kWords},
    {0x5b, "BLOCKS_ARE_CLUSTERS",               Format::kFlag,    Shape::kNothing},
    {0x5c, "SANITIZE",                          Format::kHalf,    Shape::kNumber},
    {0x5d, "SYSCALLS_FALLBACK",                 Format::kUnknown, Shape::kWords},
    {0x5e, "CUDA_REQ",                          Format::kUnknown, Shape::kWords},
    {0x5f, "MERCURY_ISA_VERSION",               Format::kHalf,    Shape::kVersion},
};

// .nv.compat has the same form of records and codes of its own.
constexpr AttributeDesc kCompatAttributes[] = {
    {0x01, "PAD",                               Format::kUnknown, Shape::kWords},
    {0x02, "ISA_CLASS",                         Format::kByte,    Shape::kNumber},
    {0x03, "INST_TENSORMAP_V1",                 Format::kByte,    Shape::kNumber},
    {0x04, "INST_TCGEN05_MMA_DEPRECATED",       Format::kUnknown, Shape::kWords},
    {0x05, "INST_TCGEN05_MMA",                  Format::kByte,    Shape::kNumber},
    {0x06, "ENABLE_OPPORTUNISTIC_FINALIZATION", Format::kByte,    Shape::kNumber},
    {0x07, "MERCURY_ISA_MAJOR_MINOR_VERSION",   Format::kHalf,    Shape::kVersion},
    {0x08, "MERCURY_ISA_PATCH_VERSION",         Format::kUnknown, Shape::kWords},
    {0x09, "CUDA_ACCELERATOR_TARGET",           Format::kByte,    Shape::kNumber},
    {0x0b, "CAN_FASTPATH_FINALIZE",             Format::kBytes,   Shape::kWords},
};
// clang-format on

constexpr bool CodesAscend(std::span<const AttributeDesc> rows) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i - 1].code >= rows[i].code) return false;
  return true;
}
static_assert(CodesAscend(kAttributes) && CodesAscend(kCompatAttributes),
              "rows are searched by halves");

const AttributeDesc* Find(std::span<const AttributeDesc> rows, u8 code) {
  const auto row = std::lower_bound(rows.begin(), rows.end(), code,
                                    [](const AttributeDesc& a, u8 b) { return a.code < b; });
  return row != rows.end() && row->code == code ? &*row : nullptr;
}

std::string NameOfSymbol(std::span<const std::string_view> names, u32 index) {
  if (index < names.size() && !names[index].empty()) return std::string(names[index]);
  return fmt::format("#{}", index);
}

std::string Words(const Attribute& attribute, fmt::format_string<u32> format) {
  std::string text;
  for (std::size_t i = 0; i < attribute.bytes.size() / 4; ++i) {
    if (i > 0) text += ' ';
    text += fmt::format(format, attribute.Word(i));
  }
  return text;
}

std::string Pairs(const Attribute& attribute) {
  std::string text;
  for (std::size_t i = 0; i + 1 < attribute.bytes.size() / 4; i += 2)
    text +=
        fmt::format("{}{:#x}:{:#x}", i > 0 ? " " : "", attribute.Word(i), attribute.Word(i + 1));
  return text;
}

// 130 of a u32 is CUDA 13.0, 0x0101 of a u16 is 1.1: the two ways in which the format writes
// versions.
std::string Version(const Attribute& attribute) {
  if (attribute.format == Format::kBytes)
    return fmt::format("{}.{}", attribute.Word(0) / 10, attribute.Word(0) % 10);
  return fmt::format("{}.{}", attribute.number >> 8, attribute.number & 0xff);
}

std::string ValueText(const Attribute& attribute, Shape shape,
                      std::span<const std::string_view> names) {
  const bool in_bytes = attribute.format == Format::kBytes;
  switch (shape) {
    case Shape::kNothing: return "";
    case Shape::kNumber:
      return in_bytes ? Words(attribute, "{}") : fmt::format("{}", attribute.number);
    case Shape::kHexNumber:
      return in_bytes ? Words(attribute, "{:#x}") : fmt::format("{:#x}", attribute.number);
    case Shape::kExtent:
      return fmt::format("{}x{}x{}", attribute.Word(0), attribute.Word(1), attribute.Word(2));
    case Shape::kSymbols: {
      std::string text;
      for (std::size_t i = 0; i < attribute.bytes.size() / 4; ++i)
        text += (i > 0 ? " " : "") + NameOfSymbol(names, attribute.Word(i));
      return text;
    }
    case Shape::kSymbolNumber:
      return fmt::format("{} {}", NameOfSymbol(names, attribute.Word(0)),
                         static_cast<i32>(attribute.Word(1)));
    case Shape::kParameterBank:
      return fmt::format("{} base {:#x}, {} bytes", NameOfSymbol(names, attribute.Word(0)),
                         attribute.Word(1) & 0xffff, attribute.Word(1) >> 16);
    case Shape::kParameter:
      return fmt::format("parameter {} at {:#x}, {} bytes", attribute.Word(1) & 0xffff,
                         attribute.Word(1) >> 16, attribute.Word(2) >> 18);
    case Shape::kParameterV2:
      return fmt::format("parameter {} at {:#x}, {} bytes", attribute.Word(1) & 0xffff,
                         attribute.Word(1) >> 16, attribute.Word(2) & 0xffff);
    case Shape::kPairs: return Pairs(attribute);
    case Shape::kVersion: return Version(attribute);
    case Shape::kOffsets:
    case Shape::kWords:
      return in_bytes ? Words(attribute, "{:#x}") : fmt::format("{:#x}", attribute.number);
  }
  return "";
}

}  // namespace

const AttributeDesc* FindAttribute(u8 code) { return Find(kAttributes, code); }
const AttributeDesc* FindCompatAttribute(u8 code) { return Find(kCompatAttributes, code); }

u32 Attribute::Word(std::size_t index) const {
  return ReadAt<u32>(bytes, index * sizeof(u32)).value_or(0);
}

Result<std::vector<Attribute>> ReadAttributes(std::string_view stream) {
  std::vector<Attribute> attributes;
  for (u64 offset = 0; offset < stream.size();) {
    const std::optional<u32> head = ReadAt<u32>(stream, offset);
    if (!head) return MakeError(Code::kDataLoss, "attribute record cut short at {:#x}", offset);
    Attribute attribute{.code = static_cast<u8>(*head >> 8),
                        .format = static_cast<AttributeFormat>(*head & 0xff)};
    const u16 half = static_cast<u16>(*head >> 16);
    offset += sizeof(u32);
    switch (attribute.format) {
      case Format::kFlag: break;
      case Format::kByte: attribute.number = half & 0xff; break;
      case Format::kHalf: attribute.number = half; break;
      case Format::kBytes: {
        const std::optional<std::string_view> bytes = SliceAt(stream, offset, half);
        if (!bytes)
          return MakeError(Code::kDataLoss, "value of attribute {:#x} cut short at {:#x}",
                           attribute.code, offset);
        attribute.bytes = *bytes;
        offset += AlignUp(half, 4);
        break;
      }
      default:
        return MakeError(Code::kDataLoss, "attribute of unknown format {} at {:#x}", *head & 0xff,
                         offset - sizeof(u32));
    }
    attributes.push_back(attribute);
  }
  return attributes;
}

std::string DescribeAttribute(const Attribute& attribute, const AttributeDesc* desc,
                              std::span<const std::string_view> symbol_names) {
  const std::string name =
      desc != nullptr ? std::string(desc->name) : fmt::format("{:#04x}", attribute.code);
  const std::string value =
      ValueText(attribute, desc != nullptr ? desc->shape : Shape::kWords, symbol_names);
  return value.empty() ? name : name + " " + value;
}

}  // namespace ptxfarm::object::cubin
