#include "server/module.h"

#include "base/check.h"
#include "server/limits.h"
#include "toolchain/ptx/check.h"
#include "toolchain/ptx/header.h"
#include "toolchain/ptx/lex.h"
#include "toolchain/ptx/lowest_head.h"
#include "toolchain/ptx/parse.h"
#include "toolchain/ptx/structural.h"

namespace ptxfarm::server {

Result<ModuleFacts, Diagnostics> ReadModule(std::string_view text, const Digest& source_digest,
                                            Reading reading) {
  const ptx::Source source{.name = "", .text = text};
  PTXFARM_ASSIGN_OR_RETURN(const ptx::TokenBuffer tokens, ptx::Lex(source));
  const Result<ptx::ModuleHeader, Diagnostics> read = ptx::ReadHeader(tokens);
  Diagnostics warnings = tokens.warnings();
  std::optional<PtxVersion> lowest_version;
  const bool is_newer = read && read->version > PublishedPtxVersions().back();
  if (reading.verifies && !is_newer) {
    ptx::CheckResult checked =
        ptx::Check(tokens, {.gpus = {}, .is_relocatable = reading.is_relocatable});
    if (!checked.is_accepted) return std::move(checked.diagnostics);
    warnings = std::move(checked.diagnostics);
    lowest_version = ptx::LowestVersion(*checked.head, checked.needs);
  }
  if (!read) return read.error();
  const ptx::ModuleHeader& header = *read;
  ModuleFacts facts{.source = source_digest,
                    .reading = reading,
                    .version = header.version,
                    .version_offset = header.version_offset,
                    .version_place = source.PlaceAt(header.version_offset),
                    .lowest_version = lowest_version.value_or(header.version),
                    .target = header.target,
                    .target_place = source.PlaceAt(header.target_offset),
                    .is_debug = header.is_debug,
                    .lines_matter = ptx::TextLinesMatter(header),
                    .warnings = std::move(warnings)};
  facts.exact = DigestOf(ptx::ExactText(tokens).text);
  facts.canonical = facts.lines_matter ? facts.exact : DigestOf(ptx::Canonicalize(tokens).text);
  for (const ptx::FunctionHeader& function : header.functions) {
    if (facts.entries.size() == kEntriesShownMax.value) break;
    if (function.is_entry && function.is_defined) facts.entries.emplace_back(function.name);
  }
  return facts;
}

std::optional<std::string> TextInForm(std::string_view text, const ModuleFacts& written,
                                      const Reading& form) {
  std::string changed = form.as_version
                            ? ptx::WithVersion(text, written.version_offset, *form.as_version)
                            : std::string(text);
  if (!form.is_structural) return changed;
  const ptx::Source source{.name = "", .text = changed};
  const Result<ptx::TokenBuffer, Diagnostics> tokens = ptx::Lex(source);
  if (!tokens) return std::nullopt;
  const Result<ptx::Module, Diagnostics> module = ptx::Parse(*tokens);
  if (!module) return std::nullopt;
  return ptx::StructuralText(*module);
}

ptx::CompilerText TextForCompiler(std::string_view text, bool exact) {
  const ptx::Source source{.name = "", .text = text};
  const Result<ptx::TokenBuffer, Diagnostics> tokens = ptx::Lex(source);
  PTXFARM_CHECK(tokens.has_value(), "a text that was read before can't be read again");
  return exact ? ptx::ExactText(*tokens) : ptx::Canonicalize(*tokens);
}

std::shared_ptr<const ModuleFacts> ModuleCache::Find(const Digest& source, Reading reading) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find({source, reading});
  if (found == by_key_.end()) return nullptr;
  newest_first_.splice(newest_first_.begin(), newest_first_, found->second);
  return *found->second;
}

void ModuleCache::Insert(std::shared_ptr<const ModuleFacts> facts) {
  const std::lock_guard lock(mutex_);
  const Key key{facts->source, facts->reading};
  if (by_key_.contains(key)) return;
  newest_first_.push_front(std::move(facts));
  by_key_.emplace(key, newest_first_.begin());
  if (newest_first_.size() <= kModulesKeptMax.value) return;
  by_key_.erase({newest_first_.back()->source, newest_first_.back()->reading});
  newest_first_.pop_back();
}

}  // namespace ptxfarm::server
