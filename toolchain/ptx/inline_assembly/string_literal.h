// The bytes that a string literal of C++ stands for.
#pragma once

#include <string_view>

#include "toolchain/ptx/inline_assembly/mapped_text.h"

namespace ptxfarm::ptx {

// Appends the bytes of one literal, as LexCpp finds it, each with its place.
//
//   source   the text that the literal stands in
//   literal  from its prefix to its quote; one without a closing quote ends with the span
void AppendLiteral(std::string_view source, SourceSpan literal, MappedText& text);

}  // namespace ptxfarm::ptx
