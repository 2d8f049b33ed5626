// What debuggers read: files, places, sections. PTX ISA 9.4 §11.5.
#include "toolchain/ptx/verify/verifier.h"

namespace ptxfarm::ptx {

void Verifier::VerifyLocation(const Statement& statement) {
  const Location& location = module_.locations[statement.index];
  const u64 file = static_cast<u64>(ValueOfInteger(Text(location.file)).constant.value);
  const bool is_intermediate = statement.kind == StatementKind::kIntermediateLocation;
  if (is_intermediate || file_uses_.empty() || file_uses_.back().number != file)
    file_uses_.push_back({file, location.file, is_intermediate});
  if (!location.inlined_file) {
    if (!is_intermediate) locations_.insert(KeyOf(location.file));
    return;
  }
  CheckGate({{7, 2}}, location.inlined_file, "'inlined_at'", "11.5.4");
  if (!locations_.contains(KeyOf(location.inlined_file)))
    Report<kinds::kBadDebug>(location.inlined_file,
                             "the place of inlined_at is that of an earlier .loc")
        .section = "11.5.4";
  locations_.insert(KeyOf(location.file));
  inlined_.push_back(&location);
}

// File, line and column as one number to look up by; the three tokens stand side by side.
u64 Verifier::KeyOf(TokenId file) const {
  u64 key = 0;
  for (u32 i = 0; i < 3; ++i) {
    constexpr u64 kFactor = 0x9E3779B97F4A7C15;
    const u64 value = static_cast<u64>(ValueOfInteger(Text({file.index + i})).constant.value);
    key = (key ^ value) * kFactor;
    key ^= key >> 32;
  }
  return key;
}

void Verifier::VerifyFile(const FileDirective& file) {
  const u64 number = static_cast<u64>(ValueOfInteger(Text(file.index)).constant.value);
  if (file.time) CheckGate({{3, 2}}, file.time, "'.file' with time and size", "11.5.3");
  const auto [earlier, is_new] = files_.try_emplace(number, file.index);
  if (is_new) return;
  const TokenId other_name{earlier->second.index + 1};
  Diagnostic& diagnostic = Report<kinds::kBadDebug>(
      file.index, fmt::format("file {} is {} already; {} needs another number", number,
                              Text(other_name), Text(file.name)));
  diagnostic.section = "11.5.3";
  diagnostic.related.push_back(DeclaredHere(earlier->second));
}

void Verifier::VerifySection(const Section& section) {
  section_names_.try_emplace(Text(section.name), section.name.index);
  for (const SectionLine& line : Module::Of(module_.section_lines, section.lines)) {
    if (!line.is_label) continue;
    // The manual has them from 7.2 on; ptxas and the compilers from 7.0.
    CheckGate({{7, 0}}, line.word, "a label in a section", "11.5.2");
    section_labels_.try_emplace(Text(line.word), section.name.index);
  }
  for (const SectionLine& line : Module::Of(module_.section_lines, section.lines))
    if (!line.is_label) VerifySectionLine(section, line);
}

void Verifier::VerifySectionLine(const Section& section, const SectionLine& line) {
  const TypeDesc& type = DescOf(TypeNamed(Text(line.word)));
  const auto fail = [&](TokenId at, std::string message) {
    Report<kinds::kBadDebug>(at, std::move(message)).section = "11.5.2";
  };
  u32 begin = line.values.begin;
  for (u32 i = begin; i < line.values.end; ++i) {
    const ExpressionNode& last = module_.expressions[i];
    if (!last.ends_expression) continue;
    const ExpressionNode& first = module_.expressions[begin];
    if (first.op == ExpressionOp::kInteger) {
      const IntegerLiteral literal = ValueOfInteger(Text(first.token));
      const bool is_negative = last.op == ExpressionOp::kMinus;
      const u64 value = static_cast<u64>(literal.constant.value);
      const u64 value_max = type.bits == 64 ? ~u64{0}
                            : is_negative   ? u64{1} << (type.bits - 1)
                                            : (u64{1} << type.bits) - 1;
      if (literal.wraps || value > value_max)
        fail(first.token, fmt::format("{}{} doesn't fit into {}", is_negative ? "-" : "",
                                      Text(first.token), type.name));
      if (is_negative) CheckGate({{7, 5}}, first.token, "a negative number in a section", "11.5.2");
    } else {
      if (type.bits < 32)
        fail(first.token, fmt::format("a label is .b32 or .b64; found {}", type.name));
      const ExpressionNode& second = module_.expressions[begin + (i > begin ? 1 : 0)];
      if (last.op == ExpressionOp::kSubtract && second.op == ExpressionOp::kName) {
        CheckGate({{7, 5}}, last.token, "a difference of labels", "11.5.2");
        for (const TokenId label : {first.token, second.token}) {
          const auto found = section_labels_.find(Text(label));
          if (found != section_labels_.end() && found->second != section.name.index)
            fail(label, "a difference is of two labels of this section");
        }
      }
    }
    begin = i + 1;
  }
}

// PTX ISA 9.4 §11.5.6.
void Verifier::VerifySourceSection(const Statement& statement) {
  CheckDirectiveGate(statement.token);
  for (const SourceBlock& block :
       Module::Of(module_.source_blocks, module_.source_sections[statement.index])) {
    if (Text(block.ir_name) != "\"TileIR\"")
      Report<kinds::kBadDebug>(block.ir_name, "the only .ir_name is \"TileIR\"").section = "11.5.6";
    const u64 file = static_cast<u64>(ValueOfInteger(Text(block.file)).constant.value);
    if (!files_.contains(file) && !has_gap_in_module_)
      Report<kinds::kBadDebug>(block.file, fmt::format("no .file before has the number {}", file))
          .section = "11.5.6";
  }
}

// Files and labels may be declared behind their use.
void Verifier::VerifyDebugNames() {
  if (has_gap_in_module_) return;
  for (const Location* const location : inlined_) {
    const std::string_view label = Text(location->function_name);
    if (section_labels_.contains(label) || section_names_.contains(label)) continue;
    Report<kinds::kBadDebug>(location->function_name,
                             fmt::format("no section has the label '{}'", label))
        .section = "11.5.4";
  }
  std::unordered_set<u64> said;
  for (const FileUse& use : file_uses_) {
    if (files_.contains(use.number) || !said.insert(use.number).second) continue;
    if (use.is_intermediate) {
      Report<kinds::kBadDebug>(use.at, fmt::format("no .file has the number {}", use.number))
          .section = "11.5.5";
      continue;
    }
    Report<kinds::kNoDebugFile>(use.at, use.number).section = "11.5.4";
  }
  if (!module_.head.is_debug) return;
  for (const auto& [name, token] : section_names_)
    if (name.starts_with(".debug_")) return;
  for (const ListedName& listed : Module::Of(module_.names, module_.header.targets))
    if (Text(listed.name) == "debug")
      Report<kinds::kMissingDirective>(listed.name, "debug", "a .section of debug information")
          .section = "11.1.2";
}

}  // namespace ptxfarm::ptx
