// The column "operands" of a row, read for one spelling.
#pragma once

#include "toolchain/ptx/isa/spelling.h"

namespace ptxfarm::ptx::isa {

// The operands of the form that stand there under the match's words, in order.
std::vector<OperandSpec> OperandsOf(const Match& match, std::span<const std::string_view> words);

// "b", "0..255": the choice that `{.x:a; .y:b; else:c}` makes by the value of its set, or by the
// words where its name is no set; the text itself where it is no choice.
std::string_view Chosen(std::string_view text, const Match& match,
                        std::span<const std::string_view> words);

}  // namespace ptxfarm::ptx::isa
