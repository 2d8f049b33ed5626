#include "toolchain/ptx/isa/spelling_cache.h"

#include <algorithm>
#include <functional>

namespace ptxfarm::ptx::isa {
namespace {

std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.', 1), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

}  // namespace

SpellingCache& SpellingCache::OfProcess() {
  static SpellingCache cache;
  return cache;
}

std::shared_ptr<const Spelling> SpellingCache::Find(std::string_view text, const ModuleHead& head) {
  const KeyView key{text, head.version, head.target};
  Part& part = parts_[Hash()(key) % parts_.size()];
  {
    const std::lock_guard lock(part.mutex);
    if (const auto found = part.spellings.find(key); found != part.spellings.end())
      return found->second;
  }
  std::shared_ptr<const Spelling> spelling = Resolve(WordsOf(text), head);
  const bool is_wrong = spelling->overloads.empty() || !spelling->issues.empty();
  if (is_wrong) return spelling;
  const std::lock_guard lock(part.mutex);
  if (part.spellings.size() >= kSpellingsCachedMax.value / parts_.size()) part.spellings.clear();
  // Another thread may have been first: then its one is as good.
  part.spellings.try_emplace({spelling->text, head.version, head.target}, spelling);
  return spelling;
}

std::size_t SpellingCache::size() const {
  std::size_t size = 0;
  for (const Part& part : parts_) {
    const std::lock_guard lock(part.mutex);
    size += part.spellings.size();
  }
  return size;
}

std::size_t SpellingCache::Hash::operator()(const KeyView& key) const {
  const std::size_t head = static_cast<std::size_t>(key.version.major) << 16 |
                           static_cast<std::size_t>(key.version.minor) << 8 |
                           static_cast<std::size_t>(key.target.suffix());
  constexpr std::size_t kSpread = 0x9E3779B97F4A7C15;  // 2^64 by the golden ratio.
  return std::hash<std::string_view>()(key.text) ^ (head << 16 ^ key.target.number()) * kSpread;
}

}  // namespace ptxfarm::ptx::isa
