#include "toolchain/ptx/header.h"

#include <algorithm>
#include <charconv>

#include "toolchain/ptx/cursor.h"
#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/find_text.h"

namespace ptxfarm::ptx {
namespace {

struct VersionFound {
  PtxVersion version;
  u32 offset = 0;
};
struct TargetFound {
  std::optional<Target> target;  // Empty where no architecture was named, or an unknown one.
  u32 offset = 0;
  bool is_debug = false;
  bool maps_f64_to_f32 = false;
  bool has_independent_textures = false;
};

std::optional<VersionFound> ReadVersion(TokenCursor& cursor, ErrorList& errors);
TargetFound ReadTarget(TokenCursor& cursor, ErrorList& errors);
std::optional<u32> ReadAddressSize(TokenCursor& cursor, ErrorList& errors);
bool HasLocations(const TokenBuffer& tokens);

}  // namespace

std::optional<ModuleHead> ReadHead(TokenCursor& cursor, ErrorList& errors) {
  if (cursor.AtEnd()) {
    errors.Report<kinds::kEmptyInput>(0, "holds only comments and blanks");
    return std::nullopt;
  }
  const std::optional<VersionFound> version = ReadVersion(cursor, errors);
  // Without a version it is no PTX at all; more errors would only say the same.
  if (!version) return std::nullopt;
  const TargetFound found = ReadTarget(cursor, errors);
  const std::optional<u32> address_size = ReadAddressSize(cursor, errors);
  if (!found.target) return std::nullopt;
  return ModuleHead{.version = version->version,
                    .version_offset = version->offset,
                    .target = *found.target,
                    .target_offset = found.offset,
                    .is_debug = found.is_debug,
                    .maps_f64_to_f32 = found.maps_f64_to_f32,
                    .has_independent_textures = found.has_independent_textures,
                    .address_size = address_size};
}

Result<ModuleHeader, Diagnostics> ReadHeader(const TokenBuffer& tokens) {
  TokenCursor cursor(tokens);
  ErrorList errors(tokens.source());
  const std::optional<ModuleHead> head = ReadHead(cursor, errors);
  if (!head) return errors.Take();
  std::vector<FunctionHeader> functions = ReadFunctions(cursor, errors);
  if (!errors.empty()) return errors.Take();
  return ModuleHeader{*head, std::move(functions), HasLocations(tokens)};
}

namespace {

std::optional<u16> ReadNumber(std::string_view digits) {
  u16 value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  if (digits.empty() || error != std::errc() || rest != end) return std::nullopt;
  return value;
}

// "8.6" → {8, 6}.
std::optional<PtxVersion> ReadVersionNumber(std::string_view text) {
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const std::optional<u16> major = ReadNumber(text.substr(0, point));
  const std::optional<u16> minor = ReadNumber(text.substr(point + 1));
  if (!major || !minor) return std::nullopt;
  return PtxVersion{*major, *minor};
}

std::optional<VersionFound> ReadVersion(TokenCursor& cursor, ErrorList& errors) {
  const u32 first = cursor.Peek().offset();
  if (!cursor.AtDotWord(".version")) {
    errors.Report<kinds::kMissingVersion>(first, cursor.buffer().source().Beginning(first));
    return std::nullopt;
  }
  cursor.Advance();
  const Token number = cursor.Peek();
  const std::optional<PtxVersion> version = ReadVersionNumber(cursor.Text());
  if (!version) {
    errors.Report<kinds::kBadVersion>(number.offset(), cursor.Shown());
    return std::nullopt;
  }
  cursor.Advance();
  return VersionFound{*version, number.offset()};
}

// PTX ISA 9.4 §11.1.2. True where `name` is an option.
bool TakeOption(std::string_view name, TargetFound& found) {
  if (name == "debug")
    found.is_debug = true;
  else if (name == "map_f64_to_f32")
    found.maps_f64_to_f32 = true;
  else if (name == "texmode_independent")
    found.has_independent_textures = true;
  else if (name != "texmode_unified")
    return false;
  return true;
}

void TakeTargetWord(TokenCursor& cursor, ErrorList& errors, TargetFound& found) {
  const Token word = cursor.Peek();
  if (!word.Is(TokenKind::kName)) {
    errors.Report<kinds::kBadTargetOption>(word.offset(), cursor.Shown(),
                                           "it holds names with commas between them");
    return;
  }
  const std::string_view name = cursor.Text();
  cursor.Advance();
  if (TakeOption(name, found)) return;
  const Result<Target> target = ParseModuleTarget(name);
  if (!target) {
    errors.Report<kinds::kUnknownTarget>(word.offset(), target.error().message);
    return;
  }
  found.target = *target;
  found.offset = word.offset();
}

TargetFound ReadTarget(TokenCursor& cursor, ErrorList& errors) {
  TargetFound found;
  const u32 first = cursor.Peek().offset();
  const bool is_there = cursor.AtDotWord(".target");
  // More than one line of them is legal; ptxas takes the last architecture.
  const bool was_fine = errors.empty();
  while (cursor.AtDotWord(".target")) {
    do {
      cursor.Advance();
      TakeTargetWord(cursor, errors, found);
    } while (cursor.At(TokenKind::kComma));
  }
  if (!found.target && (!is_there || (was_fine && errors.empty())))
    errors.Report<kinds::kMissingTarget>(first, cursor.buffer().source().Beginning(first));
  return found;
}

std::optional<u32> ReadAddressSize(TokenCursor& cursor, ErrorList& errors) {
  if (!cursor.AtDotWord(".address_size")) return std::nullopt;
  cursor.Advance();
  // ptxas takes hexadecimal too.
  struct Row {
    std::string_view text;
    u32 bits;
  };
  static constexpr Row kRows[] = {{"64", 64}, {"32", 32}, {"0x40", 64}, {"0x20", 32}};
  for (const Row& row : kRows) {
    if (cursor.Text() != row.text) continue;
    cursor.Advance();
    return row.bits;
  }
  errors.Report<kinds::kBadAddressSize>(cursor.Peek().offset(), cursor.Shown());
  if (!cursor.At(TokenKind::kDotWord)) cursor.Advance();
  return std::nullopt;
}

// Searches bytes before tokens: that is ten times as fast, and most modules hold no location.
bool HasLocations(const TokenBuffer& tokens) {
  constexpr std::string_view kLoc = ".loc";
  const std::string_view text = tokens.source().text;
  const std::span<const Token> all = tokens.tokens();
  for (std::size_t at = FindText(text, kLoc, 0); at < tokens.end();
       at = FindText(text, kLoc, at + 1)) {
    const auto token = std::partition_point(
        all.begin(), all.end(), [at](const Token& candidate) { return candidate.offset() < at; });
    if (token->offset() == at && token->length() == kLoc.size()) return true;
  }
  return false;
}

}  // namespace
}  // namespace ptxfarm::ptx
