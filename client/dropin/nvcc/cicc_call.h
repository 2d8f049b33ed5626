// One call of cicc, nvcc's step from preprocessed CUDA to PTX, as the cache sees it.
//
// cicc's options are nobody's interface. What nvcc 13.0 gives it for every option of its own stands
// in a table; a word that isn't there makes the call one for the real cicc alone.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"

namespace ptxfarm::dropin {

// Files that a call may write, in the order in which they are kept.
enum class CiccOutput : u8 { kPtx, kLtoIr, kHostSource, kStub, kDeviceSource, kModuleId };
inline constexpr std::size_t kCiccOutputs = 6;

struct CiccCall {
  std::string why_not;  // Not for a cache, for this reason; the rest is then not to be used.

  std::vector<std::string> key_words;  // What can change a byte, with names as WithoutNumber().
  std::string text;                    // The preprocessed text's path.
  std::string module_id;               // Of the module's id where it is read; else empty.
  std::array<std::string, kCiccOutputs> outputs;  // Paths; empty where it isn't written.

  // "0000a1b2_00000000", in the names of nvcc's temporary files behind "tmpxft_": its process, and
  // how often it had to look for names that are free. They differ from call to call of nvcc and
  // stand in what cicc writes. Empty where the names are of another form (--keep).
  std::string number;
};

// Words behind the program's name.
CiccCall ReadCiccCall(std::span<const std::string> words);

// Both leave the length as it is.
std::string WithoutNumber(std::string text, std::string_view number);
std::string WithNumber(std::string text, std::string_view number);

// Whether a text of the user's own could be taken for such a name.
bool NamesTemporaryFiles(std::string_view text);

}  // namespace ptxfarm::dropin
