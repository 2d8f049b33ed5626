// The options of nvlink, the device linker of CUDA 13.0, as rows: what a link may be asked for, and
// what of it is part of its key.
#pragma once

#include <span>
#include <string_view>

#include "base/int.h"

namespace ptxfarm::action {

// What an option says of a link, and so where it goes.
enum class LinkOptionUse : u8 {
  kBytes,    // The object, or what is said of it: part of the key.
  kNothing,  // Of another mode.
  kTarget,   // The rest has a place of its own in a call.
  kLibrary,
  kLibraryPath,
  kNvvmPath,
  kOutput,
  kRegister,
  kOptionsFile,
  kRefused,  // Other modes, and more files than a link has.
};

enum class LinkOptionValue : u8 {
  kNone,
  kText,
  kList,  // Words between commas; of an option given twice the values add up.
};

// Its names are those that `nvlink --help` prints, and of one that nvcc gives besides (host-ccbin).
struct LinkOptionRow {
  std::string_view name;
  std::string_view short_name;
  LinkOptionValue value;
  LinkOptionUse use;
};

std::span<const LinkOptionRow> LinkOptionTable();

// Null where there is none of this long name.
const LinkOptionRow* FindLinkOption(std::string_view name);

}  // namespace ptxfarm::action
