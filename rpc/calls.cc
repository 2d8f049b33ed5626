#include "rpc/calls.h"

namespace ptxfarm::rpc {

std::string_view NameOf(KeyTier tier) {
  switch (tier) {
    case KeyTier::kDefault: return "default";
    case KeyTier::kExact: return "exact";
    case KeyTier::kLexical: return "lexical";
    case KeyTier::kStructural: return "structural";
  }
  return "default";
}

std::string_view NameOf(FatbinCompression compression) {
  switch (compression) {
    case FatbinCompression::kDefault: return "default";
    case FatbinCompression::kNone: return "none";
    case FatbinCompression::kSpeed: return "speed";
    case FatbinCompression::kSize: return "size";
  }
  return "default";
}

std::string_view NameOf(TargetState state) {
  switch (state) {
    case TargetState::kQueued: return "queued";
    case TargetState::kJoined: return "joined";
    case TargetState::kRunning: return "running";
  }
  return "queued";
}

std::string_view NameOf(Served served) {
  switch (served) {
    case Served::kHit: return "hit";
    case Served::kMiss: return "miss";
    case Served::kJoined: return "joined";
  }
  return "miss";
}

}  // namespace ptxfarm::rpc
