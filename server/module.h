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

struct ModuleFacts {
  Digest source;     // Of the text as received.
  Digest exact;      // Of its exact form (ptx/canonical.h).
  Digest canonical;  // Of its canonical form; that of the exact one where lines matter.
  PtxVersion version;
  Place version_place;
  Target target;
  Place target_place;
  bool is_debug = false;
  bool lines_matter = false;
  std::vector<std::string> entries;  // Those defined here; at most kEntriesShownMax.
  Diagnostics warnings;
};

// Reads a text of at most ptx::kSourceBytesMax bytes. The diagnostics are all errors found, with
// their places.
Result<ModuleFacts, Diagnostics> ReadModule(std::string_view text, const Digest& source);

// What is handed to the compiler, with the way back to the user's places. The text was read before
// without errors.
ptx::CompilerText TextForCompiler(std::string_view text, bool exact);

// Facts of the modules seen last. Safe to call from many threads.
class ModuleCache {
 public:
  std::shared_ptr<const ModuleFacts> Find(const Digest& source);
  void Insert(std::shared_ptr<const ModuleFacts> facts);

 private:
  using List = std::list<std::shared_ptr<const ModuleFacts>>;

  std::mutex mutex_;
  List newest_first_;
  std::unordered_map<Digest, List::iterator> by_source_;
};

}  // namespace ptxfarm::server
