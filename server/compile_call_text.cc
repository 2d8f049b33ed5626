// A call's text: read, brought into the form that is compiled, and the way back from places in
// that.
#include <algorithm>

#include "server/compile_call.h"

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

// Puts the forms that the request allows in place of the module as it is written.
Status CompileCall::TakeForms(Module& module) {
  const std::shared_ptr<const ModuleFacts> written = *module;
  Reading form = reading_;
  if (request_.bridge) form.as_version = BridgeOf(request_, *written, core_.compilers);
  if (form.as_version) PTXFARM_RETURN_IF_ERROR(TakeForm(module, written, form));
  if (!MayTakeStructure(request_, plan_.options, *written)) return Ok{};
  form = (*module)->reading;
  form.is_structural = true;
  return TakeForm(module, written, form);
}

Status CompileCall::TakeForm(Module& module, const std::shared_ptr<const ModuleFacts>& written,
                             const Reading& form) {
  std::shared_ptr<const ModuleFacts> facts = core_.modules.Find(source_, form);
  std::optional<std::string> text;
  if (facts == nullptr) PTXFARM_RETURN_IF_ERROR(NeedText());
  if (text_ && (facts == nullptr || facts->has_form)) text = TextInForm(*text_, *written, form);
  if (facts == nullptr) {
    // The verifier knows best: what it refuses is no form of the module.
    const Module read = text ? ReadText(*text, form) : Module(Diagnostics{});
    if (read) {
      facts = *read;
    } else {
      ModuleFacts none = *written;
      none.reading = form;
      none.has_form = false;
      facts = std::make_shared<const ModuleFacts>(std::move(none));
      core_.modules.Insert(facts);
    }
  }
  if (!facts->has_form) return Ok{};
  if (text) text_ = std::move(text);
  module = std::move(facts);
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
  if (written_) text_ = TextInForm(*text_, *written_, module_->reading).value();
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
    // The form has the user's lines, not the columns.
    if (plan_.tier == rpc::KeyTier::kStructural) place.column = 0;
  };
  for (Diagnostic& diagnostic : result.diagnostics) {
    map(diagnostic.place);
    for (RelatedPlace& related : diagnostic.related) map(related.place);
  }
  return Ok{};
}

}  // namespace ptxfarm::server
