// Which files a preprocessed text was made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// The names in the line markers (`# 12 "folder/name.h" 1`) of what gcc or clang gives for -E, each
// once, without those in angle brackets ("<built-in>"), which are no files. Linear in the text.
std::vector<std::string> FilesOfPreprocessed(std::string_view text);

}  // namespace ptxfarm::dropin
