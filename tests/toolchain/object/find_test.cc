#include "toolchain/object/fatbin/find.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/file.h"
#include "tests/support/temp_dir.h"
#include "tests/support/toolkit.h"
#include "tests/toolchain/object/elf_builder.h"
#include "toolchain/object/archive/archive.h"
#include "toolchain/object/cubin/check.h"
#include "toolchain/object/fatbin/describe.h"
#include "toolchain/object/fatbin/write.h"

namespace ptxfarm::object::fatbin {
namespace {

using object::test::BuiltCubin;
using object::test::BuiltElf;
using testing::HasSubstr;

std::string Fatbin(u32 sm) {
  const Member members[] = {{MemberKind::kPtx, {sm, 0}, ".version 8.0\n.target sm_80\n"}};
  return WriteFatbin(members).value();
}

BuiltElf HostObject(std::string_view section, const std::string& data) {
  return {.os_abi = 0,
          .type = 1,
          .machine = 62,
          .flags = 0,
          .sections = {{.name = ".text", .data = std::string(8, '\x90')},
                       {.name = std::string(section), .data = data},
                       {.name = ".data", .data = std::string(24, 'd')}}};
}

// As `ar` writes it; names are given with the form that they take there.
std::string Archive(std::initializer_list<std::pair<std::string, std::string>> members) {
  std::string bytes = "!<arch>\n";
  for (const auto& [name, data] : members) {
    bytes += fmt::format("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", name, 0, 0, 0, 644, data.size());
    bytes += data;
    if (bytes.size() % 2 != 0) bytes += '\n';
  }
  return bytes;
}

std::vector<std::string> Places(const Findings& findings) {
  std::vector<std::string> places;
  for (const FoundContainer& found : findings.containers)
    places.push_back(
        fmt::format("{} {}", found.place, TargetText(found.container.members.at(0).target)));
  return places;
}

TEST(FindTest, FatbinFilesAndCubins) {
  const std::string two = Fatbin(80) + Fatbin(90);
  const Result<Findings> file = FindGpuCode(two);
  ASSERT_TRUE(file.has_value()) << file.error().ToString();
  EXPECT_THAT(Places(*file), testing::ElementsAre(" 80", " 90"));
  EXPECT_TRUE(file->damages.empty());

  const std::string cubin = BuiltCubin().Bytes();
  const Result<Findings> bare = FindGpuCode(cubin);
  ASSERT_TRUE(bare.has_value());
  ASSERT_EQ(bare->cubins.size(), 1u);
  EXPECT_EQ(bare->cubins[0].bytes, cubin);
}

TEST(FindTest, SectionsOfHostObjectsAndPlacesElsewhere) {
  for (const char* const section : {".nv_fatbin", "__nv_relfatbin", ".rodata"}) {
    const std::string object = HostObject(section, Fatbin(80) + Fatbin(90)).Bytes();
    const Result<Findings> findings = FindGpuCode(object);
    ASSERT_TRUE(findings.has_value());
    EXPECT_THAT(Places(*findings),
                testing::ElementsAre(std::string(section) + " 80", std::string(section) + " 90"));
    EXPECT_TRUE(findings->damages.empty()) << DescribeFindings(*findings);
    for (const FoundContainer& found : findings->containers)
      EXPECT_TRUE(LooksLikeFatbin(std::string_view(object).substr(found.offset)));
  }
}

TEST(FindTest, ArchivesWithNamesOfAllForms) {
  const std::string object = HostObject(".nv_fatbin", Fatbin(75)).Bytes();
  const std::string archive = Archive({{"/", std::string(4, '\0')},
                                       {"//", "a_rather_long_name_of_an_object.o/\n"},
                                       {"short.o/", object},
                                       {"/0", object},
                                       {"#1/8", std::string("bsd.o\0\0\0", 8) + object},
                                       {"readme.txt/", "no object"},
                                       {"bare.cubin/", BuiltCubin().Bytes()}});
  const Result<Findings> findings = FindGpuCode(archive);
  ASSERT_TRUE(findings.has_value()) << findings.error().ToString();
  EXPECT_THAT(Places(*findings),
              testing::ElementsAre("short.o:.nv_fatbin 75",
                                   "a_rather_long_name_of_an_object.o:.nv_fatbin 75",
                                   "bsd.o:.nv_fatbin 75"));
  for (const FoundContainer& found : findings->containers)
    EXPECT_TRUE(LooksLikeFatbin(std::string_view(archive).substr(found.offset)));
  ASSERT_EQ(findings->cubins.size(), 1u);
  EXPECT_EQ(findings->cubins[0].place, "bare.cubin");
  EXPECT_TRUE(findings->damages.empty()) << DescribeFindings(*findings);
}

TEST(FindTest, DamageIsReportedAndTheRestFound) {
  std::string first = Fatbin(80);
  WriteAt(first, 8, u64{1} << 40);
  const std::string object = HostObject(".nv_fatbin", first + Fatbin(90)).Bytes();
  const Result<Findings> findings = FindGpuCode(object);
  ASSERT_TRUE(findings.has_value());
  EXPECT_THAT(Places(*findings), testing::ElementsAre(".nv_fatbin 90"));
  ASSERT_EQ(findings->damages.size(), 1u);
  EXPECT_THAT(findings->damages[0].error.message, HasSubstr("runs past the end"));

  const std::string overwritten = HostObject(".nv_fatbin", std::string(64, 'x')).Bytes();
  const Result<Findings> other = FindGpuCode(overwritten);
  ASSERT_TRUE(other.has_value());
  ASSERT_EQ(other->damages.size(), 1u);
  EXPECT_THAT(DescribeFindings(*other), HasSubstr("64 bytes that are no fatbin container"));
}

TEST(FindTest, RefusesWhatHoldsNoObjects) {
  EXPECT_EQ(FindGpuCode("").error().code, Code::kInvalidArgument);
  EXPECT_EQ(FindGpuCode("plain text").error().code, Code::kInvalidArgument);
  EXPECT_EQ(FindGpuCode("!<thin>\n").error().code, Code::kUnimplemented);
  EXPECT_EQ(FindGpuCode("!<arch>\nshort").error().code, Code::kDataLoss);
  const std::string archive = Archive({{"a.o/", "1234"}});
  EXPECT_EQ(FindGpuCode(archive.substr(0, archive.size() - 1)).error().code, Code::kDataLoss);
  EXPECT_EQ(FindGpuCode(Archive({{"/77", "1234"}})).error().code, Code::kDataLoss);
}

TEST(FindTest, ReadsArchivesThatArWrites) {
  const ptxfarm::test::TempDir folder;
  const std::string object = HostObject(".nv_fatbin", Fatbin(80)).Bytes();
  ASSERT_TRUE(WriteFileAtomically(folder / "short.o", object).has_value());
  ASSERT_TRUE(
      WriteFileAtomically(folder / "a_rather_long_name_of_an_object.o", object).has_value());
  const ptxfarm::test::Ran ran =
      ptxfarm::test::RunShell(fmt::format("cd {} && ar rcS a.a *.o", folder.path()));
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  const std::string archive = ReadFile(folder / "a.a", 1 << 20).value();
  const Result<Findings> findings = FindGpuCode(archive);
  ASSERT_TRUE(findings.has_value()) << findings.error().ToString();
  EXPECT_THAT(Places(*findings),
              testing::UnorderedElementsAre("short.o:.nv_fatbin 80",
                                            "a_rather_long_name_of_an_object.o:.nv_fatbin 80"));
}

// What nvcc makes of a kernel, in the forms that reach us: object, relocatable object, library and
// program.
TEST(FindTest, ReadsWhatNvccMakes) {
  PTXFARM_NEED_TOOLKIT();
  const ptxfarm::test::TempDir folder;
  ASSERT_TRUE(WriteFileAtomically(folder / "k.cu",
                                  "__global__ void k(int* p) { *p = 1; }\n"
                                  "int main() { k<<<1, 1>>>(nullptr); }\n")
                  .has_value());
  const ptxfarm::test::Ran ran = ptxfarm::test::RunShell(fmt::format(
      "cd {} && {} -gencode arch=compute_80,code=[sm_80,compute_80] -gencode "
      "arch=compute_90a,code=sm_90a -c k.cu -o k.o && {} -arch=sm_100f -rdc=true -c k.cu -o r.o && "
      "ar rcS k.a k.o r.o && {} -arch=sm_120 k.cu -o k",
      folder.path(), ptxfarm::test::ToolkitTool("nvcc"), ptxfarm::test::ToolkitTool("nvcc"),
      ptxfarm::test::ToolkitTool("nvcc")));
  ASSERT_EQ(ran.exit_code, 0) << ran.output;
  const auto members = [&folder](const std::string& name) {
    const std::string bytes = ReadFile(folder / name, u64{1} << 30).value();
    const Result<Findings> findings = FindGpuCode(bytes);
    EXPECT_TRUE(findings.has_value());
    EXPECT_TRUE(findings->damages.empty()) << DescribeFindings(*findings);
    std::vector<std::string> found;
    for (const FoundContainer& container : findings->containers)
      for (const MemberView& member : container.container.members) {
        EXPECT_TRUE(Image(member).has_value());
        found.push_back(fmt::format("{} {} {}", container.place, MemberKindName(member.kind),
                                    TargetText(member.target)));
      }
    return found;
  };
  EXPECT_THAT(members("k.o"),
              testing::ElementsAre(".nv_fatbin elf 80", ".nv_fatbin ptx 80", ".nv_fatbin elf 90a"));
  EXPECT_THAT(members("r.o"), testing::Contains("__nv_relfatbin elf 100f"));
  EXPECT_THAT(members("k.a"),
              testing::IsSupersetOf({"k.o:.nv_fatbin elf 80", "r.o:__nv_relfatbin elf 100f"}));
  EXPECT_THAT(members("k"), testing::Contains(".nv_fatbin elf 120"));
}

// Every image of a library of the toolkit is what its member says. How many there are is the
// toolkit's business, but some there must be.
void ReadLibrary(const std::string& name, std::size_t containers_min) {
  const Result<std::string> bytes =
      ReadFile(*ptxfarm::test::ToolkitRoot() + "/lib64/" + name, u64{1} << 30);
  if (!bytes) GTEST_SKIP() << "this toolkit has no " << name;
  const Result<Findings> findings = FindGpuCode(*bytes);
  ASSERT_TRUE(findings.has_value()) << findings.error().ToString();
  EXPECT_GE(findings->containers.size(), containers_min);
  for (const FoundDamage& damage : findings->damages)
    ADD_FAILURE() << damage.place << " " << damage.offset << ": " << damage.error.ToString();
  for (const FoundContainer& found : findings->containers) {
    for (const MemberView& member : found.container.members) {
      if (member.is_opaque()) continue;
      const Result<std::string> image = Image(member);
      ASSERT_TRUE(image.has_value()) << found.place << ": " << image.error().ToString();
      if (member.Is(MemberKind::kPtx)) {
        EXPECT_THAT(*image, HasSubstr(".target sm_" + TargetText(member.target)));
      }
      if (!member.Is(MemberKind::kCubin)) continue;
      const Result<cubin::Cubin> cubin = cubin::ReadCubin(*image);
      ASSERT_TRUE(cubin.has_value()) << found.place << ": " << cubin.error().ToString();
      EXPECT_EQ(cubin->sm, member.target.sm);
      EXPECT_TRUE(cubin->file.CheckWhole().has_value());
      EXPECT_EQ(cubin->has_capsule, (member.flags & kFlagCapsule) != 0);
    }
  }
}

TEST(FindTest, ReadsTheToolkitsRandomNumberLibrary) {
  PTXFARM_NEED_TOOLKIT();
  ReadLibrary("libcurand.so", 5);
}

TEST(FindTest, ReadsTheToolkitsDeviceRuntimeArchive) {
  PTXFARM_NEED_TOOLKIT();
  ReadLibrary("libcudadevrt.a", 1);
}

TEST(FindTest, ReadsTheToolkitsProfilingLibraryOfCubinsElsewhere) {
  PTXFARM_NEED_TOOLKIT();
  ReadLibrary("libcupti.so", 1);
}

}  // namespace
}  // namespace ptxfarm::object::fatbin
