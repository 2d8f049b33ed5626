// Words that help, man pages and the reference share, and the wrapping of lines.
#pragma once

#include <string>
#include <string_view>

#include "config/program.h"

namespace ptxfarm::config {

// "-o, --output PATH"; "--[no-]fail-fast" for flags whose other form means something.
std::string FlagUsage(const Option& option);

// "default 64MiB; a size from 1MiB to 1TiB; may be given several times", or nothing.
std::string ValueNotes(const Option& option);

// "ptxfarm compile [OPTION]... FILE..."
std::string Synopsis(const CommandPath& path);
// "FILE...", "[FILE]"
std::string ArgumentUsage(const Argument& argument);

// Columns that the text takes on a terminal: code points, of which ours are all one wide.
std::size_t Columns(std::string_view text);

// Breaks at blanks so that no line is longer than `width` columns, where words allow it; every line
// begins with `indent` blanks. An empty line parts paragraphs and is kept.
std::string Wrap(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace ptxfarm::config
