#include "client/commands/fatbin_command.h"

#include "client/commands/fatbin_edit.h"
#include "client/commands/gpu_code.h"
#include "client/report/figures.h"
#include "client/report/json.h"
#include "client/report/table.h"
#include "config/value.h"

namespace ptxfarm::client {
namespace {

u64 PlainBytes(const GpuCode& piece) {
  const bool packed =
      piece.member && piece.member->compression() != object::fatbin::Compression::kNone;
  return packed ? piece.member->uncompressed_bytes : piece.StoredBytes();
}

std::string_view CompressionOf(const GpuCode& piece) {
  return piece.member ? object::fatbin::CompressionName(piece.member->compression()) : "stored";
}

Json ToJson(const GpuCode& piece) {
  return {{"place", piece.place},
          {"offset", piece.offset},
          {"container", piece.member ? Json(piece.container) : Json(nullptr)},
          {"kind", piece.Kind()},
          {"target", piece.Target()},
          {"size_bytes", PlainBytes(piece)},
          {"stored_bytes", piece.StoredBytes()},
          {"compression", CompressionOf(piece)},
          {"identifier", piece.member ? std::string(piece.member->identifier) : ""}};
}

Json ToJson(const GpuFile& file) {
  Json pieces = Json::array(), damages = Json::array();
  for (const GpuCode& piece : file.pieces) pieces.push_back(ToJson(piece));
  for (const object::fatbin::FoundDamage& damage : file.damages)
    damages.push_back(
        {{"place", damage.place}, {"offset", damage.offset}, {"message", damage.error.message}});
  return {{"file", file.path}, {"members", std::move(pieces)}, {"damages", std::move(damages)}};
}

void AddRows(Table& table, const GpuFile& file) {
  for (const GpuCode& piece : file.pieces)
    table.Add({Printable(file.path), Printable(piece.place),
               piece.member ? std::to_string(piece.container) : "", piece.Kind(), piece.Target(),
               FormatSize(PlainBytes(piece)), FormatSize(piece.StoredBytes()),
               std::string(CompressionOf(piece)),
               piece.member ? Printable(piece.member->identifier) : ""});
}

ExitCode List(const Session& session, const FatbinOptions& options) {
  using enum Table::Align;
  Table table({{"file", kLeft},
               {"place", kLeft},
               {"fatbin", kRight},
               {"kind", kLeft},
               {"target", kLeft},
               {"size", kRight},
               {"stored", kRight},
               {"compression", kLeft},
               {"identifier", kLeft}});
  Json document = Document("fatbin-list");
  document["files"] = Json::array();
  document["errors"] = Json::array();
  ExitCode code = ExitCode::kOk;
  for (const std::string& path : options.files) {
    const Result<GpuFile> file = ReadGpuFile(path);
    if (!file) {
      code = Worse(code, ExitCodeOfRead(file.error()));
      document["errors"].push_back(client::ToJson(file.error()));
      if (!session.options().json) session.PrintError(file.error().message);
      continue;
    }
    for (const object::fatbin::FoundDamage& damage : file->damages) {
      code = Worse(code, ExitCode::kInput);
      if (!session.options().json)
        session.PrintError(
            fmt::format("{}: damaged at {:#x}: {}", path, damage.offset, damage.error.message));
    }
    if (file->pieces.empty() && file->damages.empty()) {
      code = Worse(code, ExitCode::kInput);
      if (!session.options().json)
        session.PrintError(fmt::format("{}: there is no GPU code in it", path));
    }
    document["files"].push_back(ToJson(*file));
    AddRows(table, *file);
  }
  document["exit_code"] = static_cast<int>(code);
  if (session.options().json) return session.Print(Print(document), code);
  if (table.empty()) return code;
  return session.Print(table.Render(session.out().color), code);
}

config::Command ListRow(const CliOptions& cli, FatbinOptions& o) {
  config::Command command{
      .name = "list",
      .summary = "lists the GPU code of files",
      .description =
          "Of fat binaries, cubins, host objects, programs, shared libraries, and archives of "
          "them. A file without GPU code is a wrong input: exit status 1, as where it is damaged.",
  };
  command.arguments = {{"FILE", "Files to look into.", config::ListOfFiles(&o.files)}};
  command.run = [&cli, &o] { return static_cast<int>(List(Session(cli), o)); };
  return command;
}

config::Command ExtractRow(const CliOptions& cli, FatbinOptions& o) {
  config::Command command{
      .name = "extract",
      .summary = "writes each member of fat binaries as a file",
      .description =
          "As NAME.TARGET.cubin, NAME.TARGET.ptx or NAME.TARGET.ltoir, decompressed; with a number "
          "before the "
          "target where a file has several of one.",
  };
  command.options.push_back({"Extract",
                             "client",
                             {
                                 {"output",
                                  "FOLDER",
                                  "Where to, made where it isn't; without it this folder.",
                                  config::Folder(&o.output),
                                  {.letter = 'o', .reach = config::Reach::kFlag}},
                                 {"targets",
                                  "LIST",
                                  "Only these: sm_90a, compute_90.",
                                  config::List(&o.targets),
                                  {.letter = 't', .reach = config::Reach::kFlag}},
                             }});
  command.arguments = {{"FILE", "Files to take apart.", config::ListOfFiles(&o.files)}};
  command.run = [&cli, &o] { return static_cast<int>(ExtractFatbin(Session(cli), o)); };
  return command;
}

config::Command CreateRow(const CliOptions& cli, FatbinOptions& o) {
  using object::fatbin::CompressMode;
  config::Command command{
      .name = "create",
      .summary = "makes a fat binary of cubins and PTX",
      .description =
          "In the order given. A cubin says itself what it is for; PTX needs its target before the "
          "file, like "
          "compute_90=k.ptx.",
      .examples = {{"ptxfarm fatbin create k.sm_80.cubin compute_90=k.ptx -o k.fatbin",
                    "Bundles a cubin and PTX."}},
  };
  command.options.push_back(
      {"Create",
       "client",
       {
           {"output",
            "FILE",
            "The fat binary to write; - is the standard output.",
            config::File(&o.output),
            {.letter = 'o', .reach = config::Reach::kFlag}},
           {"compression",
            "HOW",
            "How members are compressed.",
            config::Choice<CompressMode>(&o.compression, {{"default", CompressMode::kDefault},
                                                          {"none", CompressMode::kNone},
                                                          {"speed", CompressMode::kSpeed},
                                                          {"size", CompressMode::kSize}}),
            {.reach = config::Reach::kFlag}},
           {"compress-all",
            "",
            "Compresses cubins too.",
            config::Flag(&o.compress_all),
            {.reach = config::Reach::kFlag}},
           {"relocatable",
            "",
            "For relocatable cubins, as with fatbinary --device-c.",
            config::Flag(&o.relocatable),
            {.reach = config::Reach::kFlag}},
           {"identifier",
            "TEXT",
            "The name stored with each member.",
            config::Text(&o.identifier),
            {.reach = config::Reach::kFlag}},
       }});
  command.arguments = {{"MEMBER", "FILE or TARGET=FILE.", config::ListOfFiles(&o.members)}};
  command.run = [&cli, &o] { return static_cast<int>(CreateFatbin(Session(cli), o)); };
  return command;
}

}  // namespace

config::Command FatbinCommand(const CliOptions& cli, FatbinOptions& o) {
  config::Command command{
      .name = "fatbin",
      .summary = "lists, takes apart and makes fat binaries",
      .description = "Works on files alone: no farm and no toolkit is needed.",
  };
  command.commands.push_back(ListRow(cli, o));
  command.commands.push_back(ExtractRow(cli, o));
  command.commands.push_back(CreateRow(cli, o));
  return command;
}

}  // namespace ptxfarm::client
