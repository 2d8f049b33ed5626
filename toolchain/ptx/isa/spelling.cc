#include "toolchain/ptx/isa/spelling.h"

#include <functional>

#include "toolchain/ptx/isa/spelling_cache.h"

namespace ptxfarm::ptx::isa {

const Spelling& SpellingTable::Find(std::string_view text) {
  if (spellings_.size() * 2 >= slots_.size()) Grow();
  const u64 hash = std::hash<std::string_view>()(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].spelling != nullptr; at = (at + 1) & mask)
    if (slots_[at].hash == hash && slots_[at].spelling->text == text) return *slots_[at].spelling;

  spellings_.push_back(SpellingCache::OfProcess().Find(text, *head_));
  slots_[at] = {hash, spellings_.back().get()};
  return *spellings_.back();
}

void SpellingTable::Grow() {
  constexpr std::size_t kSizeMin = 256;
  std::vector<Slot> before(std::max(kSizeMin, slots_.size() * 2));
  before.swap(slots_);
  for (const Slot& slot : before) {
    if (slot.spelling == nullptr) continue;
    std::size_t at = slot.hash & (slots_.size() - 1);
    while (slots_[at].spelling != nullptr) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

}  // namespace ptxfarm::ptx::isa
