#include "toolchain/object/fatbin/embed.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/check.h"

namespace ptxfarm::object::fatbin {
namespace {

constexpr u64 kWordBytes = sizeof(u64);
constexpr u64 kWordsOfALine = 4;

std::string_view SectionName(const EmbedOptions& options) {
  return options.relocatable ? "__nv_relfatbin" : ".nv_fatbin";
}

// Containers of hundreds of megabytes exist: this is the loop.
void AppendWord(std::string& text, std::string_view container, u64 index) {
  u64 word = *ReadAt<u64>(container, index * kWordBytes);
  char digits[] = "0x0000000000000000";
  for (char* digit = digits + 17; word != 0; word >>= 4) *digit-- = "0123456789abcdef"[word & 15];
  text.append(digits, 18);
}

void AppendAssembly(std::string& text, std::string_view container, const EmbedOptions& options) {
  const u64 count = container.size() / kWordBytes;
  text += fmt::format("asm(\n\".section {}, \\\"a\\\"\\n\"\n\".align 8\\n\"\n\"fatbinData:\\n\"\n",
                      SectionName(options));
  for (u64 begin = 0; begin < count; begin += kWordsOfALine) {
    const u64 end = std::min(begin + kWordsOfALine, count);
    // The tool's own habit: blanks in a line that isn't full.
    const std::string_view comma = end - begin == kWordsOfALine ? "," : ", ";
    text += "\".quad ";
    for (u64 i = begin; i < end; ++i) {
      if (i > begin) text += comma;
      AppendWord(text, container, i);
    }
    text += "\\n\"\n";
  }
  text += fmt::format(
      "\".text\\n\");\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n"
      "extern const unsigned long long fatbinData[{}];\n#ifdef __cplusplus\n}}\n#endif\n",
      count);
}

void AppendArray(std::string& text, std::string_view container) {
  const u64 count = container.size() / kWordBytes;
  text +=
      "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nstatic const unsigned long long fatbinData[] "
      "__attribute__ ((section (__CUDAFATBINDATASECTION)))= {";
  for (u64 i = 0; i < count; ++i) {
    AppendWord(text, container, i);
    text += "ull";
    if (i % kWordsOfALine == kWordsOfALine - 1)
      text += ",\n";
    else if (i + 1 < count)
      text += ",";
  }
  text += "\n};\n\n#ifdef __cplusplus\n}\n#endif\n\n";
}

void AppendControlRecord(std::string& text, const EmbedOptions& options) {
  text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  if (options.relocatable)
    text +=
        "#undef __FATIDNAME_CORE\n#undef __FATIDNAME\n"
        "#define __FATIDNAME_CORE(x) __fatbinwrap##x\n"
        "#define __FATIDNAME(x) __FATIDNAME_CORE(x)\n"
        "extern const __fatBinC_Wrapper_t __FATIDNAME(__NV_MODULE_ID) ";
  else
    text += "static const __fatBinC_Wrapper_t __fatDeviceText ";
  text +=
      "__attribute__ ((aligned (8))) __attribute__ ((section (__CUDAFATBINSECTION)))= \n"
      "\t{ 0x466243b1, ";
  text += options.linked ? "2, fatbinData, (void**)__cudaPrelinkedFatbins };\n"
                         : "1, fatbinData, 0 };\n";
  text += "#ifdef __cplusplus\n}\n#endif\n";
}

}  // namespace

std::string EmbeddedText(std::string_view container, const EmbedOptions& options) {
  PTXFARM_CHECK(container.size() % kWordBytes == 0);
  std::string text = fmt::format(
      "#ifndef __SKIP_INTERNAL_FATBINARY_HEADERS\n#include \"fatbinary_section.h\"\n#endif\n"
      "#define __CUDAFATBINSECTION  \".nvFatBinSegment\"\n"
      "#define __CUDAFATBINDATASECTION  \"{}\"\n",
      SectionName(options));
  // 19 characters a word and some, and the frame.
  text.reserve(text.size() + container.size() / kWordBytes * 24 + 2048);
  if (options.without_assembler)
    AppendArray(text, container);
  else
    AppendAssembly(text, container, options);
  AppendControlRecord(text, options);
  return text;
}

}  // namespace ptxfarm::object::fatbin
