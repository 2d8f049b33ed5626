// The table of pragmas. To add one, add its row.
#include "toolchain/ptx/isa/pragmas.h"

#include <algorithm>

namespace ptxfarm::ptx {
namespace {

constexpr u8 kAnywhere = Site::kModule | Site::kEntry | Site::kBody;
constexpr u8 kInFunction = Site::kEntry | Site::kBody;
constexpr u8 kBody = static_cast<u8>(Site::kBody);

// PTX ISA 9.4 §12. enable_smem_spilling is in the manual from 9.0 on; ptxas takes it from 8.7 on.
// clang-format off
constexpr PragmaDesc kPragmas[] = {
    // word                  syntax                       places       {since, target}  argument                  section  whole program only
    {"nounroll",             "\"nounroll\"",              kAnywhere,   {{2, 0}},        PragmaArgument::kNone,    "12.1"},
    {"used_bytes_mask",      "\"used_bytes_mask MASK\"",  kBody,       {{8, 3}, 50},    PragmaArgument::k32Bits,  "12.2"},
    {"enable_smem_spilling", "\"enable_smem_spilling\"",  kInFunction, {{8, 7}, 75},    PragmaArgument::kNone,    "12.3",  true},
    {"frequency",            "\"frequency N\"",           kBody,       {{9, 0}},        PragmaArgument::k64Bits,  "12.4"},
    {"mma_throughput",       "\"mma_throughput\"",        kInFunction, {{9, 3}},        PragmaArgument::kNone,    "12.5"},
};
// clang-format on

}  // namespace

std::span<const PragmaDesc> AllPragmas() { return kPragmas; }

const PragmaDesc* FindPragma(std::string_view word) {
  const auto found = std::find_if(std::begin(kPragmas), std::end(kPragmas),
                                  [&](const PragmaDesc& desc) { return desc.word == word; });
  return found == std::end(kPragmas) ? nullptr : found;
}

}  // namespace ptxfarm::ptx
