// Text that was made from a source, and the way back: which bytes of the source each byte came
// from.
//
// An asm template passes through two such steps (literals → template → PTX), so they compose: text
// taken from another MappedText keeps that one's origins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"

namespace ptxfarm::ptx {

// Bytes of the source, from `begin` to before `end`.
struct SourceSpan {
  u32 begin = 0;
  u32 end = 0;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

class MappedText {
 public:
  // Bytes that stand in the source as they are, from `origin` on.
  void AppendCopy(std::string_view bytes, u32 origin);
  // Bytes that something else stands for.
  void AppendFor(std::string_view bytes, SourceSpan origin);
  // Those of `from` between two of its offsets.
  void AppendPart(const MappedText& from, u32 begin, u32 end);

  const std::string& text() const { return text_; }
  u32 size() const { return static_cast<u32>(text_.size()); }

  // Where the bytes from `begin` to `end` came from: from the first one's origin to the last one's.
  // An empty span, and one that lies behind the text, is a point.
  SourceSpan OriginOf(u32 begin, u32 end) const;

 private:
  struct Piece {
    u32 at;  // In text_; it goes on to the next piece.
    SourceSpan origin;
    bool is_copy;
  };
  const Piece& PieceAt(u32 offset) const;
  SourceSpan OriginOfByte(u32 offset) const;

  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace ptxfarm::ptx
