// One asm statement against the language.
#pragma once

#include <string>
#include <unordered_set>

#include "toolchain/ptx/inline_assembly/check_inline.h"
#include "toolchain/ptx/inline_assembly/expand_template.h"

namespace ptxfarm::ptx {

// Names that templates declare outside braces: other statements of the file may use them.
using OpenNames = std::unordered_set<std::string>;

// Those of one statement.
void GatherOpenNames(const AsmStatement& statement, OpenNames& names);

// Reports all that is wrong with the statement. False where its text isn't known, so that it can't
// be checked.
bool CheckStatement(const AsmStatement& statement, const InlineOptions& options,
                    const OpenNames& open_names, SourceErrors& errors);

}  // namespace ptxfarm::ptx
