// Legal spellings of a form, chosen at random.
#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "toolchain/ptx/isa/match.h"

namespace ptxfarm::ptx {

// The words of a mnemonic: "add.s32" → add, .s32.
inline std::vector<std::string_view> WordsOf(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.', 1), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

inline void AppendRandomly(const isa::Form& form, const std::vector<isa::SyntaxNode>& nodes,
                           std::mt19937& random, std::string& text) {
  const auto choose = [&](std::size_t count) { return random() % count; };
  for (const isa::SyntaxNode& node : nodes) {
    switch (node.kind) {
      case isa::SyntaxNode::Kind::kWord: text += node.word; break;
      case isa::SyntaxNode::Kind::kSet: {
        const auto& values = form.sets[node.set].values;
        const std::string_view value = values[choose(values.size())];
        if (value != "-") text += value;
        break;
      }
      case isa::SyntaxNode::Kind::kOptional:
        if (choose(2) == 0) break;
        [[fallthrough]];
      case isa::SyntaxNode::Kind::kChoice:
        AppendRandomly(form, node.alternatives[choose(node.alternatives.size())], random, text);
    }
  }
}

// Nothing where the rules of the form forbid each of many tries.
inline std::optional<std::string> RandomSpelling(const isa::Form& form, std::mt19937& random) {
  constexpr int kTries = 2000;
  for (int i = 0; i < kTries; ++i) {
    std::string text;
    AppendRandomly(form, form.syntax, random, text);
    if (!isa::MatchForm(form, WordsOf(text), isa::Fit::kExact).empty()) return text;
  }
  return std::nullopt;
}

}  // namespace ptxfarm::ptx
