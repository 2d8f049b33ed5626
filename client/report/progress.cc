#include "client/report/progress.h"

#include <fmt/format.h>

#include "base/file.h"
#include "client/report/figures.h"

namespace ptxfarm::client {
namespace {

using Steady = std::chrono::steady_clock;

// Often enough to look alive; a call that ends before the first tick, as a hit does, draws nothing.
constexpr std::chrono::milliseconds kTick(100);

// Cut to what fits on one line: a line that wraps can't be redrawn in place.
std::string CutTo(std::string text, std::size_t columns) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    width += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80;
    if (width > columns) {
      text.resize(i);
      break;
    }
  }
  return text;
}

}  // namespace

Progress::Progress(int descriptor, Terminal terminal, std::size_t outputs_total)
    : descriptor_(descriptor), terminal_(terminal), outputs_total_(outputs_total) {
  if (terminal_.interactive) ticker_ = std::thread([this] { Tick(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    Clear();
  }
  changed_.notify_all();
  if (ticker_.joinable()) ticker_.join();
}

void Progress::Update(const std::string& module, const TargetProgress& progress) {
  const std::lock_guard lock(mutex_);
  Running& running = under_way_[module + " " + progress.target];
  if (running.since == Steady::time_point() || running.state != progress.state)
    running = {progress.state, Steady::now()};
  note_.clear();
}

void Progress::Finished(const std::string& module, const std::string& target) {
  const std::lock_guard lock(mutex_);
  under_way_.erase(module + " " + target);
  ++finished_;
}

void Progress::Note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  note_ = text;
}

void Progress::Print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const bool redraw = drawn_;
  Clear();
  Write(text);
  if (redraw) Draw();
}

void Progress::Tick() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kTick, [this] { return ended_; })) Draw();
}

void Progress::Clear() {
  if (drawn_) Write("\r\x1b[K");
  drawn_ = false;
}

void Progress::Draw() {
  Write("\r\x1b[K" + CutTo(Line(), terminal_.columns - 1));
  drawn_ = true;
}

std::string Progress::Line() const {
  std::size_t running = 0, queued = 0, joined = 0;
  const std::pair<const std::string, Running>* longest = nullptr;
  for (const auto& one : under_way_) {
    running += one.second.state == TargetState::kRunning;
    queued += one.second.state == TargetState::kQueued;
    joined += one.second.state == TargetState::kJoined;
    const bool runs = one.second.state != TargetState::kQueued;
    if (runs && (longest == nullptr || one.second.since < longest->second.since)) longest = &one;
  }
  std::string line = fmt::format("[{}/{}]", finished_, outputs_total_);
  if (running > 0) line += fmt::format(" {} running", running);
  if (queued > 0) line += fmt::format(" {} queued", queued);
  if (joined > 0) line += fmt::format(" {} joined", joined);
  if (longest != nullptr) {
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() -
                                                                            longest->second.since);
    line += fmt::format("; {} {}", Printable(longest->first), FormatTime(time));
  }
  if (!note_.empty()) line += "; " + Printable(note_);
  return line;
}

void Progress::Write(std::string_view text) const {
  static_cast<void>(WriteDescriptor(descriptor_, text, ""));  // Nobody could be told.
}

}  // namespace ptxfarm::client
