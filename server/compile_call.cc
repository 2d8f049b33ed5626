#include "server/compile_call.h"

#include <algorithm>

#include "rpc/policies.h"
#include "server/limits.h"

namespace ptxfarm::server {
namespace {

// Up to here a text is read where the request arrives: handing it to another thread would take
// longer.
constexpr u64 kReadInPlaceBytesMax = 16 << 10;
constexpr std::chrono::milliseconds kRetryWhenFull{500};

// ptxas took up to 1,800 times its input for straight-line code with many live values, and about 70
// MB for small modules.
constexpr u64 kMemoryBytesBase = u64{128} << 20;
constexpr u64 kMemoryBytesPerInputByte = 256;

}  // namespace

// What is known of one target, or of the bundle.
struct CompileCall::Slot {
  PlannedTarget planned;
  Sha256 action_sha256{};
  bool has_result = false;
  action::Outcome outcome = action::Outcome::kFault;  // Once it has a result.
  bool joined = false;
  TimePoint queued;
  std::optional<std::string> running_on;  // Known before the ticket is, where the queue is quick.
  std::optional<ActionQueue::TicketId> ticket;
  std::optional<Digest> cubin;
  std::optional<Blob> cubin_blob;
};

// Keeps the call until the action is finished or left.
class CompileCall::SlotWaiter final : public Waiter {
 public:
  SlotWaiter(std::shared_ptr<CompileCall> call, std::size_t index)
      : call_(std::move(call)), index_(index) {}
  void OnRunning(const std::string& worker) override { call_->OnRunning(index_, worker); }
  void OnFinished(const std::shared_ptr<const Finished>& finished) override {
    call_->OnFinished(index_, finished);
  }

 private:
  const std::shared_ptr<CompileCall> call_;
  const std::size_t index_;
};

std::shared_ptr<CompileCall> CompileCall::Start(Core& core, rpc::CompileRequest request,
                                                Caller caller, std::shared_ptr<CompileSink> sink,
                                                Effort effort) {
  const auto refuse = [&](const Error& error,
                          std::optional<std::chrono::milliseconds> retry_after = std::nullopt) {
    core.observer.OnCallEnd({.code = error.code}, caller);
    sink->Fail(error, retry_after);
    return nullptr;
  };
  Result<action::CompileOptions> options = CheckRequest(request);
  if (!options) return refuse(options.error());
  const std::string* const text = std::get_if<std::string>(&request.source);
  // A look-up by digest reads no text.
  const u64 source_bytes = text != nullptr ? text->size()
                           : effort == Effort::kCompile
                               ? std::get<Digest>(request.source).size_bytes
                               : 0;
  if (source_bytes > core.options.source_bytes_max)
    return refuse(MakeError(Code::kResourceExhausted,
                            "the source has {} bytes; source_bytes_max is {}", source_bytes,
                            core.options.source_bytes_max));
  if (core.source_bytes_held.fetch_add(source_bytes) + source_bytes >
      core.options.source_bytes_held_max) {
    core.source_bytes_held -= source_bytes;
    return refuse(
        MakeError(Code::kResourceExhausted,
                  "the sources of all calls under way are too large together: retry later"),
        kRetryWhenFull);
  }

  std::shared_ptr<CompileCall> call(new CompileCall(core, std::move(request), *std::move(options),
                                                    std::move(caller), std::move(sink), effort));
  call->bytes_held_ = source_bytes;
  const Digest* const digest = std::get_if<Digest>(&call->request_.source);
  // What is known may still have to be read in another form.
  const bool may_have_form =
      call->request_.bridge || call->request_.key_tier == rpc::KeyTier::kStructural;
  const bool is_known =
      digest != nullptr && !may_have_form && core.modules.Find(*digest, call->reading_) != nullptr;
  const bool at_once = digest != nullptr ? effort == Effort::kLookUp || is_known
                                         : source_bytes <= kReadInPlaceBytesMax;
  if (at_once)
    call->Begin();
  else
    core.PoolFor(source_bytes).Run([call] { call->Begin(); });
  return call;
}

CompileCall::CompileCall(Core& core, rpc::CompileRequest request, action::CompileOptions options,
                         Caller caller, std::shared_ptr<CompileSink> sink, Effort effort)
    : core_(core),
      request_(std::move(request)),
      caller_(std::move(caller)),
      effort_(effort),
      received_(core.clock.Now()),
      reading_(ReadingOf(request_, options, core.options.verifies)),
      sink_(std::move(sink)),
      plan_{.options = std::move(options)},
      inline_bytes_left_(std::min(request_.inline_outputs_bytes_max, kInlineOutputsMax.value)) {
  ++core_.calls;
}

CompileCall::~CompileCall() {
  core_.source_bytes_held -= bytes_held_;
  core_.call_ended_last = core_.clock.Now();
  --core_.calls;
}

template <typename Work>
void CompileCall::Step(const Work& work) {
  Orders orders;
  {
    const std::lock_guard lock(mutex_);
    if (sink_ == nullptr) return;
    if (const Status done = work(orders); !done) {
      orders.submit.clear();
      End(done.error(), orders);
    }
  }
  Give(std::move(orders));
}

void CompileCall::Give(Orders orders) {
  for (const ActionQueue::TicketId ticket : orders.leave) core_.queue.Leave(ticket);
  for (auto& [index, task] : orders.submit)
    OnSubmitted(index, core_.queue.Submit(std::move(task), caller_.tenant, request_.priority,
                                          std::make_shared<SlotWaiter>(shared_from_this(), index)));
}

void CompileCall::Begin() {
  // Nobody else touches the text before slots are queued, so it is read without the lock.
  if (std::string* const text = std::get_if<std::string>(&request_.source)) {
    text_ = std::move(*text);
    source_ = DigestOf(*text_);
  } else {
    source_ = std::get<Digest>(request_.source);
  }
  Module module = std::shared_ptr<const ModuleFacts>();
  Status read = ReadSource(module);
  if (read && module) read = TakeForms(module);
  if (!read) return Step([&](Orders&) { return read; });
  Run(module);
}

void CompileCall::Run(const Module& module) {
  Step([&](Orders& orders) -> Status {
    if (module) {
      if (core_.compilers.Empty())
        return MakeError(effort_ == Effort::kLookUp ? Code::kNotFound : Code::kUnavailable,
                         "no worker has come to this server yet: start one with "
                         "ptxfarm-worker --server ADDRESS, then retry");
      module_ = *module;
      pending_.module = InfoOf(written_ ? *written_ : *module_);
      if (module_->reading.as_version) NoteBridge(*pending_.module, *written_, *module_);
      plan_ = MakePlan(request_, std::move(plan_.options), *module_, core_.compilers);
      if (std::optional<Diagnostic> warning = WarningOf(plan_, *module_))
        pending_.module->diagnostics.push_back(*std::move(warning));
    } else {
      plan_ = MakeFailedPlan(request_, module.error());
    }
    for (PlannedTarget& planned : plan_.targets) {
      slots_.push_back(std::make_unique<Slot>());
      slots_.back()->planned = std::move(planned);
    }
    open_ = slots_.size();
    for (std::size_t i = 0; i < slots_.size(); ++i) PTXFARM_RETURN_IF_ERROR(StartSlot(i, orders));
    PTXFARM_RETURN_IF_ERROR(Advance(orders));
    Flush();
    return Ok{};
  });
}

// Answers a slot, or makes the task that will.
Status CompileCall::StartSlot(std::size_t index, Orders& orders) {
  Slot& slot = *slots_[index];
  if (slot.planned.failure) {
    // A worker may come with the compiler that isn't here; that is Compile's to say.
    if (effort_ == Effort::kLookUp && slot.planned.failure->outcome != action::Outcome::kInputError)
      return MakeError(Code::kNotFound, "no result for {} can be stored", slot.planned.name);
    // Its places are the user's own already.
    AddResult(index, rpc::Served::kMiss, *slot.planned.failure, {});
    return Ok{};
  }
  if (slot.planned.IsMember()) {
    action::ActionResult member;
    member.outcome = action::Outcome::kOk;
    AddResult(index, rpc::Served::kHit, std::move(member), {});
    return Ok{};
  }
  slot.action_sha256 = action::ActionDigest(*slot.planned.action);
  PTXFARM_ASSIGN_OR_RETURN(const bool answered, AnswerFromStore(index));
  if (answered) return Ok{};
  if (effort_ == Effort::kLookUp)
    return MakeError(Code::kNotFound, "no result is stored for {}", slot.planned.name);
  const action::Action& action = *slot.planned.action;
  if (action.kind == action::Kind::kCompilePtx) {
    std::optional<action::ActionResult> absent =
        core_.compilers.WhyAbsent(action.compiler, *slot.planned.target);
    if (absent) {
      AddResult(index, rpc::Served::kMiss, *std::move(absent), {});
      return Ok{};
    }
  }
  PTXFARM_ASSIGN_OR_RETURN(Task task, MakeTask(action, slot.action_sha256));
  slot.queued = core_.clock.Now();
  orders.submit.emplace_back(index, std::move(task));
  return Ok{};
}

Result<bool> CompileCall::AnswerFromStore(std::size_t index) {
  Slot& slot = *slots_[index];
  if (request_.recompile) return false;
  std::optional<action::ActionResult> result = core_.keeper.Find(slot.action_sha256);
  if (!result) return false;
  PTXFARM_RETURN_IF_ERROR(MapPlaces(*result));
  std::vector<Blob> outputs;
  for (const action::Output& output : result->outputs) {
    if (output.digest.size_bytes > inline_bytes_left_) continue;
    Result<Blob> blob = core_.store.blobs().Get(output.digest);
    if (!blob) {
      // Evicted or damaged since: it is made again.
      core_.keeper.Forget(slot.action_sha256);
      return false;
    }
    outputs.push_back(*std::move(blob));
  }
  AddResult(index, rpc::Served::kHit, *std::move(result), std::move(outputs));
  return true;
}

Result<Task> CompileCall::MakeTask(const action::Action& action, const Sha256& digest) {
  Task task{.action = action,
            .digest = digest,
            .limits = action::Tighter(core_.options.limits, request_.limits)};
  task.traceparent = caller_.traceparent;
  for (const action::Input& input : action.inputs) task.cost += input.digest.size_bytes;
  task.memory_bytes = kMemoryBytesBase + kMemoryBytesPerInputByte * task.cost;
  if (task.limits.memory_bytes != 0)
    task.memory_bytes = std::min(task.memory_bytes, task.limits.memory_bytes);
  if (action.kind == action::Kind::kCompilePtx) {
    PTXFARM_RETURN_IF_ERROR(NeedCompilerText());
    PTXFARM_CHECK(ptx_->digest == action.inputs.front().digest, "the text and its facts disagree");
    PTXFARM_RETURN_IF_ERROR(AddInput(task, *ptx_));
    return task;
  }
  bool has_text = false;
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->cubin_blob) PTXFARM_RETURN_IF_ERROR(AddInput(task, *slot->cubin_blob));
    has_text |= slot->planned.IsMember();
  }
  if (has_text) {
    PTXFARM_RETURN_IF_ERROR(NeedText());
    PTXFARM_RETURN_IF_ERROR(AddInput(task, MakeBlob(TextForCompiler(*text_, /*exact=*/true).text)));
  }
  return task;
}

// Small inputs ride in the lease; the worker fetches the others from the store.
Status CompileCall::AddInput(Task& task, Blob blob) {
  u64 riding = blob.stored_bytes();
  for (const Blob& input : task.inputs) riding += input.stored_bytes();
  if (riding > rpc::kLeaseInlineBytesMax) return core_.store.blobs().Put(blob);
  task.inputs.push_back(std::move(blob));
  return Ok{};
}

void CompileCall::OnSubmitted(std::size_t index, const Result<ActionQueue::Submitted>& submitted) {
  if (!submitted) return Step([&](Orders&) -> Status { return submitted.error(); });
  {
    const std::lock_guard lock(mutex_);
    Slot& slot = *slots_[index];
    slot.ticket = submitted->ticket;
    slot.joined = submitted->joined;
    if (sink_ != nullptr) {
      if (slot.has_result) return;
      AddProgress(index, slot.joined ? rpc::TargetState::kJoined : rpc::TargetState::kQueued);
      if (slot.running_on) AddProgress(index, rpc::TargetState::kRunning);
      return Flush();
    }
  }
  core_.queue.Leave(submitted->ticket);  // The call has ended meanwhile.
}

void CompileCall::OnRunning(std::size_t index, const std::string& worker) {
  const std::lock_guard lock(mutex_);
  if (sink_ == nullptr) return;
  if (!slots_[index]->running_on)
    core_.observer.OnWaited(std::chrono::duration_cast<std::chrono::microseconds>(
        core_.clock.Now() - slots_[index]->queued));
  slots_[index]->running_on = worker;
  if (!slots_[index]->ticket) return;  // OnSubmitted tells, in order.
  AddProgress(index, rpc::TargetState::kRunning);
  Flush();
}

void CompileCall::OnFinished(std::size_t index, const std::shared_ptr<const Finished>& finished) {
  Step([&](Orders& orders) -> Status {
    action::ActionResult result = finished->result;
    PTXFARM_RETURN_IF_ERROR(MapPlaces(result));
    AddResult(index, slots_[index]->joined ? rpc::Served::kJoined : rpc::Served::kMiss,
              std::move(result), finished->outputs);
    PTXFARM_RETURN_IF_ERROR(Advance(orders));
    Flush();
    return Ok{};
  });
}

void CompileCall::AddResult(std::size_t index, rpc::Served served, action::ActionResult result,
                            std::vector<Blob> outputs) {
  Slot& slot = *slots_[index];
  slot.has_result = true;
  slot.outcome = result.outcome;
  --open_;
  for (Blob& blob : outputs) {
    const auto output = std::find_if(
        result.outputs.begin(), result.outputs.end(),
        [&](const action::Output& candidate) { return candidate.digest == blob.digest; });
    if (output == result.outputs.end()) continue;
    const bool is_cubin = output->role == action::OutputRole::kCubin;
    if (is_cubin && request_.want_fatbin) slot.cubin_blob = blob;
    if ((is_cubin && !request_.want_cubins) || blob.digest.size_bytes > inline_bytes_left_)
      continue;
    inline_bytes_left_ -= blob.digest.size_bytes;
    output_bytes_ += blob.stored_bytes();
    pending_.blobs.push_back(std::move(blob));
  }
  if (const Digest* const cubin = result.OutputOf(action::OutputRole::kCubin)) slot.cubin = *cubin;
  rpc::TargetResult answer{.target = slot.planned.name,
                           .served = served,
                           .result = std::move(result),
                           .key_tier = plan_.tier,
                           .elapsed = Elapsed()};
  if (slot.planned.action) answer.action_sha256 = slot.action_sha256;
  if (effort_ == Effort::kCompile) core_.Count(answer, caller_);
  pending_.results.push_back(std::move(answer));
}

// Goes on when all targets have their results.
Status CompileCall::Advance(Orders& orders) {
  if (open_ > 0 || !request_.want_fatbin || bundle_begun_) return Ok{};
  bundle_begun_ = true;
  return StartBundle(orders);
}

Status CompileCall::StartBundle(Orders& orders) {
  PlannedTarget bundle{.name = std::string(rpc::kFatbinTarget)};
  std::vector<Member> members;
  for (const std::unique_ptr<Slot>& slot : slots_) {
    if (slot->outcome != action::Outcome::kOk) {
      // A fat binary that lacks a target would fail at some customer's, not here. It shares the
      // outcome: asking again helps the one exactly if it helps the other.
      bundle.failure =
          action::Failed(slot->outcome, "fatbin-incomplete",
                         fmt::format("no fat binary is made, since {} failed", slot->planned.name));
      break;
    }
    const bool is_member = slot->planned.IsMember();
    members.push_back({*slot->planned.target, is_member ? module_->exact : slot->cubin.value()});
  }
  if (!bundle.failure) {
    Result<action::CompilerIdentity, action::ActionResult> bundler =
        core_.compilers.ChooseBundler();
    if (bundler)
      bundle.action = BundleAction(request_, plan_.options, std::move(members), *bundler);
    else
      bundle.failure = std::move(bundler).error();
  }
  slots_.push_back(std::make_unique<Slot>());
  slots_.back()->planned = std::move(bundle);
  ++open_;
  return StartSlot(slots_.size() - 1, orders);
}

void CompileCall::AddProgress(std::size_t index, rpc::TargetState state) {
  const Slot& slot = *slots_[index];
  const bool running = state == rpc::TargetState::kRunning;
  pending_.progress.push_back({.target = slot.planned.name,
                               .state = state,
                               .worker = running ? slot.running_on.value_or("") : ""});
}

void CompileCall::Flush() {
  if (open_ == 0 && (!request_.want_fatbin || bundle_begun_)) {
    // Of a look-up all or nothing counts: what it doesn't answer is asked again as a Compile.
    if (effort_ == Effort::kLookUp)
      for (const rpc::TargetResult& answer : pending_.results) core_.Count(answer, caller_);
    core_.observer.OnCallEnd(Summary(Code::kOk), caller_);
    std::exchange(sink_, nullptr)->Finish(std::exchange(pending_, {}));
    return;
  }
  // What the module says waits for the first thing to tell of a target: one message instead of two.
  if (pending_.progress.empty() && pending_.results.empty()) return;
  sink_->Send(std::exchange(pending_, {}));
}

CallSummary CompileCall::Summary(Code code) const {
  return {.code = code,
          .source = module_ != nullptr ? module_->source : Digest{},
          .source_bytes = bytes_held_,
          .output_bytes = output_bytes_,
          .elapsed = Elapsed()};
}

void CompileCall::LeaveAll(Orders& orders) {
  for (const std::unique_ptr<Slot>& slot : slots_)
    if (slot->ticket && !slot->has_result) orders.leave.push_back(*slot->ticket);
}

void CompileCall::End(const Error& error, Orders& orders) {
  if (effort_ == Effort::kCompile || error.code != Code::kNotFound)
    core_.observer.OnCallEnd(Summary(error.code), caller_);
  LeaveAll(orders);
  const bool retry = error.code == Code::kResourceExhausted || error.code == Code::kUnavailable;
  std::exchange(sink_, nullptr)->Fail(error, retry ? std::optional(kRetryWhenFull) : std::nullopt);
}

void CompileCall::Cancel() {
  Orders orders;
  {
    const std::lock_guard lock(mutex_);
    if (sink_ == nullptr) return;
    sink_ = nullptr;
    core_.observer.OnCallEnd(Summary(Code::kCancelled), caller_);
    LeaveAll(orders);
  }
  Give(std::move(orders));
}

std::chrono::microseconds CompileCall::Elapsed() const {
  return std::chrono::duration_cast<std::chrono::microseconds>(core_.clock.Now() - received_);
}

}  // namespace ptxfarm::server
