// The reader goes over the symbol table first (who is there), then over the sections by name (what
// each takes), then over the attribute streams (what the compiler says of each).
#include "toolchain/object/cubin/cubin.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/bytes.h"

namespace ptxfarm::object::cubin {
namespace {

// e_ident[EI_OSABI]: since CUDA 13 (sm_100 already in 12.8), and before.
constexpr u8 kOsAbi = 0x41;
constexpr u8 kOsAbiOld = 0x33;

constexpr u16 kTypeExtensible = 0xff00;
constexpr u32 kFlagCapsule = 0x2;
constexpr u32 kOldFlagAccelerated = 0x800;

constexpr u32 kSectionInfo = 0x70000000;
constexpr u32 kBanksMax = 18;
constexpr std::string_view kCompatSection = ".nv.compat";

constexpr u8 kSymbolObject = 1;
constexpr u8 kSymbolFunction = 2;
constexpr u8 kSymbolSection = 3;
constexpr u8 kSymbolTexture = 10;
constexpr u8 kSymbolSurface = 12;
constexpr u8 kSymbolVariable = 13;
constexpr u8 kOtherEntry = 0x10;     // st_other of entries.
constexpr u8 kOtherInternal = 0x01;  // Of what the compiler made for itself.

// From sm_90 on the hardware keeps the first KiB of shared memory, and .nv.shared sections count
// it.
constexpr u64 kReservedSharedBytes = 1024;
constexpr u32 kReservedSharedSince = 90;

// Undefined symbols of these beginnings are the toolchain's own: every object has them, the linker
// and the driver know them.
constexpr std::string_view kReservedNames[] = {".nv.", "__nv_reservedSMEM", "__UFT", "__UDT"};

Binding BindingOf(const elf::Symbol& symbol) {
  return symbol.binding <= 2 ? static_cast<Binding>(symbol.binding) : Binding::kOther;
}

bool IsReserved(std::string_view name) {
  return std::any_of(std::begin(kReservedNames), std::end(kReservedNames),
                     [name](std::string_view begin) { return name.starts_with(begin); });
}

class Reader {
 public:
  explicit Reader(Cubin& cubin) : cubin_(cubin) {}

  Status Read() {
    PTXFARM_RETURN_IF_ERROR(ReadHeader());
    PTXFARM_RETURN_IF_ERROR(ReadSymbols());
    ReadSections();
    PTXFARM_RETURN_IF_ERROR(ReadAttributeSections());
    ReadNotes();
    return Ok();
  }

 private:
  Status ReadHeader();
  Status ReadSymbols();
  void AddSymbol(u32 index, const elf::Symbol& symbol);
  void ReadSections();
  Status ReadAttributeSections();
  void ReadNotes();

  // The function whose code the section's sh_info names, or null.
  Function* OwnerOf(const elf::Section& section);
  void ApplyModuleAttribute(const Attribute& attribute);

  Cubin& cubin_;
  std::unordered_map<u32, std::size_t> function_of_section_;  // .text section → its own function
  std::unordered_map<u32, std::size_t> function_of_symbol_;
};

Status Reader::ReadHeader() {
  const elf::Header& header = cubin_.file.header();
  if (header.machine != kMachineCuda)
    return MakeError(Code::kInvalidArgument,
                     "an ELF file for machine {}, not for a GPU (machine {})", header.machine,
                     kMachineCuda);
  if (header.os_abi != kOsAbi && header.os_abi != kOsAbiOld)
    return MakeError(Code::kInvalidArgument, "a GPU object of unknown layout (OS ABI {:#x})",
                     header.os_abi);
  switch (header.type) {
    case elf::kTypeExecutable: cubin_.kind = CubinKind::kExecutable; break;
    case elf::kTypeRelocatable: cubin_.kind = CubinKind::kRelocatable; break;
    case kTypeExtensible: cubin_.kind = CubinKind::kExtensible; break;
    default:
      return MakeError(Code::kInvalidArgument, "a GPU object of unknown type {:#x}", header.type);
  }
  cubin_.old_layout = header.os_abi == kOsAbiOld;
  if (cubin_.old_layout) {
    cubin_.sm = header.flags & 0xff;
    cubin_.virtual_sm = header.flags >> 16 & 0xff;
    cubin_.suffix = (header.flags & kOldFlagAccelerated) != 0 ? 'a' : '\0';
    cubin_.cuda_version = header.version;
  } else {
    cubin_.sm = header.flags >> 8 & 0xffff;
    cubin_.has_capsule = (header.flags & kFlagCapsule) != 0;
  }
  return Ok();
}

Status Reader::ReadSymbols() {
  const elf::Section* const table = cubin_.file.FindSectionOfType(elf::kSectionSymtab);
  if (table == nullptr) return Ok();  // nvlink leaves one out of an empty module.
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<elf::Symbol> symbols, cubin_.file.Symbols(*table));
  cubin_.symbol_names.reserve(symbols.size());
  for (u32 i = 0; i < symbols.size(); ++i) {
    std::string_view name = symbols[i].name;
    if (name.empty() && symbols[i].type == kSymbolSection)
      if (const elf::Section* const section = cubin_.file.SectionAt(symbols[i].section_index))
        name = section->name;
    cubin_.symbol_names.push_back(name);
    if (i > 0) AddSymbol(i, symbols[i]);
  }
  return Ok();
}

void Reader::AddSymbol(u32 index, const elf::Symbol& symbol) {
  const elf::Section* const section = symbol.section_index < elf::kIndexReservedFirst
                                          ? cubin_.file.SectionAt(symbol.section_index)
                                          : nullptr;
  if (symbol.section_index == elf::kIndexUndefined) {
    if (!symbol.name.empty() && !IsReserved(symbol.name))
      cubin_.undefined.push_back({.name = symbol.name,
                                  .binding = BindingOf(symbol),
                                  .is_function = symbol.type == kSymbolFunction});
    return;
  }
  if (symbol.type == kSymbolFunction) {
    const bool has_section = section != nullptr && section->name.starts_with(".text.") &&
                             symbol.value == 0 && section->name.substr(6) == symbol.name;
    if (has_section) function_of_section_[section->index] = cubin_.functions.size();
    function_of_symbol_[index] = cubin_.functions.size();
    cubin_.functions.push_back({.name = symbol.name,
                                .is_entry = (symbol.other & kOtherEntry) != 0,
                                .binding = BindingOf(symbol),
                                .symbol_index = index,
                                .section_index = symbol.section_index,
                                .code_bytes = has_section ? section->size : symbol.size,
                                .has_own_section = has_section});
    return;
  }
  const bool is_variable = symbol.type == kSymbolObject || symbol.type == kSymbolVariable ||
                           (symbol.type >= kSymbolTexture && symbol.type <= kSymbolSurface);
  if (is_variable && (symbol.other & kOtherInternal) == 0 && !IsReserved(symbol.name))
    cubin_.variables.push_back({.name = symbol.name,
                                .section = section != nullptr ? section->name : "",
                                .binding = BindingOf(symbol),
                                .size_bytes = symbol.size});
}

Function* Reader::OwnerOf(const elf::Section& section) {
  const auto found = function_of_section_.find(section.info);
  return found != function_of_section_.end() ? &cubin_.functions[found->second] : nullptr;
}

// The bank of a section name ".nv.constant<bank>[.<function>]", or nothing.
std::optional<u8> BankOf(const elf::Section& section) {
  constexpr std::string_view kPrefix = ".nv.constant";
  if (!section.name.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = section.name.substr(kPrefix.size());
  u32 bank = 0;
  std::size_t digits = 0;
  for (; digits < rest.size() && digits < 2 && rest[digits] >= '0' && rest[digits] <= '9'; ++digits)
    bank = bank * 10 + static_cast<u32>(rest[digits] - '0');
  const bool ends = digits == rest.size() || rest[digits] == '.';
  if (digits == 0 || !ends || bank >= kBanksMax) return std::nullopt;
  return static_cast<u8>(bank);
}

void Reader::ReadSections() {
  for (const elf::Section& section : cubin_.file.sections()) {
    if ((section.flags & elf::kFlagCapsule) != 0) continue;  // The second form repeats the first.
    Function* const owner = OwnerOf(section);
    if (const std::optional<u8> bank = BankOf(section)) {
      (owner != nullptr ? owner->constant_banks : cubin_.constant_banks)
          .push_back({.bank = *bank, .bytes = section.size});
    } else if (owner != nullptr && section.name.starts_with(".nv.shared.")) {
      const bool counts_reserved =
          cubin_.kind == CubinKind::kExecutable && cubin_.sm >= kReservedSharedSince;
      const u64 reserved = counts_reserved ? kReservedSharedBytes : 0;
      owner->shared_bytes = section.size - std::min(section.size, reserved);
    }
  }
  if (!cubin_.old_layout) return;
  // The old layout has no NUM_BARRIERS: five bits of the code section's flags count them.
  for (Function& function : cubin_.functions)
    if (const elf::Section* const section = cubin_.file.SectionAt(function.section_index))
      function.barriers = static_cast<u32>(section->flags >> 20 & 0x1f);
}

std::optional<Extent> ExtentOf(const Attribute& attribute) {
  return Extent{.x = attribute.Word(0), .y = attribute.Word(1), .z = attribute.Word(2)};
}

Parameter ParameterOf(const Attribute& attribute) {
  const u32 place = attribute.Word(1);
  const u32 word = attribute.Word(2);
  const bool v2 = attribute.code == kParameterInfoV2;
  const u32 log2_alignment = v2 ? word >> 16 & 0xff : word & 0xff;
  return {.ordinal = static_cast<u16>(place),
          .offset = static_cast<u16>(place >> 16),
          .size_bytes = v2 ? word & 0xffff : word >> 18,
          .pointee_alignment = log2_alignment < 32 ? 1u << log2_alignment : 0,
          .space = static_cast<ParameterSpace>(v2 ? word >> 24 : word >> 8 & 0xf)};
}

void ApplyFunctionAttribute(const Attribute& attribute, Function& function) {
  switch (attribute.code) {
    case kParameterInfo:
    case kParameterInfoV2: function.parameters.push_back(ParameterOf(attribute)); break;
    case kParameterBytes: function.parameter_bytes = attribute.number; break;
    case kMaxRegisters:
      // 0xff says that nothing limits it.
      if (attribute.number != 0xff) function.max_registers = attribute.number;
      break;
    case kMaxThreads: function.max_threads = ExtentOf(attribute); break;
    case kRequiredThreads: function.required_threads = ExtentOf(attribute); break;
    case kBarrierCount: function.barriers = attribute.number; break;
    case kCtaPerCluster: function.cluster = ExtentOf(attribute); break;
    case kMaxClusterRank: function.max_cluster_rank = attribute.Word(0); break;
    case kExplicitCluster: function.explicit_cluster = true; break;
    case kBlocksAreClusters: function.blocks_are_clusters = true; break;
    default: break;  // Kept as records; only these have a field.
  }
}

void Reader::ApplyModuleAttribute(const Attribute& attribute) {
  const auto found = function_of_symbol_.find(attribute.Word(0));
  if (found == function_of_symbol_.end()) return;
  Function& function = cubin_.functions[found->second];
  const u32 value = attribute.Word(1);
  switch (attribute.code) {
    case kRegisterCount: function.registers = value; break;
    case kFrameSize: function.frame_bytes = value; break;
    case kMinStackSize:
    case kMaxStackSize:
      // Negative where recursion or an indirect call leaves it open.
      if (static_cast<i32>(value) >= 0) function.stack_bytes = value;
      break;
    default: break;
  }
}

Status Reader::ReadAttributeSections() {
  u64 stream_bytes = 0;
  for (const elf::Section& section : cubin_.file.sections()) {
    const bool compat = section.name == kCompatSection;
    if (section.type != kSectionInfo && !compat) continue;
    stream_bytes += section.data.size();
    // A thousand sections over the same bytes would cost a thousand times the file.
    if (stream_bytes > cubin_.file.bytes().size())
      return MakeError(Code::kDataLoss, "attribute sections overlap");
    Result<std::vector<Attribute>> records = ReadAttributes(section.data);
    if (!records) return std::move(records).error().Wrap("section {}", section.name);
    if (compat) {
      cubin_.compat = *std::move(records);
    } else if (Function* const owner = OwnerOf(section)) {
      for (const Attribute& record : *records) ApplyFunctionAttribute(record, *owner);
      owner->attributes = *std::move(records);
      std::stable_sort(
          owner->parameters.begin(), owner->parameters.end(),
          [](const Parameter& a, const Parameter& b) { return a.ordinal < b.ordinal; });
    } else if (section.name == ".nv.info") {
      for (const Attribute& record : *records)
        if (record.format == AttributeFormat::kBytes) ApplyModuleAttribute(record);
      cubin_.attributes = *std::move(records);
    }
  }
  return Ok();
}

// ptxas and nvlink both store "-arch sm_100f " in their normal form.
bool NamesFamilyTarget(std::string_view options, u32 sm) {
  const std::string word = fmt::format("-arch sm_{}f", sm);
  for (std::size_t at = options.find(word); at != std::string_view::npos;
       at = options.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (end == options.size() || options[end] == ' ') return true;
  }
  return false;
}

void Reader::ReadNotes() {
  cubin_.tool = ReadToolNote(cubin_.file);
  if (const std::optional<TargetNote> note = ReadTargetNote(cubin_.file)) {
    cubin_.virtual_sm = note->virtual_sm;
    cubin_.cuda_version = note->cuda_version;
  }
  for (const Attribute& record : cubin_.compat)
    if (record.code == kCompatAccelerated && record.number == 1) cubin_.suffix = 'a';
  if (cubin_.suffix == 0 && cubin_.tool && NamesFamilyTarget(cubin_.tool->options, cubin_.sm))
    cubin_.suffix = 'f';
}

}  // namespace

u64 BankBytes(const std::vector<BankUse>& banks, u8 bank) {
  for (const BankUse& use : banks)
    if (use.bank == bank) return use.bytes;
  return 0;
}

Result<Cubin> ReadCubin(std::string_view bytes) {
  Cubin cubin;
  PTXFARM_ASSIGN_OR_RETURN(cubin.file, elf::File::Read(bytes));
  PTXFARM_RETURN_IF_ERROR(Reader(cubin).Read());
  return cubin;
}

const Function* Cubin::FindFunction(std::string_view name) const {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

std::string Cubin::TargetName() const { return cubin::TargetName(sm, suffix); }

std::string TargetName(u32 sm, char suffix) {
  return fmt::format("sm_{}{}", sm, suffix == 0 ? std::string() : std::string(1, suffix));
}

std::string_view KindName(CubinKind kind) {
  switch (kind) {
    case CubinKind::kExecutable: return "executable";
    case CubinKind::kRelocatable: return "relocatable";
    case CubinKind::kExtensible: return "extensible";
  }
  return "";
}

std::string_view BindingName(Binding binding) {
  switch (binding) {
    case Binding::kLocal: return "local";
    case Binding::kGlobal: return "global";
    case Binding::kWeak: return "weak";
    case Binding::kOther: return "other";
  }
  return "";
}

std::string_view ParameterSpaceName(ParameterSpace space) {
  switch (space) {
    case ParameterSpace::kNotAPointer: return "";
    case ParameterSpace::kLocal: return "local";
    case ParameterSpace::kShared: return "shared";
    case ParameterSpace::kConst: return "const";
    case ParameterSpace::kGlobal: return "global";
    case ParameterSpace::kGeneric: return "generic";
    case ParameterSpace::kTexture: return "texture";
    case ParameterSpace::kSurface: return "surface";
    case ParameterSpace::kSampler: return "sampler";
  }
  return "unknown";
}

}  // namespace ptxfarm::object::cubin
