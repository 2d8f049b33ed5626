// Messages of ptxas that the farm knows: what kind of fault each is, and clearer words where its
// own lack a number, a reason or a way out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "action/action_result.h"

namespace ptxfarm::worker {

struct MessageRow {
  // The message, with {} for what varies.
  std::string_view pattern;
  std::string_view kind;
  action::Outcome outcome;
  // Clearer words with {0}, {1}, … for the pattern's parts; hexadecimal numbers become decimal.
  // Empty: ptxas's own.
  std::string_view words;
};

std::span<const MessageRow> Messages();

struct KnownMessage {
  const MessageRow* row = nullptr;  // Null where no row fits.
  std::string words;                // What to tell the user.
};
KnownMessage FindMessage(std::string_view message);

// The texts that stand for each {} of `pattern`, where `text` fits it as a whole.
std::optional<std::vector<std::string>> Match(std::string_view pattern, std::string_view text);

}  // namespace ptxfarm::worker
