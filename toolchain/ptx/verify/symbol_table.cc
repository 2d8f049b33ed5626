#include "toolchain/ptx/verify/symbol_table.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace ptxfarm::ptx {
namespace {

constexpr std::size_t kSlotsMin = 1024;

template <typename Word>
u64 Load(const char* at) {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// All bytes of a text of less than eight.
u64 ShortWord(const char* at, std::size_t length) {
  if (length >= 4) return Load<u32>(at) | Load<u32>(at + length - 4) << 32;
  if (length == 0) return 0;
  return u64{static_cast<u8>(at[0])} | u64{static_cast<u8>(at[length / 2])} << 8 |
         u64{static_cast<u8>(at[length - 1])} << 16;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The length of the name without the digits at its end.
std::size_t StemLength(std::string_view name) {
  std::size_t length = name.size();
  while (length > 0 && IsDigit(name[length - 1])) --length;
  return length;
}

// The number that the digits spell as a range spells them, without leading zeros.
std::optional<u32> IndexOf(std::string_view digits) {
  constexpr std::size_t kDigitsMax = 9;
  if (digits.empty() || digits.size() > kDigitsMax) return std::nullopt;
  if (digits[0] == '0' && digits.size() > 1) return std::nullopt;
  u32 index = 0;
  for (const char digit : digits) index = index * 10 + static_cast<u32>(digit - '0');
  return index;
}

}  // namespace

// Multiplying and folding eight bytes at a time.
SymbolTable::Key SymbolTable::KeyOf(std::string_view text, bool is_stem) {
  constexpr u64 kFactor = 0x9E3779B97F4A7C15;
  const char* const at = text.data();
  const std::size_t length = text.size();
  const u64 word = length >= 8 ? Load<u64>(at) : ShortWord(at, length);
  u64 hash = (word ^ (length * 2 + (is_stem ? 1 : 0))) * kFactor;
  if (length > 8) {
    for (std::size_t i = 8; i + 8 <= length; i += 8) {
      hash ^= hash >> 29;
      hash = (hash ^ Load<u64>(at + i)) * kFactor;
    }
    hash ^= hash >> 29;
    hash = (hash ^ Load<u64>(at + length - 8)) * kFactor;
  }
  hash ^= hash >> 32;
  return {word, static_cast<u32>(length), static_cast<u32>(hash * kFactor >> 32), is_stem};
}

SymbolTable::SymbolTable() : slots_(kSlotsMin) { scope_begins_.push_back(0); }

void SymbolTable::OpenScope() { scope_begins_.push_back(static_cast<u32>(bindings_.size())); }

void SymbolTable::CloseScope() {
  PTXFARM_CHECK(scope_begins_.size() > 1, "the scope of the module stays open");
  while (bindings_.size() > scope_begins_.back()) {
    const Binding& last = bindings_.back();
    slots_[last.slot].head = last.previous;
    if (last.stem_slot != kNone) slots_[last.stem_slot].stem_head = last.stem_previous;
    bindings_.pop_back();
  }
  scope_begins_.pop_back();
}

std::optional<Symbol> SymbolTable::Declare(std::string_view name, const Symbol& symbol) {
  const u32 earlier = FindBinding(name);
  const auto depth = static_cast<u32>(scope_begins_.size());
  if (earlier != kNone && bindings_[earlier].depth == depth) {
    Binding& binding = bindings_[earlier];
    if (binding.symbol.kind != SymbolKind::kUndeclared) return binding.symbol;
    if (binding.count == 0) {
      binding.symbol = symbol;
      return std::nullopt;
    }
  }
  // Room for both first: making one slot must not move the other.
  if ((used_ + 2) * 2 > slots_.size()) Grow();
  const std::size_t stem = StemLength(name);
  const u32 stem_slot = stem < name.size() ? SlotOf(name.substr(0, stem), true) : kNone;
  Bind(SlotOf(name, false), stem_slot, 0, symbol);
  return std::nullopt;
}

std::optional<Symbol> SymbolTable::DeclareRange(std::string_view prefix, u32 count,
                                                const Symbol& symbol) {
  const u32 slot = SlotOf(prefix, true);
  const auto depth = static_cast<u32>(scope_begins_.size());
  const u32 earlier = slots_[slot].head;
  if (earlier != kNone && bindings_[earlier].depth == depth &&
      bindings_[earlier].symbol.kind != SymbolKind::kUndeclared)
    return bindings_[earlier].symbol;
  for (u32 name = slots_[slot].stem_head; name != kNone && bindings_[name].depth == depth;
       name = bindings_[name].stem_previous) {
    const Slot& of_name = slots_[bindings_[name].slot];
    const std::optional<u32> index =
        IndexOf(std::string_view(of_name.text, of_name.key.length).substr(prefix.size()));
    const bool is_declared = bindings_[name].symbol.kind != SymbolKind::kUndeclared;
    if (index && *index < count && is_declared) return bindings_[name].symbol;
  }
  Bind(slot, kNone, count, symbol);
  return std::nullopt;
}

void SymbolTable::Replace(std::string_view name, const Symbol& symbol) {
  const u32 binding = FindBinding(name);
  PTXFARM_CHECK(binding != kNone, name);
  bindings_[binding].symbol = symbol;
}

const Symbol* SymbolTable::Find(std::string_view name) const {
  const u32 binding = FindBinding(name);
  return binding == kNone ? nullptr : &bindings_[binding].symbol;
}

const Symbol* SymbolTable::FindHidden(std::string_view name) const {
  const u32 binding = FindBinding(name);
  if (binding == kNone || bindings_[binding].previous == kNone) return nullptr;
  return &bindings_[bindings_[binding].previous].symbol;
}

const Symbol* SymbolTable::FindRange(std::string_view prefix, u32* count) const {
  const Slot* const slot = FindSlot(prefix, true);
  if (slot == nullptr || slot->head == kNone) return nullptr;
  *count = bindings_[slot->head].count;
  return &bindings_[slot->head].symbol;
}

std::vector<std::string_view> SymbolTable::VisibleNames() const {
  std::vector<std::string_view> names;
  for (const Slot& slot : slots_) {
    if (slot.text == nullptr || slot.head == kNone) continue;
    if (bindings_[slot.head].symbol.kind == SymbolKind::kUndeclared) continue;
    names.emplace_back(slot.text, slot.key.length);
  }
  // The order of the table is that of hashes.
  std::sort(names.begin(), names.end());
  return names;
}

u32 SymbolTable::FindBinding(std::string_view name) const {
  const std::size_t stem = StemLength(name);
  u32 in_range = kNone;
  if (stem < name.size()) {
    const Slot* const slot = FindSlot(name.substr(0, stem), true);
    if (slot == nullptr) return kNone;  // Names with digits have the slot of their stem too.
    in_range = RangeBinding(*slot, name.substr(stem));
    if (slot->stem_head == kNone) return in_range;
  }
  const Slot* const slot = FindSlot(name, false);
  const u32 exact = slot == nullptr ? kNone : slot->head;
  if (exact == kNone || in_range == kNone) return exact == kNone ? in_range : exact;
  return std::max(exact, in_range);  // The inner one was declared later.
}

u32 SymbolTable::RangeBinding(const Slot& slot, std::string_view digits) const {
  if (slot.head == kNone) return kNone;
  const std::optional<u32> index = IndexOf(digits);
  if (!index) return kNone;
  u32 binding = slot.head;
  while (binding != kNone && *index >= bindings_[binding].count)
    binding = bindings_[binding].previous;
  return binding;
}

void SymbolTable::Bind(u32 slot, u32 stem_slot, u32 count, const Symbol& symbol) {
  const auto binding = static_cast<u32>(bindings_.size());
  u32 stem_previous = kNone;
  if (stem_slot != kNone) {
    stem_previous = slots_[stem_slot].stem_head;
    slots_[stem_slot].stem_head = binding;
  }
  bindings_.push_back({symbol, slot, slots_[slot].head, static_cast<u32>(scope_begins_.size()),
                       count, stem_slot, stem_previous});
  slots_[slot].head = binding;
}

const SymbolTable::Slot* SymbolTable::FindSlot(std::string_view text, bool is_stem) const {
  const Key key = KeyOf(text, is_stem);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = key.hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.text == nullptr) return nullptr;
    if (slot.key.word == key.word && slot.key.hash == key.hash && slot.key.length == key.length &&
        slot.key.is_stem == is_stem &&
        (key.length <= 8 || std::memcmp(slot.text, text.data(), key.length) == 0))
      return &slot;
  }
}

u32 SymbolTable::SlotOf(std::string_view text, bool is_stem) {
  if (const Slot* const found = FindSlot(text, is_stem))
    return static_cast<u32>(found - slots_.data());
  if ((used_ + 1) * 2 > slots_.size()) Grow();
  ++used_;
  const Key key = KeyOf(text, is_stem);
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = key.hash & mask;
  while (slots_[i].text != nullptr) i = (i + 1) & mask;
  slots_[i] = {.text = text.data(), .key = key};
  return static_cast<u32>(i);
}

// Bindings know their slots by number, so they move along.
void SymbolTable::Grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  std::vector<u32> moved(old.size());
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t from = 0; from < old.size(); ++from) {
    if (old[from].text == nullptr) continue;
    std::size_t i = old[from].key.hash & mask;
    while (slots_[i].text != nullptr) i = (i + 1) & mask;
    slots_[i] = old[from];
    moved[from] = static_cast<u32>(i);
  }
  for (Binding& binding : bindings_) {
    binding.slot = moved[binding.slot];
    if (binding.stem_slot != kNone) binding.stem_slot = moved[binding.stem_slot];
  }
}

}  // namespace ptxfarm::ptx
