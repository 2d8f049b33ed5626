// A command line of nvcc, read as far as a cache has to: what it compiles, what it writes, and
// whether its outputs depend on more than a key can hold.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ptxfarm::dropin {

struct NvccCall {
  // Why this can't be served from a cache; empty where it can. Such a call is nvcc's own business.
  std::string why_not;
  bool has_steps = false;  // Of a call with `why_not`: it compiles or links nevertheless.

  std::string input;
  std::string output;           // As nvcc names it where the call doesn't.
  std::string dependency_file;  // -MF; empty where none is asked for.
  std::string host_compiler;    // -ccbin; empty: nvcc's own choice.
  // Folders that are searched for "…" and <…>, in the order of the search.
  std::vector<std::string> include_folders;
  // What goes into the key: every word that can change what is written or said, in order.
  std::vector<std::string> key_words;
  // The words to run, options files replaced by what they hold.
  std::vector<std::string> words;
  // Where in `words` the name of the output stands by itself; nothing where it isn't given, or is
  // part of a word.
  std::optional<std::size_t> output_word;
  bool names_output = false;   // The call gives a name.
  bool makes_object = false;   // Of the host, with the device's code in it.
  bool names_threads = false;  // -t: how many steps run side by side is the caller's word.
  bool names_target = false;   // -MT: the dependency file doesn't name the output by itself.
};

// `prepended` and `appended` are $NVCC_PREPEND_FLAGS and $NVCC_APPEND_FLAGS. Never fails: what
// can't be understood is a reason in `why_not`.
NvccCall ReadNvccCall(std::span<const std::string> words, std::string_view prepended,
                      std::string_view appended);

}  // namespace ptxfarm::dropin
