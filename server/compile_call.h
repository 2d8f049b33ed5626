// One Compile call from request to last result, free of gRPC: read the module, plan, look up,
// queue, bundle.
//
//   Start ─► module (read, or known by digest) ─► plan ─► for each target: hit │ joined │ queued ─►
//   results
//                                                                                 └─► all there ─►
//                                                                                 bundle ─► result
//
// Holds no thread while it waits: it goes on from the callbacks of the queue. Large texts are read
// on the pool.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/core.h"
#include "server/plan.h"

namespace ptxfarm::server {

// Where a call's answers go. Called one at a time, with the call's lock held: must not block or
// call back.
class CompileSink {
 public:
  virtual ~CompileSink() = default;
  virtual void Send(rpc::CompileResponse response) = 0;
  // The last call. `response` is what is left to say before the stream ends well.
  virtual void Finish(rpc::CompileResponse response) = 0;
  virtual void Fail(const Error& error, std::optional<std::chrono::milliseconds> retry_after) = 0;
};

// What a call does where the store has no answer.
enum class Effort : u8 {
  kCompile,  // Have it compiled.
  kLookUp,   // End with NOT_FOUND; nothing is queued, so the sink gets one answer or one error.
};

class CompileCall : public std::enable_shared_from_this<CompileCall> {
 public:
  // `core` outlives the call; `sink` is held until the call has ended.
  static std::shared_ptr<CompileCall> Start(Core& core, rpc::CompileRequest request, Caller caller,
                                            std::shared_ptr<CompileSink> sink,
                                            Effort effort = Effort::kCompile);
  ~CompileCall();

  // The client is gone: nothing is sent any more, and work that nobody else waits for is stopped.
  void Cancel();

 private:
  struct Slot;
  class SlotWaiter;
  // What is to be told to the queue when the lock is free: the queue calls back, this call and
  // others.
  struct Orders {
    std::vector<std::pair<std::size_t, Task>> submit;  // By slot.
    std::vector<ActionQueue::TicketId> leave;
  };

  CompileCall(Core& core, rpc::CompileRequest request, action::CompileOptions options,
              Caller caller, std::shared_ptr<CompileSink> sink, Effort effort);

  void Begin();
  using Module = Result<std::shared_ptr<const ModuleFacts>, Diagnostics>;
  Status ReadSource(Module& module);
  Module ReadText(const std::string& text, const Reading& reading);
  Status TakeForms(Module& module);
  Status TakeForm(Module& module, const std::shared_ptr<const ModuleFacts>& written,
                  const Reading& form);
  void Run(const Module& module);
  // Does `work` under the lock, unless the call has ended; its error ends the call. Then gives the
  // orders.
  template <typename Work>
  void Step(const Work& work);
  void Give(Orders orders);
  void OnSubmitted(std::size_t index, const Result<ActionQueue::Submitted>& submitted);
  void OnRunning(std::size_t index, const std::string& worker);
  void OnFinished(std::size_t index, const std::shared_ptr<const Finished>& finished);

  // mutex_ is held in all of these.
  Status StartSlot(std::size_t index, Orders& orders);
  Result<bool> AnswerFromStore(std::size_t index);
  Result<Task> MakeTask(const action::Action& action, const Sha256& digest);
  Status AddInput(Task& task, Blob blob);
  Status NeedText();
  Status NeedCompilerText();
  Status MapPlaces(action::ActionResult& result);
  void AddResult(std::size_t index, rpc::Served served, action::ActionResult result,
                 std::vector<Blob> outputs);
  Status StartBundle(Orders& orders);
  Status Advance(Orders& orders);
  void AddProgress(std::size_t index, rpc::TargetState state);
  void Flush();
  CallSummary Summary(Code code) const;
  void LeaveAll(Orders& orders);
  void End(const Error& error, Orders& orders);
  std::chrono::microseconds Elapsed() const;

  Core& core_;
  rpc::CompileRequest request_;
  const Caller caller_;
  const Effort effort_;
  const TimePoint received_;
  const Reading reading_;
  Digest source_;

  std::mutex mutex_;
  std::shared_ptr<CompileSink> sink_;  // Null once the call has ended.
  u64 bytes_held_ = 0;
  std::optional<std::string> text_;  // The source, where it is at hand; in the form of module_.
  std::optional<ptx::CompilerText> compiler_text_;
  std::optional<Blob> ptx_;  // compiler_text_ as the worker gets it.
  std::shared_ptr<const ModuleFacts> module_;
  std::shared_ptr<const ModuleFacts> written_;  // Where module_ is another form of it.
  Plan plan_;
  std::vector<std::unique_ptr<Slot>> slots_;  // One a target, then the bundle's.
  std::size_t open_ = 0;                      // Slots without a result.
  bool bundle_begun_ = false;
  rpc::CompileResponse pending_;
  u64 inline_bytes_left_ = 0;
  u64 output_bytes_ = 0;  // Sent so far.
};

}  // namespace ptxfarm::server
