// The attribute records of cubins (.nv.info, .nv.info.<function>, .nv.compat): what a kernel needs
// and what was done to it.
//
// A stream is records back to back, each of a format byte, a code and a value; what is known of a
// code stands in a row.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::object::cubin {

// How a record carries its value; the numbers are those of the file.
enum class AttributeFormat : u8 {
  kUnknown = 0,  // In rows only: of codes that we have not met in a file.
  kFlag = 1,     // No value.
  kByte = 2,     // u8
  kHalf = 3,     // u16
  kBytes = 4,    // u16 length, then as many bytes, padded to a multiple of 4.
};

// How the value of a record reads; what isn't known prints as hexadecimal words.
enum class AttributeShape : u8 {
  kWords,  // u32 each
  kNothing,
  kNumber,  // u8, u16 or u32
  kHexNumber,
  kSymbols,        // u32 symbol indices
  kSymbolNumber,   // u32 symbol index, i32 value
  kExtent,         // u32 each of x, y, z
  kOffsets,        // u32 instruction offsets in the function's code
  kPairs,          // {u32 instruction offset, u32 value} each
  kParameter,      // 12 bytes: KPARAM_INFO
  kParameterV2,    // 12 bytes: KPARAM_INFO_V2
  kParameterBank,  // u32 symbol index of the bank, u16 base, u16 bytes
  kVersion,        // u32 or u16: decimal ten times the version, or major and minor byte
};

struct AttributeDesc {
  u8 code;
  std::string_view name;  // As public listings of cubins print it.
  AttributeFormat format;
  AttributeShape shape;
};

// Rows by code, of the .nv.info streams and of .nv.compat. Null for a code without a row.
const AttributeDesc* FindAttribute(u8 code);
const AttributeDesc* FindCompatAttribute(u8 code);

// Codes that this library itself acts on.
// clang-format off
inline constexpr u8 kMaxThreads         = 0x05;
inline constexpr u8 kRequiredThreads    = 0x10;
inline constexpr u8 kFrameSize          = 0x11;
inline constexpr u8 kMinStackSize       = 0x12;
inline constexpr u8 kParameterInfo      = 0x17;
inline constexpr u8 kParameterBytes     = 0x19;
inline constexpr u8 kMaxRegisters       = 0x1b;
inline constexpr u8 kMaxStackSize       = 0x23;
inline constexpr u8 kRegisterCount      = 0x2f;
inline constexpr u8 kCtaPerCluster      = 0x3d;
inline constexpr u8 kExplicitCluster    = 0x3e;
inline constexpr u8 kMaxClusterRank     = 0x3f;
inline constexpr u8 kParameterInfoV2    = 0x45;
inline constexpr u8 kBarrierCount       = 0x4c;
inline constexpr u8 kBlocksAreClusters  = 0x5b;

inline constexpr u8 kCompatAccelerated  = 0x09;
// clang-format on

struct Attribute {
  u8 code = 0;
  AttributeFormat format = AttributeFormat::kFlag;
  u16 number = 0;          // Of kByte and kHalf.
  std::string_view bytes;  // Of kBytes.

  // The i-th u32 of the value, 0 where there is none.
  u32 Word(std::size_t index) const;
};

// Walks a stream to its end. DATA_LOSS where a record is cut short or has a format that doesn't
// exist, for then the rest can't be found.
Result<std::vector<Attribute>> ReadAttributes(std::string_view stream);

// One line of text: "REGCOUNT k 24". `symbol_names` are the names of the file's symbol
// indices.
std::string DescribeAttribute(const Attribute& attribute, const AttributeDesc* desc,
                              std::span<const std::string_view> symbol_names);

}  // namespace ptxfarm::object::cubin
