// The same module with other names of registers and labels, and with some that nobody uses.
#pragma once

#include <map>
#include <random>
#include <set>
#include <string>

#include "toolchain/ptx/ast.h"

namespace ptxfarm::test {

// Reproducible, as Respaced is. The names of a body are mapped one to one, so that what they mean
// in its blocks stays; the numbers of a range are turned round where nothing hides it.
class Renamer {
 public:
  Renamer(const ptx::Module& module, u32 seed) : module_(module), random_(seed) {}

  std::string Text() {
    for (const ptx::Instruction& instruction : module_.instructions)
      opcodes_.insert(instruction.opcode.index);
    for (const ptx::Function& function : module_.functions)
      if (function.is_defined) Rename(function);
    std::string text;
    u32 at = 0;
    const std::string_view source = module_.tokens->source().text;
    for (const auto& [index, edit] : edits_) {
      const ptx::Token& token = module_.TokenOf({index});
      text.append(source.substr(at, token.offset() - at)).append(edit);
      at = token.end();
    }
    return text.append(source.substr(at));
  }

 private:
  struct Range {
    std::string prefix;
    u64 count = 0;
    bool is_turned = false;
  };

  void Rename(const ptx::Function& function) {
    std::map<std::string, std::string, std::less<>> names;
    std::map<std::string, Range, std::less<>> ranges;
    const auto fresh = [&](const char* kind) {
      return std::string(kind) + std::to_string(random_() % 1000) + "_" +
             std::to_string(names.size() + ranges.size()) + "x";
    };
    for (const ptx::Statement& statement : ptx::Module::Of(module_.statements, function.body)) {
      if (statement.kind == ptx::StatementKind::kLabel)
        names.try_emplace(std::string(module_.TextOf(statement.token)), fresh("$Target"));
      if (statement.kind != ptx::StatementKind::kVariable) continue;
      const ptx::Variable& variable = module_.variables[statement.index];
      const std::string name(module_.TextOf(variable.name));
      if (variable.space != ptx::StateSpace::kReg) {
        names[name] = name;
      } else if (variable.range_count) {
        const auto [range, is_new] = ranges.try_emplace(name);
        if (is_new) range->second = {fresh("%any"), 0, true};
        if (!is_new) range->second.is_turned = false;
        range->second.count = std::stoull(std::string(module_.TextOf(variable.range_count)));
      } else {
        names.try_emplace(name, fresh("%one"));
      }
    }
    // A register that hides one of a range keeps its name, as the range does.
    for (auto name = names.begin(); name != names.end();) {
      const std::size_t stem = name->first.find_last_not_of("0123456789") + 1;
      const bool hides = ranges.erase(name->first.substr(0, stem)) > 0;
      name = hides ? names.erase(name) : std::next(name);
    }
    const ptx::Statement& first = module_.statements[function.body.begin];
    const ptx::Statement& last = module_.statements[function.body.end - 1];
    for (u32 i = first.token.index; i < last.token.index; ++i) {
      const ptx::Token& token = module_.TokenOf({i});
      if (!token.Is(ptx::TokenKind::kName) || opcodes_.contains(i)) continue;
      const std::string_view text = module_.TextOf({i});
      if (const auto name = names.find(text); name != names.end()) {
        edits_[i] = name->second;
      } else if (module_.TokenOf({i + 1}).Is(ptx::TokenKind::kLess)) {
        if (const auto range = ranges.find(text); range != ranges.end())
          edits_[i] = range->second.prefix;
      } else {
        const std::size_t stem = text.find_last_not_of("0123456789") + 1;
        const auto range = ranges.find(text.substr(0, stem));
        if (range == ranges.end() || stem == text.size()) continue;
        u64 number = std::stoull(std::string(text.substr(stem)));
        if (range->second.is_turned && number < range->second.count)
          number = range->second.count - 1 - number;
        edits_[i] = range->second.prefix + std::to_string(number);
      }
    }
    edits_[first.token.index] =
        "{ .reg .b64 " + fresh("%unused") + "<7>; .reg .pred " + fresh("%never") + ";";
  }

  const ptx::Module& module_;
  std::mt19937 random_;
  std::set<u32> opcodes_;  // A register may be named "call".
  std::map<u32, std::string> edits_;
};

}  // namespace ptxfarm::test
