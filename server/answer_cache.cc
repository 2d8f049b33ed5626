#include "server/answer_cache.h"

#include <utility>

#include "server/limits.h"

namespace ptxfarm::server {
namespace {

// Far shorter than what the store takes for long unused, long enough that a storm is answered here.
constexpr std::chrono::seconds kHolds{60};

}  // namespace

std::shared_ptr<const Answer> AnswerCache::Find(const std::string& request, u64 generation) {
  const TimePoint now = clock_.Now();
  const std::lock_guard lock(mutex_);
  const auto* const item = kept_.Use(request);
  if (item == nullptr) return nullptr;
  if (item->value.generation == generation && now < item->value.until) return item->value.answer;
  kept_.Remove(request);
  return nullptr;
}

void AnswerCache::Keep(const std::string& request, u64 generation, Answer answer) {
  const u64 bytes = request.size() + answer.bytes.Length();
  if (bytes > kAnswerBytesMax.value) return;
  Kept kept{std::make_shared<const Answer>(std::move(answer)), generation, clock_.Now() + kHolds};
  const std::lock_guard lock(mutex_);
  kept_.Put(request, std::move(kept), bytes);
  while (kept_.bytes() > kAnswersBytesMax.value) kept_.Remove(kept_.Oldest()->key);
}

}  // namespace ptxfarm::server
