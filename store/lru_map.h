// A map that knows how many bytes it holds and what was used longest ago. It evicts nothing by
// itself: whoever owns it takes the oldest until it fits.
#pragma once

#include <functional>
#include <list>
#include <unordered_map>
#include <utility>

#include "base/int.h"

namespace ptxfarm {

// Not for several threads at once. Pointers into it hold until the next Put or Remove of that key.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class LruMap {
 public:
  struct Item {
    Key key;
    Value value;
    u64 bytes;
  };

  // The item, which is the youngest now; null where there is none.
  Item* Use(const Key& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    items_.splice(items_.begin(), items_, found->second);
    return &*found->second;
  }

  // The item used longest ago; null in an empty map.
  const Item* Oldest() const { return items_.empty() ? nullptr : &items_.back(); }

  void Put(const Key& key, Value value, u64 bytes) {
    Remove(key);
    items_.push_front({key, std::move(value), bytes});
    by_key_.emplace(key, items_.begin());
    bytes_ += bytes;
  }

  bool Remove(const Key& key) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return false;
    const auto item = found->second;
    by_key_.erase(found);  // First: `key` may be the item's own.
    bytes_ -= item->bytes;
    items_.erase(item);
    return true;
  }

  u64 bytes() const { return bytes_; }
  std::size_t size() const { return by_key_.size(); }

 private:
  using Items = std::list<Item>;
  Items items_;  // Youngest first.
  std::unordered_map<Key, typename Items::iterator, Hash> by_key_;
  u64 bytes_ = 0;
};

}  // namespace ptxfarm
