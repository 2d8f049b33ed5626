// A call's text: read, bridged to an older version, brought into the form that is compiled, and the
// way back from places in that.
#include <algorithm>

#include "server/compile_call.h"
#include "toolchain/ptx/lowest_head.h"

namespace ptxfarm::server {
namespace {

bool HasPlaces(const action::ActionResult& result) {
  return std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                     [](const Diagnostic& diagnostic) { return diagnostic.place.line != 0; });
}

}  // namespace

Status CompileCall::ReadSource(Module& module) {
  if (std::shared_ptr<const ModuleFacts> known = core_.modules.Find(source_, reading_)) {
    module = std::move(known);
    return Ok{};
  }
  PTXFARM_RETURN_IF_ERROR(NeedText());
  module = ReadText(*text_, reading_);
  return Ok{};
}

CompileCall::Module CompileCall::ReadText(const std::string& text, const Reading& reading) {
  const TimePoint begin = core_.clock.Now();
  Result<ModuleFacts, Diagnostics> facts = ReadModule(text, source_, reading);
  core_.observer.OnRead(facts.has_value(), std::chrono::duration_cast<std::chrono::microseconds>(
                                               core_.clock.Now() - begin));
  if (!facts) return std::move(facts).error();
  auto module = std::make_shared<const ModuleFacts>(*std::move(facts));
  core_.modules.Insert(module);
  return std::shared_ptr<const ModuleFacts>(std::move(module));
}

// Puts the module as an older version in place of the one that no compiler reads, if that is right.
Status CompileCall::Bridge(Module& module) {
  const std::optional<PtxVersion> version = BridgeOf(request_, **module, core_.compilers);
  if (!version) return Ok{};
  Reading reading = reading_;
  reading.as_version = version;
  const std::shared_ptr<const ModuleFacts> written = *module;
  if (std::shared_ptr<const ModuleFacts> known = core_.modules.Find(source_, reading)) {
    module = std::move(known);
    if (text_) text_ = ptx::WithVersion(*text_, written->version_offset, *version);
  } else {
    PTXFARM_RETURN_IF_ERROR(NeedText());
    std::string text = ptx::WithVersion(*text_, written->version_offset, *version);
    Module bridged = ReadText(text, reading);
    if (!bridged) return Ok{};  // The verifier knows best; then no compiler reads the module.
    module = std::move(bridged);
    text_ = std::move(text);
  }
  written_ = written;
  return Ok{};
}

Status CompileCall::NeedText() {
  if (text_) return Ok{};
  const Digest& digest = std::get<Digest>(request_.source);
  if (effort_ == Effort::kLookUp)
    return MakeError(Code::kNotFound, "the text of {} would have to be read", digest);
  Result<Blob> blob = core_.store.blobs().Get(digest);
  if (!blob) {
    if (blob.error().code == Code::kNotFound || blob.error().code == Code::kDataLoss)
      return MakeError(Code::kFailedPrecondition,
                       "the source {} is not here: upload it, then retry", digest);
    return std::move(blob).error().Wrap("read the source {}", digest);
  }
  PTXFARM_ASSIGN_OR_RETURN(text_, blob->Plain());
  if (written_) text_ = ptx::WithVersion(*text_, written_->version_offset, module_->version);
  return Ok{};
}

Status CompileCall::NeedCompilerText() {
  if (compiler_text_) return Ok{};
  PTXFARM_RETURN_IF_ERROR(NeedText());
  compiler_text_ = TextForCompiler(*text_, plan_.exact);
  ptx_ = MakeBlob(compiler_text_->text);
  return Ok{};
}

// From places of the text that was compiled, maybe for somebody else, to those of this caller's
// text.
Status CompileCall::MapPlaces(action::ActionResult& result) {
  if (!HasPlaces(result)) return Ok{};
  PTXFARM_RETURN_IF_ERROR(NeedCompilerText());
  const ptx::Source source{.name = "", .text = *text_};
  const auto map = [&](Place& place) {
    if (place.line == 0) return;
    const u32 column = place.column;
    place = compiler_text_->PlaceOf(source, place.line);
    if (plan_.exact && column != 0) place.column = column;
  };
  for (Diagnostic& diagnostic : result.diagnostics) {
    map(diagnostic.place);
    for (RelatedPlace& related : diagnostic.related) map(related.place);
  }
  return Ok{};
}

}  // namespace ptxfarm::server
