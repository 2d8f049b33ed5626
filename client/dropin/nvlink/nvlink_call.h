// A command line of nvlink, read as nvlink 13.0 reads it.
//
// What isn't surely understood has a reason in `why_not`, and goes to the real tool word by word: a
// wrong line, an option of another version, a mode that has other files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptxfarm::dropin {

// A file that the call names to be written.
struct NamedOutput {
  std::string name;
  std::size_t word = 0;  // Which of the call's words holds it: all of it, or behind its '='.
};

struct NvlinkCall {
  std::string_view why_not;  // Of a few fixed texts; empty where the call is understood.

  std::vector<std::string> words;  // The line with its options files put in place.
  std::string target;              // "sm_90a"
  std::vector<std::string> inputs;
  std::vector<std::string> libraries;        // "cudadevrt" of -lcudadevrt.
  std::vector<std::string> library_folders;  // Of -L.
  std::string nvvm_path;                     // Empty where none is given.
  NamedOutput output;
  std::optional<NamedOutput> register_file;  // --register-link-binaries
  // The others that can change what comes out, each once, in the order of their table:
  // "--debug", "--maxrregcount=32".
  std::vector<std::string> options;

  bool Has(std::string_view option) const;  // "debug"
  bool optimizes_at_link_time() const;
};

// `words` without the program's name. Reads the options files that they name.
NvlinkCall ReadNvlinkCall(std::span<const char* const> words);

// The words of a run that writes to other places.
std::vector<std::string> WordsWithOutputs(const NvlinkCall& call, const std::string& output,
                                          const std::string& register_file);

}  // namespace ptxfarm::dropin
