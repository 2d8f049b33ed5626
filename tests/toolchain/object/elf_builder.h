// Makes ELF files, good and bad, from rows of sections: malformed input for the readers, without
// files of other tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/int.h"

namespace ptxfarm::object::test {

struct BuiltSection {
  std::string name;
  u32 type = 1;
  u64 flags = 0;
  u32 link = 0;
  u32 info = 0;
  std::string data;
  u64 size = 0;  // Where it isn't the data's.
};

struct BuiltElf {
  u8 os_abi = 0x41;
  u16 type = 2;
  u16 machine = 190;
  u32 flags = 0x06005004;
  std::vector<BuiltSection> sections;  // Index 0 and the name table, which is the last, are added.

  std::string Bytes() const;
};

// A symbol record.
std::string BuiltSymbol(u32 name, u8 type, u8 binding, u8 other, u16 section_index, u64 value,
                        u64 size);

// The contents of .note.nv.tkinfo, as ptxas fills it.
std::string BuiltToolNote(std::string_view options);

// A kernel "k" with all that the readers look for, for sm_80.
BuiltElf BuiltCubin();

}  // namespace ptxfarm::object::test
