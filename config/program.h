// The rows of a program: its options, arguments and commands.
//
// The command line, the environment, the config file, --help, man pages, completions and the
// reference in Markdown are all read off them (parse.h, help.h, man_page.h, completion.h,
// markdown.h); run.h does all of that for a `main`.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.h"

namespace ptxfarm::config {

// Where an option may be set.
enum class Reach : u8 { kEverywhere, kFlagAndEnvironment, kFlag };

struct OptionExtra {
  char letter = 0;  // 'o' adds -o.
  Reach reach = Reach::kEverywhere;
};

// `--store-bytes-max` on the command line, PTXFARM_STORE_BYTES_MAX in the environment, and
// `store-bytes-max = "64MiB"` in the config file, under the table of its group.
struct Option {
  std::string name;        // "store-bytes-max"
  std::string value_name;  // "SIZE", as help shows it; empty for flags.
  std::string
      help;  // A sentence without default, range or choices: those are printed off the value.
  Value value;
  OptionExtra extra = {};
};

// "PTXFARM_STORE_BYTES_MAX"
std::string EnvironmentName(const Option& option);

// Whether --no-x exists. A flag of the command line alone does something once (--help): there is
// nothing to take back.
bool IsNegatable(const Option& option);

struct OptionGroup {
  std::string title;  // Heads the group in --help: "Store".
  std::string table;  // One of kFileTables, or "" for the top level of the file.
  std::vector<Option> options;
};

// A program reads the tables of its own rows, and skips the others: one file serves a whole
// machine.
inline constexpr std::string_view kFileTables[] = {"server", "worker", "client"};

// What stands on the command line without a name. A list takes all the rest, and is the last one.
struct Argument {
  std::string name;  // "FILE"
  std::string help;
  Value value;
  bool required = true;
};

struct Example {
  std::string command;  // "ptxfarm compile k.ptx --targets sm_90"
  std::string what;     // "Compiles one module for one target."
};

// A program, or a command of one ("compile" of `ptxfarm compile`). Either it has commands below it,
// or it runs. Its options are accepted by the commands below it too, before and after their names.
struct Command {
  std::string name;
  std::string summary;  // "compiles PTX modules"; one line, for lists and the NAME of the man page.
  std::string description;  // Paragraphs, parted by an empty line.
  std::vector<OptionGroup> options = {};
  std::vector<Argument> arguments = {};
  std::vector<Example> examples = {};
  std::function<int()> run = nullptr;  // Returns the exit status.
  std::vector<Command> commands = {};
};

struct ExitStatus {
  int code;
  std::string meaning;
};
struct KnownFile {
  std::string path;
  std::string what;
};

struct Program {
  std::string version;  // "0.1.0"
  Command command;
  std::vector<ExitStatus> exit_statuses =
      {};                             // Besides 0 and kExitUsage, which are printed for all.
  std::vector<KnownFile> files = {};  // Besides the config files.
};

inline constexpr int kExitUsage = 2;

// From the program down to one of its commands. The rows outlive it.
using CommandPath = std::vector<const Command*>;

CommandPath PathOf(const Program& program);
// Every path of the program, itself first, in the order of the rows.
std::vector<CommandPath> AllPaths(const Program& program);
// "ptxfarm fatbin list"
std::string NameOf(const CommandPath& path, std::string_view separator = " ");

// What is accepted at a path: its own groups, and those above.
std::vector<const OptionGroup*> GroupsOf(const CommandPath& path);

// Aborts on rows that contradict each other: a flag, letter or file key used twice on one path, a
// list that isn't the last argument, a table that no file has, a command that neither runs nor has
// commands.
void CheckRows(const Program& program);

}  // namespace ptxfarm::config
