#include "tests/toolchain/object/elf_builder.h"

#include "base/bytes.h"

namespace ptxfarm::object::test {
namespace {

void AppendSectionHeader(std::string& table, u32 name, const BuiltSection& section, u64 offset) {
  AppendTo(table, name);
  AppendTo(table, section.type);
  AppendTo(table, section.flags);
  AppendTo(table, u64{0});
  AppendTo(table, offset);
  AppendTo(table, section.size != 0 ? section.size : u64{section.data.size()});
  AppendTo(table, section.link);
  AppendTo(table, section.info);
  AppendTo(table, u64{4});
  AppendTo(table, u64{0});
}

}  // namespace

std::string BuiltElf::Bytes() const {
  std::vector<BuiltSection> all = {BuiltSection{.type = 0}};
  all.insert(all.end(), sections.begin(), sections.end());
  all.push_back({.name = ".shstrtab", .type = 3});
  std::string names(1, '\0');
  std::vector<u32> name_offsets;
  for (const BuiltSection& section : all) {
    name_offsets.push_back(section.name.empty() ? 0 : static_cast<u32>(names.size()));
    if (!section.name.empty()) names += section.name + '\0';
  }
  all.back().data = names;

  std::string body(64, '\0');
  std::string table;
  for (std::size_t i = 0; i < all.size(); ++i) {
    body.resize(AlignUp(body.size(), 4));
    AppendSectionHeader(table, name_offsets[i], all[i], i == 0 ? 0 : body.size());
    body += all[i].data;
  }
  body.resize(AlignUp(body.size(), 8));

  std::string header("\177ELF\2\1\1", 7);
  header += static_cast<char>(os_abi);
  header += '\10';
  header.resize(16);
  AppendTo(header, type);
  AppendTo(header, machine);
  AppendTo(header, u32{1});
  AppendTo(header, u64{0});
  AppendTo(header, u64{0});
  AppendTo(header, u64{body.size()});
  AppendTo(header, flags);
  for (const std::size_t half : {std::size_t{64}, std::size_t{56}, std::size_t{0}, std::size_t{64},
                                 all.size(), all.size() - 1})
    AppendTo(header, static_cast<u16>(half));
  body.replace(0, header.size(), header);
  return body + table;
}

std::string BuiltSymbol(u32 name, u8 type, u8 binding, u8 other, u16 section_index, u64 value,
                        u64 size) {
  std::string symbol;
  AppendTo(symbol, name);
  AppendTo(symbol, static_cast<u8>(binding << 4 | type));
  AppendTo(symbol, other);
  AppendTo(symbol, section_index);
  AppendTo(symbol, value);
  AppendTo(symbol, size);
  return symbol;
}

std::string BuiltToolNote(std::string_view options) {
  const std::string strings = std::string("\0ptxas\0release\0build\0", 21) + std::string(options);
  std::string descriptor;
  for (const u32 word : {2u, 0u, 1u, 7u, 15u, 21u}) AppendTo(descriptor, word);
  descriptor += strings + '\0';
  descriptor.resize(AlignUp(descriptor.size(), 4));
  std::string note;
  AppendTo(note, u32{12});
  AppendTo(note, static_cast<u32>(descriptor.size()));
  AppendTo(note, u32{2000});
  return note + std::string("NVIDIA Corp\0", 12) + descriptor;
}

BuiltElf BuiltCubin() {
  const auto words = [](std::initializer_list<u32> values) {
    std::string bytes;
    for (const u32 value : values) AppendTo(bytes, value);
    return bytes;
  };
  constexpr u32 kText = 5;  // Index of .text.k.
  return {.sections = {
              {.name = ".strtab", .type = 3, .data = std::string("\0k\0global\0missing\0", 18)},
              {.name = ".symtab",
               .type = 2,
               .link = 1,
               .data = std::string(24, '\0') + BuiltSymbol(1, 2, 1, 0x10, kText, 0, 128) +
                       BuiltSymbol(3, 1, 0, 0, 6, 0, 64) + BuiltSymbol(10, 2, 1, 0, 0, 0, 0)},
              // REGCOUNT 24, FRAME_SIZE 16, MIN_STACK_SIZE 32, each of symbol 1.
              {.name = ".nv.info",
               .type = 0x70000000,
               .link = 2,
               .data = words({0x00082f04, 1, 24, 0x00081104, 1, 16, 0x00081204, 1, 32})},
              // CBANK_PARAM_SIZE 8, KPARAM_INFO of 8 bytes, MAXREG_COUNT 0xff.
              {.name = ".nv.info.k",
               .type = 0x70000000,
               .flags = 0x40,
               .link = 2,
               .info = kText,
               .data = words({0x00081903, 0x000c1704, 0, 0, 8 << 18 | 0x1f << 12, 0x00ff1b03})},
              {.name = ".text.k",
               .type = 1,
               .flags = 6,
               .link = 2,
               .info = 1,
               .data = std::string(128, '\x5a')},
              {.name = ".nv.global", .type = 8, .flags = 3, .size = 64},
              {.name = ".nv.shared.k", .type = 8, .flags = 0x43, .info = kText, .size = 512},
              {.name = ".nv.constant0.k",
               .type = 1,
               .flags = 0x42,
               .info = kText,
               .data = std::string(0x168, '\0')},
          }};
}

}  // namespace ptxfarm::object::test
