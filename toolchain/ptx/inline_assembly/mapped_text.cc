#include "toolchain/ptx/inline_assembly/mapped_text.h"

#include <algorithm>

namespace ptxfarm::ptx {

void MappedText::AppendCopy(std::string_view bytes, u32 origin) {
  if (bytes.empty()) return;
  const u32 origin_end = origin + static_cast<u32>(bytes.size());
  if (!pieces_.empty() && pieces_.back().is_copy && pieces_.back().origin.end == origin)
    pieces_.back().origin.end = origin_end;
  else
    pieces_.push_back({size(), {origin, origin_end}, true});
  text_ += bytes;
}

void MappedText::AppendFor(std::string_view bytes, SourceSpan origin) {
  if (bytes.empty()) return;
  pieces_.push_back({size(), origin, false});
  text_ += bytes;
}

void MappedText::AppendPart(const MappedText& from, u32 begin, u32 end) {
  while (begin < end) {
    const Piece& piece = from.PieceAt(begin);
    const auto* const next = &piece + 1;
    const bool is_last = next == from.pieces_.data() + from.pieces_.size();
    const u32 piece_end = std::min(end, is_last ? from.size() : next->at);
    const std::string_view bytes = std::string_view(from.text_).substr(begin, piece_end - begin);
    if (piece.is_copy)
      AppendCopy(bytes, piece.origin.begin + (begin - piece.at));
    else
      AppendFor(bytes, piece.origin);
    begin = piece_end;
  }
}

SourceSpan MappedText::OriginOf(u32 begin, u32 end) const {
  if (pieces_.empty()) return {};
  if (begin >= size()) {
    const u32 behind = OriginOfByte(size() - 1).end;
    return {behind, behind};
  }
  const SourceSpan first = OriginOfByte(begin);
  if (end <= begin) return {first.begin, first.begin};
  const SourceSpan last = OriginOfByte(std::min(end, size()) - 1);
  return {first.begin, std::max(first.end, last.end)};
}

const MappedText::Piece& MappedText::PieceAt(u32 offset) const {
  const auto behind = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                       [](u32 at, const Piece& piece) { return at < piece.at; });
  return *(behind - 1);
}

SourceSpan MappedText::OriginOfByte(u32 offset) const {
  const Piece& piece = PieceAt(offset);
  if (!piece.is_copy) return piece.origin;
  const u32 at = piece.origin.begin + (offset - piece.at);
  return {at, at + 1};
}

}  // namespace ptxfarm::ptx
