#include "client/commands/fatbin_edit.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "client/commands/gpu_code.h"
#include "client/files/input_file.h"
#include "client/files/output_file.h"
#include "client/files/output_plan.h"
#include "client/report/figures.h"
#include "client/report/json.h"
#include "toolchain/object/cubin/cubin.h"
#include "toolchain/object/fatbin/write.h"
#include "toolchain/target/target.h"

namespace ptxfarm::client {
namespace {

constexpr u64 kMemberBytesMax = u64{1} << 30;

// ---- extract

bool Wanted(const GpuCode& piece, const FatbinOptions& options) {
  return options.targets.empty() ||
         std::ranges::find(options.targets, piece.Target()) != options.targets.end();
}

// "out/k" of "lib/k.fatbin" and the folder "out".
std::string Stem(const std::string& path, const std::string& folder) {
  std::string name = ModuleNameOf(path);
  const std::size_t dot = name.rfind('.');
  if (dot != std::string::npos && dot > 0) name.resize(dot);
  if (folder.empty()) return name;
  return folder + (folder.ends_with('/') ? "" : "/") + name;
}

struct Extracted {
  const GpuCode* piece;
  std::string path;
};

// Names for the wanted pieces of a file, unique within it.
std::vector<Extracted> NameAll(const GpuFile& file, const FatbinOptions& options) {
  std::map<std::string, std::size_t> count_of;
  for (const GpuCode& piece : file.pieces) ++count_of[piece.Target() + piece.Kind()];
  std::map<std::string, std::size_t> number_of;
  std::vector<Extracted> named;
  for (const GpuCode& piece : file.pieces) {
    const std::string key = piece.Target() + piece.Kind();
    const std::size_t number = ++number_of[key];
    if (!Wanted(piece, options)) continue;
    const std::string numbered = count_of[key] > 1 ? fmt::format(".{}", number) : "";
    named.push_back({&piece, fmt::format("{}{}.{}.{}", Stem(file.path, options.output), numbered,
                                         piece.Target(), piece.Kind())});
  }
  return named;
}

class Extraction {
 public:
  Extraction(const Session& session, const FatbinOptions& options)
      : session_(session), options_(options) {
    document_ = Document("fatbin-extract");
    document_["written"] = Json::array();
    document_["errors"] = Json::array();
  }

  ExitCode Run() {
    if (!options_.output.empty()) {
      if (const Status made = MakeFolders(options_.output); !made)
        return session_.Fail("fatbin-extract", made.error(), ExitCode::kFile);
    }
    for (const std::string& path : options_.files) OneFile(path);
    document_["exit_code"] = static_cast<int>(code_);
    return session_.options().json ? session_.Print(Print(document_), code_) : code_;
  }

 private:
  void OneFile(const std::string& path) {
    const Result<GpuFile> file = ReadGpuFile(path);
    if (!file) return Complain(file.error(), ExitCodeOfRead(file.error()));
    for (const object::fatbin::FoundDamage& damage : file->damages)
      Complain(Error(damage.error).Wrap("{}: damaged at {:#x}", path, damage.offset),
               ExitCode::kInput);
    const std::vector<Extracted> all = NameAll(*file, options_);
    if (all.empty() && file->damages.empty()) {
      const std::string what =
          options_.targets.empty()
              ? "no GPU code"
              : fmt::format("nothing for {}", fmt::join(options_.targets, ", "));
      Complain(MakeError(Code::kNotFound, "{}: there is {} in it", path, what), ExitCode::kInput);
    }
    for (const Extracted& one : all) OnePiece(path, one);
  }

  void OnePiece(const std::string& path, const Extracted& one) {
    Result<std::string> image = one.piece->Image();
    if (!image)
      return Complain(
          std::move(image).error().Wrap("{}: {} {}", path, one.piece->Kind(), one.piece->Target()),
          ExitCode::kInput);
    // Two files of one name in different folders would overwrite each other's.
    const auto [at, inserted] = written_.emplace(one.path, path);
    if (!inserted)
      return Complain(MakeError(Code::kAlreadyExists,
                                "{} and {} would both write {}; extract them into two folders",
                                at->second, path, one.path),
                      ExitCode::kUsage);
    if (Status written = WriteOutput(one.path, *image); !written)
      return Complain(written.error(), ExitCode::kFile);
    document_["written"].push_back({{"file", one.path},
                                    {"target", one.piece->Target()},
                                    {"kind", one.piece->Kind()},
                                    {"size_bytes", image->size()}});
    if (!session_.options().json && !session_.options().quiet)
      code_ = session_.Print(
          fmt::format("{}  {}\n", Printable(one.path), FormatSize(image->size())), code_);
  }

  void Complain(const Error& error, ExitCode code) {
    code_ = Worse(code_, code);
    document_["errors"].push_back(ToJson(error));
    if (!session_.options().json) session_.PrintError(error.message);
  }

  const Session& session_;
  const FatbinOptions& options_;
  Json document_;
  std::map<std::string, std::string> written_;  // Output → the file that it came from.
  ExitCode code_ = ExitCode::kOk;
};

// ---- create

// A member as named on the command line, with the bytes that it looks at.
struct NamedMember {
  std::string file;
  std::string bytes;
  object::fatbin::MemberKind kind = object::fatbin::MemberKind::kCubin;
  object::fatbin::MemberTarget target;
};

char SuffixOf(const Target& target) {
  switch (target.suffix()) {
    case TargetSuffix::kNone: return 0;
    case TargetSuffix::kFamily: return 'f';
    case TargetSuffix::kArchitecture: return 'a';
  }
  return 0;
}

Result<NamedMember> ReadMember(const std::string& word) {
  NamedMember member{.file = word};
  const std::size_t equals = word.find('=');
  std::optional<Target> target;
  // A path may have an equals sign too; a target has no slash or dot before it.
  if (equals != std::string::npos &&
      word.substr(0, equals).find_first_of("/.") == std::string::npos) {
    PTXFARM_ASSIGN_OR_RETURN(target, ParseTarget(word.substr(0, equals)));
    member.file = word.substr(equals + 1);
  }
  PTXFARM_ASSIGN_OR_RETURN(member.bytes, ReadInput(member.file, kMemberBytesMax));
  if (target) {
    member.kind = target->kind() == TargetKind::kVirtual    ? object::fatbin::MemberKind::kPtx
                  : target->kind() == TargetKind::kLinkTime ? object::fatbin::MemberKind::kLtoIr
                                                            : object::fatbin::MemberKind::kCubin;
    member.target = {target->number(), SuffixOf(*target)};
    return member;
  }
  Result<object::cubin::Cubin> cubin = object::cubin::ReadCubin(member.bytes);
  if (!cubin)
    return MakeError(Code::kInvalidArgument,
                     "{} is no cubin ({}); PTX needs its target before it, like compute_90={}",
                     member.file, cubin.error().message, member.file);
  member.target = {cubin->sm, cubin->suffix};
  return member;
}

}  // namespace

ExitCode ExtractFatbin(const Session& session, const FatbinOptions& options) {
  return Extraction(session, options).Run();
}

ExitCode CreateFatbin(const Session& session, const FatbinOptions& options) {
  constexpr std::string_view kCommand = "fatbin-create";
  if (options.output.empty())
    return session.Fail(kCommand,
                        MakeError(Code::kInvalidArgument, "name the file to write with -o"),
                        ExitCode::kUsage);
  if (options.output == "-" && session.options().json)
    return session.Fail(
        kCommand,
        MakeError(Code::kInvalidArgument, "-o - and --json both want the standard output"),
        ExitCode::kUsage);
  std::vector<NamedMember> named;
  for (const std::string& word : options.members) {
    Result<NamedMember> member = ReadMember(word);
    if (!member) return session.Fail(kCommand, member.error(), ExitCodeOfRead(member.error()));
    if (member->file == options.output)
      return session.Fail(
          kCommand,
          MakeError(Code::kInvalidArgument, "the output {} is an input too", options.output),
          ExitCode::kUsage);
    named.push_back(*std::move(member));
  }
  std::vector<object::fatbin::Member> members;
  for (const NamedMember& member : named)
    members.push_back({member.kind, member.target, member.bytes});
  const Result<std::string> fatbin =
      object::fatbin::WriteFatbin(members, {.compress = options.compression,
                                            .compress_all = options.compress_all,
                                            .relocatable = options.relocatable,
                                            .identifier = options.identifier});
  if (!fatbin) return session.Fail(kCommand, fatbin.error(), ExitCode::kInput);
  // As compile does it: the folder of an output is made where it isn't.
  const std::string folder = options.output.substr(0, options.output.rfind('/') + 1);
  Status written = folder.empty() ? Status(Ok{}) : MakeFolders(folder);
  if (written) written = WriteOutput(options.output, *fatbin);
  if (!written) return session.Fail(kCommand, written.error(), ExitCode::kFile);
  if (session.options().json) {
    Json document = Document(kCommand);
    document["exit_code"] = 0;
    document["file"] = options.output;
    document["size_bytes"] = fatbin->size();
    document["members"] = members.size();
    return session.Print(Print(document));
  }
  if (options.output != "-" && !session.options().quiet)
    return session.Print(fmt::format("{}  {}, {}\n", Printable(options.output),
                                     FormatSize(fatbin->size()), Plural(members.size(), "member")));
  return ExitCode::kOk;
}

}  // namespace ptxfarm::client
