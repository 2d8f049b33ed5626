// Bounds of what an object file may make us do. Object files come from clients and from disk: both
// can lie.
#pragma once

#include "base/limits.h"

namespace ptxfarm::object {

// clang-format off
inline constexpr Limit kNameBytesMax = {
    "object_name_bytes_max", u64{256} << 20,
    "sum of the lengths of all names of one table; tables may share one long name a million times"};
inline constexpr Limit kMemberBytesMax = {
    "fatbin_member_bytes_max", u64{512} << 20,
    "uncompressed size of one fatbin member; the toolkit's libraries reach 20 MB"};
inline constexpr Limit kArchiveMembersMax = {
    "archive_members_max", u64{1} << 20,
    "members of one archive; a header of 60 bytes costs us more than it costs the sender"};
// clang-format on

}  // namespace ptxfarm::object
