// Cubin: the ELF file that holds a module's machine code for one target; read here into what a
// person or a farm asks of it.
//
// Nothing is copied: all names and bytes are views into the caller's bytes, which must outlive the
// Cubin.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"
#include "toolchain/object/cubin/attributes.h"
#include "toolchain/object/cubin/tool_note.h"
#include "toolchain/object/elf/elf.h"

namespace ptxfarm::object::cubin {

// e_machine of all GPU objects.
inline constexpr u16 kMachineCuda = 190;

enum class CubinKind : u8 {
  kExecutable,   // What the driver loads.
  kRelocatable,  // `ptxas -c`: for nvlink.
  kExtensible,   // `ptxas -ewp`: executable, and more can be linked to it.
};
std::string_view KindName(CubinKind kind);

enum class Binding : u8 { kLocal, kGlobal, kWeak, kOther };
std::string_view BindingName(Binding binding);

// State space of the pointee of a `.ptr` parameter, or the kind of an opaque one.
enum class ParameterSpace : u8 {
  kNotAPointer = 0,
  kLocal = 1,
  kShared = 2,
  kConst = 3,
  kGlobal = 4,
  kGeneric = 5,
  kTexture = 6,
  kSurface = 7,
  kSampler = 8,
};
std::string_view ParameterSpaceName(ParameterSpace space);

struct Parameter {
  u16 ordinal = 0;
  u16 offset = 0;  // From the first parameter's.
  u32 size_bytes = 0;
  u32 pointee_alignment = 1;
  ParameterSpace space = ParameterSpace::kNotAPointer;
};

struct Extent {
  u32 x = 0, y = 0, z = 0;
};

// Bytes of one constant bank.
struct BankUse {
  u8 bank = 0;
  u64 bytes = 0;
};

// The bytes of one bank, 0 where it isn't used.
u64 BankBytes(const std::vector<BankUse>& banks, u8 bank);

// An entry or a device function, with what it takes to run it.
struct Function {
  std::string_view name;
  bool is_entry = false;
  Binding binding = Binding::kLocal;
  u32 symbol_index = 0;
  u32 section_index = 0;  // Of its .text section; shared where a caller's code holds it.
  u64 code_bytes = 0;

  // A callee of an executable stands in its caller's section ("$caller$callee"), and an alias in
  // that of the function it names: these have no figures of their own but the frame.
  bool has_own_section = false;
  u32 registers = 0;
  u32 frame_bytes = 0;  // Stack frame of this function alone; local memory and spills are in it.
  std::optional<u32>
      stack_bytes;       // With all it calls; not where recursion or pointers leave it open.
  u64 shared_bytes = 0;  // Static, without what the hardware reserves.
  std::vector<BankUse>
      constant_banks;  // Its own: bank 0 holds the parameters, bank 2 the compiler's constants.
  u32 parameter_bytes = 0;
  std::vector<Parameter> parameters;  // By ordinal.
  u32 barriers = 0;
  std::optional<Extent> max_threads;       // .maxntid
  std::optional<Extent> required_threads;  // .reqntid
  std::optional<u32> max_registers;  // .maxnreg, -maxrregcount, or what the thread limits imply.
  std::optional<Extent> cluster;     // .reqnctapercluster
  std::optional<u32> max_cluster_rank;
  bool explicit_cluster = false;
  bool blocks_are_clusters = false;
  std::vector<Attribute> attributes;  // All records of .nv.info.<name>.
};

struct Variable {
  std::string_view name;
  std::string_view section;  // ".nv.global", ".nv.constant3", …; "" for common and undefined ones.
  Binding binding = Binding::kLocal;
  u64 size_bytes = 0;
};

struct UndefinedSymbol {
  std::string_view name;
  Binding binding = Binding::kLocal;
  bool is_function = false;
};

struct Cubin {
  elf::File file;
  CubinKind kind = CubinKind::kExecutable;
  u32 sm = 0;
  // 'a', 'f' or 0. The file marks 'a'; 'f' shows in the tool's option text alone, so 0 where that
  // was dropped.
  char suffix = 0;
  u32 virtual_sm = 0;        // 0 where the file doesn't say.
  u32 cuda_version = 0;      // Ten times the version: 130 is CUDA 13.0.
  bool old_layout = false;   // As CUDA 12 and before wrote it.
  bool has_capsule = false;  // Carries the second form of the code that can be finalized for later
                             // targets (sm_100 on).
  std::optional<ToolNote> tool;

  std::vector<std::string_view>
      symbol_names;  // By the file's index; section symbols by their section.
  std::vector<Function>
      functions;  // Entries and device functions in the order of the symbol table.
  std::vector<Variable> variables;
  std::vector<UndefinedSymbol> undefined;  // Without those that the toolchain itself resolves.
  std::vector<BankUse> constant_banks;     // The module's: bank 3 holds `.const`, bank 4 addresses.
  std::vector<Attribute> attributes;       // All records of .nv.info.
  std::vector<Attribute> compat;           // All records of .nv.compat.

  const Function* FindFunction(std::string_view name) const;
  // "sm_90a"
  std::string TargetName() const;
};

// Reads a whole cubin. INVALID_ARGUMENT: not an ELF file, or not for a GPU. DATA_LOSS: cut short or
// damaged; the message names the table.
Result<Cubin> ReadCubin(std::string_view bytes);

// "sm_90a"
std::string TargetName(u32 sm, char suffix);

}  // namespace ptxfarm::object::cubin
