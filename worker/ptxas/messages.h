// Messages of ptxas that the farm knows: what kind of fault each is, and clearer words where its
// own lack a number, a reason or a way out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "action/action_result.h"
#include "base/int.h"

namespace ptxfarm::worker {

// What a message speaks of by a name, which is its first part: there ptxas tells no line, or the
// one after (ptxas/places.h finds it).
enum class Subject : u8 {
  kNone,
  kEntry,
  kShared,     // The .shared variables of an entry.
  kConstants,  // The .const variables of the module.
  kSymbol,     // A function or variable that is declared and not defined.
  kPragma,
  kFileIndex,  // The number of a .file.
};

struct MessageRow {
  // The message, with {} for what varies.
  std::string_view pattern;
  std::string_view kind;
  action::Outcome outcome;
  // Clearer words with {0}, {1}, … for the pattern's parts; hexadecimal numbers become decimal.
  // Empty: ptxas's own.
  std::string_view words;
  Subject subject = Subject::kNone;
  // Which parts are numbers: of a limit, and of a line of the text; -1 for none.
  int asked = -1;
  int allowed = -1;
  int line = -1;
};

std::span<const MessageRow> Messages();

struct KnownMessage {
  const MessageRow* row = nullptr;  // Null where no row fits.
  std::string words;                // What to tell the user.
  std::string name;                 // Of the row's subject; empty where it has none.
  u64 asked = 0;                    // The row's numbers; 0 for those it hasn't.
  u64 allowed = 0;
  u32 line = 0;
};
KnownMessage FindMessage(std::string_view message);

// The texts that stand for each {} of `pattern`, where `text` fits it as a whole.
std::optional<std::vector<std::string>> Match(std::string_view pattern, std::string_view text);

}  // namespace ptxfarm::worker
