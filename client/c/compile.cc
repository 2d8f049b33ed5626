// Compile calls and their results. What C sees of a result is made once, when it is whole, so that
// getters neither allocate nor fail.
#include <memory>

#include "client/c/farm.h"
#include "client/c/guard.h"

struct ptxfarm_target {
  ptxfarm::client::TargetReply reply;
  std::string compiler;
  std::vector<ptxfarm_diagnostic> diagnostics;
  std::vector<ptxfarm_kernel> kernels;
};

struct ptxfarm_result {
  std::vector<std::unique_ptr<ptxfarm_target>> targets;
  std::unique_ptr<ptxfarm_target> fatbin;
};

namespace ptxfarm::c_api {
namespace {

static_assert(PTXFARM_OUTCOME_FAULT == static_cast<int>(action::Outcome::kFault));
static_assert(PTXFARM_OUTCOME_SERVICE_LIMIT == static_cast<int>(action::Outcome::kServiceLimit));
static_assert(PTXFARM_SERVED_JOINED == static_cast<int>(rpc::Served::kJoined));
static_assert(PTXFARM_SEVERITY_NOTE == static_cast<int>(Severity::kNote));
static_assert(PTXFARM_UNAUTHENTICATED == static_cast<int>(Code::kUnauthenticated));

Result<std::vector<std::string>> ReadWords(const char* const* words, std::size_t count,
                                           const char* what) {
  if (words == nullptr && count != 0)
    return MakeError(Code::kInvalidArgument, "{} are NULL, and their count is {}", what, count);
  std::vector<std::string> read;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i] == nullptr) return MakeError(Code::kInvalidArgument, "{}[{}] is NULL", what, i);
    read.emplace_back(words[i]);
  }
  return read;
}

Result<client::CompileRequest> ReadRequest(const ptxfarm_compile_options* given) {
  if (given == nullptr) return Error{Code::kInvalidArgument, "the options are NULL"};
  constexpr ptxfarm_compile_options kDefaults = PTXFARM_COMPILE_OPTIONS_INIT;
  PTXFARM_ASSIGN_OR_RETURN(const ptxfarm_compile_options options, ReadStruct(*given, kDefaults));
  if (options.source == nullptr) return Error{Code::kInvalidArgument, "the source is NULL"};
  client::CompileRequest request{.text = {options.source, options.source_bytes}};
  PTXFARM_ASSIGN_OR_RETURN(request.targets,
                           ReadWords(options.targets, options.target_count, "targets"));
  PTXFARM_ASSIGN_OR_RETURN(request.options,
                           ReadWords(options.options, options.option_count, "options"));
  request.cubins = options.no_cubins == 0;
  request.fatbin = options.fatbin != 0;
  request.compiler = TextOf(options.compiler);
  request.priority = options.priority;
  request.recompile = options.recompile != 0;
  request.deadline = std::chrono::milliseconds(options.deadline_ms);
  request.unverified = options.unverified != 0;
  return request;
}

ptxfarm_diagnostic View(const Diagnostic& diagnostic) {
  return {.severity = static_cast<ptxfarm_severity>(diagnostic.severity),
          .line = diagnostic.place.line,
          .column = diagnostic.place.column,
          .length = diagnostic.length,
          .kind = diagnostic.kind.c_str(),
          .message = diagnostic.message.c_str(),
          .hint = diagnostic.hint.c_str(),
          .section = diagnostic.section.c_str()};
}

ptxfarm_kernel View(const action::KernelResources& kernel) {
  return {.name = kernel.name.c_str(),
          .is_entry = kernel.is_entry ? 1 : 0,
          .registers = kernel.registers,
          .barriers = kernel.barriers,
          .threads_max = kernel.threads_max,
          .shared_bytes = kernel.shared_bytes,
          .frame_bytes = kernel.frame_bytes,
          .stack_bytes = kernel.stack_bytes,
          .spill_store_bytes = kernel.spill_store_bytes,
          .spill_load_bytes = kernel.spill_load_bytes,
          .parameter_bytes = kernel.parameter_bytes,
          .code_bytes = kernel.code_bytes};
}

std::unique_ptr<ptxfarm_target> MakeTarget(client::TargetReply reply) {
  auto target = std::make_unique<ptxfarm_target>(ptxfarm_target{.reply = std::move(reply)});
  const action::ActionResult& result = target->reply.result;
  if (!result.compiler.backend.empty()) target->compiler = action::NameOf(result.compiler);
  for (const Diagnostic& diagnostic : result.diagnostics)
    target->diagnostics.push_back(View(diagnostic));
  for (const action::KernelResources& kernel : result.kernels)
    target->kernels.push_back(View(kernel));
  return target;
}

template <typename T>
const T* At(const std::vector<T>& list, std::size_t index) {
  return index < list.size() ? &list[index] : nullptr;
}

}  // namespace
}  // namespace ptxfarm::c_api

using namespace ptxfarm;

ptxfarm_status ptxfarm_compile(const ptxfarm_farm* farm, const ptxfarm_compile_options* options,
                               ptxfarm_cancel* cancel, ptxfarm_result** result,
                               ptxfarm_error** error) {
  return c_api::Guard(result, error, [&]() -> Result<std::unique_ptr<ptxfarm_result>> {
    if (farm == nullptr) return Error{Code::kInvalidArgument, "the farm is NULL"};
    PTXFARM_ASSIGN_OR_RETURN(const client::CompileRequest request, c_api::ReadRequest(options));
    PTXFARM_ASSIGN_OR_RETURN(client::CompileReply reply,
                             farm->client.Compile(request, {}, c_api::TokenOf(cancel)));
    auto made = std::make_unique<ptxfarm_result>();
    for (client::TargetReply& target : reply.targets)
      made->targets.push_back(c_api::MakeTarget(std::move(target)));
    if (reply.fatbin) made->fatbin = c_api::MakeTarget(*std::move(reply.fatbin));
    return made;
  });
}

void ptxfarm_result_free(ptxfarm_result* result) { delete result; }

size_t ptxfarm_result_target_count(const ptxfarm_result* result) { return result->targets.size(); }
const ptxfarm_target* ptxfarm_result_target(const ptxfarm_result* result, size_t index) {
  return index < result->targets.size() ? result->targets[index].get() : nullptr;
}
const ptxfarm_target* ptxfarm_result_fatbin(const ptxfarm_result* result) {
  return result->fatbin.get();
}

const char* ptxfarm_target_name(const ptxfarm_target* target) {
  return target->reply.target.c_str();
}
ptxfarm_outcome ptxfarm_target_outcome(const ptxfarm_target* target) {
  return static_cast<ptxfarm_outcome>(target->reply.result.outcome);
}
ptxfarm_served ptxfarm_target_served(const ptxfarm_target* target) {
  return static_cast<ptxfarm_served>(target->reply.served);
}
const void* ptxfarm_target_object(const ptxfarm_target* target) {
  return target->reply.object.empty() ? nullptr : target->reply.object.data();
}
size_t ptxfarm_target_object_bytes(const ptxfarm_target* target) {
  return target->reply.object.size();
}
const char* ptxfarm_target_log(const ptxfarm_target* target) {
  return target->reply.result.log.c_str();
}
const char* ptxfarm_target_compiler(const ptxfarm_target* target) {
  return target->compiler.c_str();
}
uint64_t ptxfarm_target_elapsed_us(const ptxfarm_target* target) {
  return static_cast<uint64_t>(target->reply.elapsed.count());
}

size_t ptxfarm_target_diagnostic_count(const ptxfarm_target* target) {
  return target->diagnostics.size();
}
const ptxfarm_diagnostic* ptxfarm_target_diagnostic(const ptxfarm_target* target, size_t index) {
  return c_api::At(target->diagnostics, index);
}
size_t ptxfarm_target_kernel_count(const ptxfarm_target* target) { return target->kernels.size(); }
const ptxfarm_kernel* ptxfarm_target_kernel(const ptxfarm_target* target, size_t index) {
  return c_api::At(target->kernels, index);
}
