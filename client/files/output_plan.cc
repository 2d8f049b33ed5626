#include "client/files/output_plan.h"

#include <sys/stat.h>

#include <algorithm>
#include <map>

namespace ptxfarm::client {
namespace {

bool HasVirtual(const OutputRequest& request) {
  return std::ranges::any_of(request.targets, &PlannedTarget::is_virtual);
}

bool HasReal(const OutputRequest& request) {
  return !std::ranges::all_of(request.targets, &PlannedTarget::is_virtual);
}

std::string_view BaseNameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// "out/" of "out/k.cubin"; empty for a file of this folder, and for the standard output.
std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// ".cubin" of "out/k.cubin"; a name that only begins with a dot has none.
std::string_view ExtensionOf(std::string_view path) {
  const std::string_view name = BaseNameOf(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
}

std::optional<OutputKind> KindOfExtension(std::string_view path) {
  const std::string_view extension = ExtensionOf(path);
  for (const OutputKind kind : {OutputKind::kCubin, OutputKind::kFatbin, OutputKind::kPtx})
    if (!extension.empty() && extension.substr(1) == NameOf(kind)) return kind;
  return std::nullopt;
}

// What -o is, as far as its name and the disk tell without knowing how many outputs there are.
enum class OutputForm : u8 { kFolder, kFile, kOpen };

OutputForm FormOf(const std::string& output) {
  if (output.empty() || output.ends_with('/')) return OutputForm::kFolder;
  if (output == "-") return OutputForm::kFile;
  struct stat info {};
  if (::stat(output.c_str(), &info) == 0)
    return S_ISDIR(info.st_mode) ? OutputForm::kFolder : OutputForm::kFile;
  return KindOfExtension(output) ? OutputForm::kFile : OutputForm::kOpen;
}

// What to write where --emit doesn't say: what the name of the output says, else all that the
// targets can give.
std::vector<OutputKind> DefaultEmit(const OutputRequest& request, OutputForm form) {
  if (form == OutputForm::kFile) {
    if (const std::optional<OutputKind> kind = KindOfExtension(request.output)) return {*kind};
    const bool one_cubin = request.targets.size() == 1 && HasReal(request);
    return {one_cubin ? OutputKind::kCubin : OutputKind::kFatbin};
  }
  if (!HasReal(request)) return {OutputKind::kFatbin};
  return {OutputKind::kCubin, OutputKind::kFatbin};
}

Status CheckEmit(const std::vector<OutputKind>& emit, const OutputRequest& request) {
  const auto emits = [&](OutputKind kind) { return std::ranges::find(emit, kind) != emit.end(); };
  if (emits(OutputKind::kCubin) && !HasReal(request))
    return MakeError(Code::kInvalidArgument,
                     "compute_* targets give no cubin; add a target like sm_90, or emit fatbin");
  if (emits(OutputKind::kPtx) && !HasVirtual(request))
    return MakeError(Code::kInvalidArgument,
                     "only compute_* targets give PTX; add one, or leave ptx out of --emit");
  return Ok{};
}

// The files of one module, without folders.
std::vector<PlannedFile> FilesOf(const std::string& name, const OutputRequest& request,
                                 const std::vector<OutputKind>& emit) {
  std::vector<PlannedFile> files;
  for (const OutputKind kind : {OutputKind::kCubin, OutputKind::kPtx, OutputKind::kFatbin}) {
    if (std::ranges::find(emit, kind) == emit.end()) continue;
    if (kind == OutputKind::kFatbin) {
      files.push_back({kind, "", name + ".fatbin"});
      continue;
    }
    for (const PlannedTarget& target : request.targets)
      if (target.is_virtual == (kind == OutputKind::kPtx))
        files.push_back(
            {kind, target.name, fmt::format("{}.{}.{}", name, target.name, NameOf(kind))});
  }
  return files;
}

// Puts the folder before the names, or replaces the one name by the file's.
Status Place(OutputPlan& plan, const OutputRequest& request, OutputForm form) {
  std::size_t count = 0;
  for (const PlannedModule& module : plan.modules) count += module.files.size();
  const bool as_file = form == OutputForm::kFile || (form == OutputForm::kOpen && count == 1 &&
                                                     !ExtensionOf(request.output).empty());
  if (as_file) {
    if (count != 1)
      return MakeError(Code::kInvalidArgument,
                       "-o {} names one file, but {} outputs would be written; name a folder "
                       "('{}/'), or ask for "
                       "one output with --emit",
                       request.output, count, request.output == "-" ? "out" : request.output);
    plan.modules.front().files.front().path = request.output;
    plan.folder = FolderOf(request.output);
    return Ok{};
  }
  plan.folder = request.output;
  std::string prefix = request.output;
  if (!prefix.empty() && !prefix.ends_with('/')) prefix += '/';
  for (PlannedModule& module : plan.modules)
    for (PlannedFile& file : module.files) file.path.insert(0, prefix);
  return Ok{};
}

Status CheckNames(const OutputRequest& request, const OutputPlan& plan) {
  std::map<std::string, std::string> input_of_name;
  for (const PlannedModule& module : plan.modules) {
    const auto [at, inserted] = input_of_name.emplace(module.name, module.input);
    if (!inserted && at->second == module.input)
      return MakeError(Code::kInvalidArgument, "{} is given twice", module.input);
    if (!inserted)
      return MakeError(
          Code::kInvalidArgument,
          "{} and {} would both write {}.*; compile them by two calls, into two folders",
          at->second, module.input, module.name);
  }
  // A module called "k.sm_80" and one called "k" can still meet.
  std::map<std::string, std::string> input_of_path;
  for (const PlannedModule& module : plan.modules) {
    for (const PlannedFile& file : module.files) {
      const auto [at, inserted] = input_of_path.emplace(file.path, module.input);
      if (!inserted)
        return MakeError(Code::kInvalidArgument, "{} and {} would both write {}", at->second,
                         module.input, file.path);
    }
  }
  if (request.inputs.empty()) return MakeError(Code::kInvalidArgument, "no file to compile");
  return Ok{};
}

// By device and inode, so that links and other spellings of a path are seen too.
Status CheckOutputsAreNoInputs(const OutputRequest& request, const OutputPlan& plan) {
  std::map<std::pair<dev_t, ino_t>, std::string> inputs;
  for (const std::string& input : request.inputs) {
    struct stat info {};
    if (input != "-" && ::stat(input.c_str(), &info) == 0 && S_ISREG(info.st_mode))
      inputs[{info.st_dev, info.st_ino}] = input;
  }
  for (const PlannedModule& module : plan.modules) {
    for (const PlannedFile& file : module.files) {
      struct stat info {};
      if (file.path == "-" || ::stat(file.path.c_str(), &info) != 0) continue;
      const auto found = inputs.find({info.st_dev, info.st_ino});
      if (found != inputs.end())
        return MakeError(Code::kInvalidArgument,
                         "the output {} is the input {}; name another folder or file with -o",
                         file.path, found->second);
    }
  }
  return Ok{};
}

}  // namespace

std::string_view NameOf(OutputKind kind) {
  switch (kind) {
    case OutputKind::kCubin: return "cubin";
    case OutputKind::kFatbin: return "fatbin";
    case OutputKind::kPtx: return "ptx";
  }
  return "cubin";
}

bool OutputPlan::Writes(OutputKind kind) const {
  for (const PlannedModule& module : modules)
    for (const PlannedFile& file : module.files)
      if (file.kind == kind) return true;
  return false;
}

bool OutputPlan::ToStandardOutput() const {
  return modules.size() == 1 && modules[0].files.size() == 1 && modules[0].files[0].path == "-";
}

std::string ModuleNameOf(const std::string& input) {
  if (input == "-") return "stdin";
  std::string name(BaseNameOf(input));
  if (name.ends_with(".ptx") && name.size() > 4) name.resize(name.size() - 4);
  return name.empty() ? "module" : name;
}

Result<OutputPlan> PlanOutputs(const OutputRequest& request) {
  const OutputForm form = FormOf(request.output);
  const std::vector<OutputKind> emit = request.emit ? *request.emit : DefaultEmit(request, form);
  PTXFARM_RETURN_IF_ERROR(CheckEmit(emit, request));

  OutputPlan plan;
  for (const std::string& input : request.inputs) {
    const std::string name = ModuleNameOf(input);
    plan.modules.push_back({input, name, FilesOf(name, request, emit)});
  }
  PTXFARM_RETURN_IF_ERROR(CheckNames(request, plan));
  PTXFARM_RETURN_IF_ERROR(Place(plan, request, form));
  PTXFARM_RETURN_IF_ERROR(CheckOutputsAreNoInputs(request, plan));
  return plan;
}

}  // namespace ptxfarm::client
