// The names that can be seen from a place of a module, scope in scope.
//
// One hash table for all scopes; closing one takes its names back off, in the order of a stack. A
// declaration `%r<100>` is one entry, under its prefix: that is what nearly every operand of
// machine-made PTX finds, with one look.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "toolchain/ptx/ast.h"

namespace ptxfarm::ptx {

enum class SymbolKind : u8 {
  kVariable,  // Module::variables, and so on.
  kFunction,
  kLabel,
  kPrototype,
  kBranchTargets,
  kCallTargets,
  kUndeclared,  // Reported once, or in a gap; from then on nobody speaks of it.
};

struct Symbol {
  SymbolKind kind = SymbolKind::kVariable;
  u32 index = 0;
  TokenId name;  // Where it is declared.
};

class SymbolTable {
 public:
  SymbolTable();

  void OpenScope();
  void CloseScope();

  // Nothing, or the symbol that has the name in this scope already, and keeps it; one that is
  // kUndeclared makes place.
  std::optional<Symbol> Declare(std::string_view name, const Symbol& symbol);
  // The names `prefix`0 to `prefix`(count - 1). PTX ISA 9.4 §5.4.6.
  std::optional<Symbol> DeclareRange(std::string_view prefix, u32 count, const Symbol& symbol);
  // In place of what has the name in this scope.
  void Replace(std::string_view name, const Symbol& symbol);

  const Symbol* Find(std::string_view name) const;
  // What the name means outside the scope that declares it, if anything.
  const Symbol* FindHidden(std::string_view name) const;
  // What is declared under the prefix, if anything, and how many of them.
  const Symbol* FindRange(std::string_view prefix, u32* count) const;

  // Every name that can be seen; a range by its prefix. For what was probably meant.
  std::vector<std::string_view> VisibleNames() const;

 private:
  static constexpr u32 kNone = ~u32{0};

  struct Binding {
    Symbol symbol;
    u32 slot;
    u32 previous;  // Of the same slot.
    u32 depth;
    u32 count;      // Of a range; 0 for a name.
    u32 stem_slot;  // Of a name with digits at its end: the slot of the rest, and the name before
    u32 stem_previous;  // it there.
  };
  // What a text is found by. `word` holds its first eight bytes, so that shorter ones need no look
  // at the text; nearly all are.
  struct Key {
    u64 word = 0;
    u32 length = 0;
    u32 hash = 0;
    bool is_stem = false;
  };
  struct Slot {
    const char* text = nullptr;  // Null where the slot is free.
    Key key;
    u32 head = kNone;       // The innermost binding.
    u32 stem_head = kNone;  // Of a stem: the innermost name that goes on with digits.
  };

  static Key KeyOf(std::string_view text, bool is_stem);

  // The slot of a text, made where there is none.
  u32 SlotOf(std::string_view text, bool is_stem);
  const Slot* FindSlot(std::string_view text, bool is_stem) const;
  void Grow();
  void Bind(u32 slot, u32 stem_slot, u32 count, const Symbol& symbol);
  u32 FindBinding(std::string_view name) const;
  u32 RangeBinding(const Slot& slot, std::string_view digits) const;

  std::vector<Slot> slots_;  // A power of two of them.
  u32 used_ = 0;
  std::vector<Binding> bindings_;
  std::vector<u32> scope_begins_;
};

}  // namespace ptxfarm::ptx
