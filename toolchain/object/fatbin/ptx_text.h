// The rewriting that `fatbinary` gives to PTX before it stores it: comments and indentation go,
// lines stay.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::object::fatbin {

// The text as `fatbinary` of CUDA 13 stores it, without the NUL that it appends. Not the same as
// what a PTX lexer would make of it: the rules are blind to anything but quotes and comments.
// Linear.
std::string RewritePtx(std::string_view text);

struct PtxTextVersion {
  u16 major = 0;
  u16 minor = 0;
};

// Of the first ".version N.M" in the text, even one inside a comment, as `fatbinary` finds it: M is
// one digit. Nothing where the first ".version" isn't of that form.
std::optional<PtxTextVersion> VersionOfPtx(std::string_view text);

}  // namespace ptxfarm::object::fatbin
