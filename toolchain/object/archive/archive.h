// Unix archives (.a), as `ar` of GNU and BSD write them: where host objects with GPU code stand in
// static libraries.
#pragma once

#include <string_view>
#include <vector>

#include "base/int.h"
#include "base/result.h"

namespace ptxfarm::object::archive {

struct Member {
  std::string_view name;
  u64 offset = 0;  // Of its data in the archive.
  std::string_view data;
};

bool LooksLikeArchive(std::string_view bytes);

// The members in their order, without symbol and name tables. All views point into `bytes`.
// UNIMPLEMENTED for thin archives, whose members are files elsewhere.
Result<std::vector<Member>> ReadArchive(std::string_view bytes);

}  // namespace ptxfarm::object::archive
