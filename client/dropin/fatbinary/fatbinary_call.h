// A command line of the toolkit's `fatbinary`, read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "toolchain/object/fatbin/embed.h"
#include "toolchain/object/fatbin/write.h"

namespace ptxfarm::dropin {

// One --image3.
struct FatbinaryImage {
  object::fatbin::MemberKind kind = object::fatbin::MemberKind::kCubin;
  object::fatbin::MemberTarget target;
  std::string file;
};

struct FatbinaryCall {
  std::string create;    // --create: the container's file; empty for none.
  std::string embedded;  // --embedded-fatbin: the C file; empty for none.
  std::vector<FatbinaryImage> images;

  std::string identifier, ptx_options, lto_options;
  object::fatbin::CompressMode compress = object::fatbin::CompressMode::kDefault;
  bool compress_all = false;
  bool relocatable = false;
  bool linked = false;
  bool debug = false;
  bool without_assembler = false;

  // Views into this.
  object::fatbin::WriteOptions WriteOptions() const;
  object::fatbin::EmbedOptions EmbedOptions() const {
    return {.relocatable = relocatable, .linked = linked, .without_assembler = without_assembler};
  }
};

// INVALID_ARGUMENT for what the tool refuses, in its own words ("Unknown option '-x'");
// UNIMPLEMENTED for what it does and this doesn't: 32 bits, --image2, --help, --version, no image
// at all.
Result<FatbinaryCall> ReadFatbinaryCall(std::span<const std::string> words);

}  // namespace ptxfarm::dropin
