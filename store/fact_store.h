// FactStore: the small things that the server remembers across restarts and could find out again.
// Each kind has its own bound; beyond it the fact put longest ago is forgotten.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm {

// By number on disk: never renumber.
enum class FactKind : u8 {
  kCompiler = 0,  // Compiler identity → what it says of itself.
};

struct FactKindRow {
  FactKind kind;
  std::string_view name;
  u64 entries_max;
};

// clang-format off
inline constexpr FactKindRow kFactKinds[] = {
    {FactKind::kCompiler, "compiler", 1'000},
};
// clang-format on

inline constexpr u64 kFactKeyBytesMax = 1 << 10;
inline constexpr u64 kFactValueBytesMax = 64 << 10;

// INVALID_ARGUMENT beyond the bounds.
Status CheckFact(std::string_view key, std::string_view value);

// Safe to call from many threads at once. Errors as of BlobStore.
class FactStore {
 public:
  virtual ~FactStore() = default;

  virtual Result<std::optional<std::string>> Get(FactKind kind, std::string_view key) = 0;
  // Replaces what was there; the fact is the youngest of its kind then. INVALID_ARGUMENT beyond the
  // bounds above.
  virtual Status Put(FactKind kind, std::string_view key, std::string_view value) = 0;
  virtual Status Remove(FactKind kind, std::string_view key) = 0;

  // {key, value} of the youngest facts of a kind, at most `limit`, youngest first.
  virtual Result<std::vector<std::pair<std::string, std::string>>> List(FactKind kind,
                                                                        std::size_t limit) = 0;
};

}  // namespace ptxfarm
