#include "server/module.h"

#include "base/check.h"
#include "server/limits.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/lex.h"

namespace ptxfarm::server {

Result<ModuleFacts, Diagnostics> ReadModule(std::string_view text, const Digest& source_digest) {
  const ptx::Source source{.name = "", .text = text};
  PTXFARM_ASSIGN_OR_RETURN(const ptx::TokenBuffer tokens, ptx::Lex(source));
  PTXFARM_ASSIGN_OR_RETURN(const ptx::ModuleHeader header, ptx::ReadHeader(tokens));
  ModuleFacts facts{.source = source_digest,
                    .version = header.version,
                    .version_place = source.PlaceAt(header.version_offset),
                    .target = header.target,
                    .target_place = source.PlaceAt(header.target_offset),
                    .is_debug = header.is_debug,
                    .lines_matter = ptx::TextLinesMatter(header),
                    .warnings = tokens.warnings()};
  facts.exact = DigestOf(ptx::ExactText(tokens).text);
  facts.canonical = facts.lines_matter ? facts.exact : DigestOf(ptx::Canonicalize(tokens).text);
  for (const ptx::FunctionHeader& function : header.functions) {
    if (facts.entries.size() == kEntriesShownMax.value) break;
    if (function.is_entry && function.is_defined) facts.entries.emplace_back(function.name);
  }
  return facts;
}

ptx::CompilerText TextForCompiler(std::string_view text, bool exact) {
  const ptx::Source source{.name = "", .text = text};
  const Result<ptx::TokenBuffer, Diagnostics> tokens = ptx::Lex(source);
  PTXFARM_CHECK(tokens.has_value(), "a text that was read before can't be read again");
  return exact ? ptx::ExactText(*tokens) : ptx::Canonicalize(*tokens);
}

std::shared_ptr<const ModuleFacts> ModuleCache::Find(const Digest& source) {
  const std::lock_guard lock(mutex_);
  const auto found = by_source_.find(source);
  if (found == by_source_.end()) return nullptr;
  newest_first_.splice(newest_first_.begin(), newest_first_, found->second);
  return *found->second;
}

void ModuleCache::Insert(std::shared_ptr<const ModuleFacts> facts) {
  const std::lock_guard lock(mutex_);
  if (by_source_.contains(facts->source)) return;
  newest_first_.push_front(std::move(facts));
  by_source_.emplace(newest_first_.front()->source, newest_first_.begin());
  if (newest_first_.size() <= kModulesKeptMax.value) return;
  by_source_.erase(newest_first_.back()->source);
  newest_first_.pop_back();
}

}  // namespace ptxfarm::server
