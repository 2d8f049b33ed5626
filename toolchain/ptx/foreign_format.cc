#include "toolchain/ptx/foreign_format.h"

namespace ptxfarm::ptx {
namespace {

using std::string_view_literals::operator""sv;

struct Format {
  std::string_view magic;
  std::string_view name;
};

// clang-format off
constexpr Format kFormats[] = {
    {"\x7f" "ELF"sv,           "an ELF file (a cubin or a host object)"},
    {"\x50\xED\x55\xBA"sv,     "a fatbin"},
    {"\xB1\x43\x62\x46"sv,     "the wrapper of a fatbin"},
    {"BC\xC0\xDE"sv,           "LLVM bitcode"},
    {"\xDE\xC0\x17\x0B"sv,     "wrapped LLVM bitcode"},
    {"\xED\x43\x4E\x7F"sv,     "NVVM IR for link-time optimization"},
    {"\x7F\x4E\x43\xED"sv,     "NVVM IR for link-time optimization"},
    {"\x03\x02\x23\x07"sv,     "SPIR-V"},
    {"\x1F\x8B"sv,             "compressed with gzip"},
    {"\x28\xB5\x2F\xFD"sv,     "compressed with zstd"},
    {"\xFD" "7zXZ\0"sv,        "compressed with xz"},
    {"BZh"sv,                  "compressed with bzip2"},
    {"PK\x03\x04"sv,           "a zip archive"},
    {"!<arch>\n"sv,            "an archive of object files"},
    {"MZ"sv,                   "a Windows program or library"},
    {"\xFF\xFE"sv,             "UTF-16 text"},
    {"\xFE\xFF"sv,             "UTF-16 text"},
    {".\0v\0"sv,               "UTF-16 text"},
    {"\0.\0v"sv,               "UTF-16 text"},
    {"; ModuleID"sv,           "LLVM IR text"},
};
// clang-format on

}  // namespace

std::optional<std::string_view> ForeignFormat(std::string_view bytes) {
  for (const Format& format : kFormats)
    if (bytes.starts_with(format.magic)) return format.name;
  return std::nullopt;
}

}  // namespace ptxfarm::ptx
