// Spellings that were resolved before in this process: modules of one origin share most of theirs,
// and resolving one costs some hundred times what finding it does.
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>

#include "base/limits.h"
#include "toolchain/ptx/isa/spelling.h"

namespace ptxfarm::ptx::isa {

inline constexpr Limit kSpellingsCachedMax{"spellings_cached_max", 8192,
                                           "some 2 KiB each; a build uses hundreds"};

// Safe to call from many threads: parts by hash, each with its own lock, so that they seldom meet.
class SpellingCache {
 public:
  // What is cached depends on nothing but its key, so one for all is invisible but for its speed.
  static SpellingCache& OfProcess();

  // The words' spelling for modules of this version and target; `text` are the words side by side.
  // Only those that are right are kept: there are as many as the tables have, while wrong ones come
  // from outside in any number. A part that is full begins anew.
  std::shared_ptr<const Spelling> Find(std::string_view text, const ModuleHead& head);

  // How many are kept.
  std::size_t size() const;

 private:
  struct KeyView {
    std::string_view text;
    PtxVersion version;
    Target target;

    friend bool operator==(const KeyView&, const KeyView&) = default;
  };
  struct Hash {
    std::size_t operator()(const KeyView& key) const;
  };
  // The keys look into their spelling's text.
  struct Part {
    mutable std::mutex mutex;
    std::unordered_map<KeyView, std::shared_ptr<const Spelling>, Hash> spellings;
  };

  std::array<Part, 16> parts_;
};

}  // namespace ptxfarm::ptx::isa
