// What the farm must know of a module before it plans: read from the text once, then kept, so that
// for a hit the text's digest is enough.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/diagnostic.h"
#include "base/digest.h"
#include "base/result.h"
#include "toolchain/ptx/canonical.h"
#include "toolchain/target/target.h"

namespace ptxfarm::server {

// How a text is read: what its verdict depends on beside the text.
struct Reading {
  bool verifies = true;         // Else the compiler is the judge.
  bool is_relocatable = false;  // What is declared only may be defined in other modules.
  // It was rewritten to this older version before (CompileRequest.bridge).
  std::optional<PtxVersion> as_version = std::nullopt;
  bool is_structural = false;  // In its structural form (ptx/structural.h).

  bool IsAsWritten() const { return !as_version && !is_structural; }

  friend bool operator==(const Reading&, const Reading&) = default;
};

struct ModuleFacts {
  Digest source;  // Of the text as received.
  Reading reading;
  bool has_form = true;  // Else the form that `reading` names is not to be had.
  Digest exact;          // Of its exact form (ptx/canonical.h).
  Digest canonical;      // Of its canonical form; that of the exact one where lines matter.
  PtxVersion version;
  u32 version_offset = 0;
  Place version_place;
  // What its contents need; the version itself where that isn't known.
  PtxVersion lowest_version;
  Target target;
  Place target_place;
  bool is_debug = false;
  bool lines_matter = false;
  std::vector<std::string> entries;  // Those defined here; at most kEntriesShownMax.
  Diagnostics warnings;              // Those of `ptxfarm check`.
};

// Reads a text of at most ptx::kSourceBytesMax bytes. Where it is wrong, the diagnostics are those
// of `ptxfarm check`: all that is known of it, in order of place. Of a language newer than our
// tables only the head is judged: whether a compiler has it is the plan's to say.
Result<ModuleFacts, Diagnostics> ReadModule(std::string_view text, const Digest& source,
                                            Reading reading);

// The text as `form` says; nothing where that can't be. `written` are the facts of the text.
std::optional<std::string> TextInForm(std::string_view text, const ModuleFacts& written,
                                      const Reading& form);

// What is handed to the compiler, with the way back to the user's places. The text was read before
// without errors.
ptx::CompilerText TextForCompiler(std::string_view text, bool exact);

// Facts of the modules seen last. Safe to call from many threads.
class ModuleCache {
 public:
  std::shared_ptr<const ModuleFacts> Find(const Digest& source, Reading reading);
  void Insert(std::shared_ptr<const ModuleFacts> facts);

 private:
  using List = std::list<std::shared_ptr<const ModuleFacts>>;
  struct Key {
    Digest source;
    Reading reading;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<Digest>{}(key.source) ^
             (std::size_t{key.reading.is_structural} << 3 |
              std::size_t{key.reading.as_version.has_value()} << 2 |
              std::size_t{key.reading.verifies} << 1 | std::size_t{key.reading.is_relocatable});
    }
  };

  std::mutex mutex_;
  List newest_first_;
  std::unordered_map<Key, List::iterator, KeyHash> by_key_;
};

}  // namespace ptxfarm::server
