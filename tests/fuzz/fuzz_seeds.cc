// fuzz_seeds FOLDER: writes a folder of seeds for each fuzzer of object files, made by our own
// builders.
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/file.h"
#include "tests/toolchain/object/elf_builder.h"
#include "toolchain/object/fatbin/write.h"

namespace {

using ptxfarm::object::fatbin::CompressMode;
using ptxfarm::object::fatbin::Member;
using ptxfarm::object::fatbin::MemberKind;
using ptxfarm::object::test::BuiltCubin;
using ptxfarm::object::test::BuiltElf;

class Folder {
 public:
  explicit Folder(std::string path) : path_(std::move(path)) {
    std::error_code ignored;  // A folder that can't be made shows when a file is written.
    std::filesystem::create_directories(path_, ignored);
  }

  void Add(const std::string& bytes) {
    const auto status =
        ptxfarm::WriteFileAtomically(fmt::format("{}/seed{}", path_, count_++), bytes);
    PTXFARM_CHECK(status.has_value(), status.error().message);
  }

 private:
  std::string path_;
  int count_ = 0;
};

std::string Fatbin(CompressMode mode) {
  const std::string cubin = BuiltCubin().Bytes();
  const Member members[] = {
      {MemberKind::kCubin, {80, 0}, cubin},
      {MemberKind::kPtx, {90, 'a'}, ".version 8.0\n.target sm_90a\n// comment\n"},
      {MemberKind::kLtoIr, {100, 'f'}, "LTO-IR\1\2"}};
  return ptxfarm::object::fatbin::WriteFatbin(
             members,
             {.compress = mode, .compress_all = true, .identifier = "a.cu", .ptx_options = "-O3 "})
      .value();
}

std::string HostObject(const std::string& fatbin) {
  return BuiltElf{
      .os_abi = 0,
      .type = 1,
      .machine = 62,
      .flags = 0,
      .sections = {{.name = ".nv_fatbin", .data = fatbin}, {.name = ".rodata", .data = fatbin}}}
      .Bytes();
}

std::string Archive(const std::string& object) {
  return "!<arch>\n" +
         fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "a.o/", 0, 0, 0, 644, object.size()) +
         object;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const std::string root = argv[1];
  Folder cubins(root + "/fuzz_cubin");
  cubins.Add(BuiltCubin().Bytes());
  BuiltElf old = BuiltCubin();
  old.os_abi = 0x33;
  cubins.Add(old.Bytes());

  BuiltElf noted = BuiltCubin();
  noted.sections.insert(noted.sections.begin() + 4,
                        {.name = ".note.nv.tkinfo",
                         .type = 7,
                         .data = ptxfarm::object::test::BuiltToolNote("-v  -arch sm_80 ")});
  cubins.Add(noted.Bytes());

  Folder fatbins(root + "/fuzz_fatbin");
  Folder files(root + "/fuzz_find");
  for (const CompressMode mode :
       {CompressMode::kNone, CompressMode::kDefault, CompressMode::kSpeed}) {
    fatbins.Add(Fatbin(mode));
    files.Add(Fatbin(mode));
    files.Add(HostObject(Fatbin(mode)));
  }
  files.Add(Archive(HostObject(Fatbin(CompressMode::kNone))));

  Folder images(root + "/fuzz_write");
  images.Add(std::string("\0\1", 2) + ".version 8.0\n\t// a \"b\n/* c */ \"d\\\"\" \n");
  images.Add("\1\1" + BuiltCubin().Bytes());
  images.Add("\2\2LTO-IR\1\2");
  return 0;
}
