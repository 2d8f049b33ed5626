#include "toolchain/ptx/inline_assembly/expand_template.h"

#include "base/text.h"
#include "toolchain/ptx/inline_assembly/inline_kinds.h"

namespace ptxfarm::ptx {
namespace {

bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

class Expander {
 public:
  Expander(const AsmStatement& statement, std::span<const Constraint> constraints,
           std::string_view constant, SourceErrors& errors)
      : statement_(statement), constraints_(constraints), constant_(constant), errors_(errors) {
    expanded_.is_used.resize(constraints.size());
  }

  ExpandedTemplate Run() {
    const std::string_view text = statement_.text.text();
    while (at_ < text.size()) {
      const u32 percent = static_cast<u32>(std::min(text.find('%', at_), text.size()));
      expanded_.text.AppendPart(statement_.text, at_, percent);
      at_ = percent;
      if (at_ < text.size()) Percent(text);
    }
    return std::move(expanded_);
  }

 private:
  void Percent(std::string_view text) {
    const u32 begin = at_++;
    if (!statement_.has_operand_list) {
      if (at_ < text.size() && text[at_] == '%') {
        ++at_;
        errors_.Report<kinds::kAsmDoubled>(statement_.text.OriginOf(begin, at_));
      }
      return Put("%", begin);
    }
    const char next = at_ < text.size() ? text[at_] : '\0';
    if (next == '%' || next == '=') {
      ++at_;
      return Put(next == '%' ? "%" : "0", begin);
    }
    if (next >= '0' && next <= '9') return Operand(text, begin);
    u32 end = at_;
    while (end < text.size() && IsNamePart(text[end])) ++end;
    const std::string_view word = text.substr(at_, end - at_);
    Diagnostic& diagnostic = errors_.Report<kinds::kAsmPercent>(
        statement_.text.OriginOf(begin, end), word.empty() ? Shortened(text.substr(at_, 1)) : word);
    diagnostic.hint = fmt::format("write '%%{}'", word);
    expanded_.text.AppendPart(statement_.text, begin, at_);
  }

  void Operand(std::string_view text, u32 begin) {
    std::size_t index = 0;
    for (; at_ < text.size() && text[at_] >= '0' && text[at_] <= '9'; ++at_)
      index =
          std::min<std::size_t>(index * 10 + static_cast<std::size_t>(text[at_] - '0'), 100'000);
    if (index >= constraints_.size()) {
      const std::size_t count = constraints_.size();
      errors_.Report<kinds::kAsmOperandRange>(statement_.text.OriginOf(begin, at_),
                                              text.substr(begin + 1, at_ - begin - 1),
                                              count == 0   ? std::string("none")
                                              : count == 1 ? std::string("%0 only")
                                                           : fmt::format("%0 to %{}", count - 1));
      expanded_.text.AppendPart(statement_.text, begin, at_);
      return;
    }
    expanded_.is_used[index] = true;
    const ConstraintDesc* const desc = constraints_[index].desc;
    if (desc == nullptr || desc->type != Type::kNone)
      return expanded_.text.AppendPart(statement_.text, begin, at_);
    const std::optional<std::string>& value = statement_.operands[index].value;
    if (desc->letter == 'C') expanded_.has_unknown_text |= !value;
    const u32 place = expanded_.text.size();
    Put(value ? std::string_view(*value) : constant_, begin);
    if (!value) expanded_.unknowns.push_back({place, expanded_.text.size()});
  }

  void Put(std::string_view bytes, u32 begin) {
    expanded_.text.AppendFor(bytes, statement_.text.OriginOf(begin, at_));
  }

  const AsmStatement& statement_;
  std::span<const Constraint> constraints_;
  std::string_view constant_;
  SourceErrors& errors_;
  u32 at_ = 0;
  ExpandedTemplate expanded_;
};

}  // namespace

ExpandedTemplate ExpandTemplate(const AsmStatement& statement,
                                std::span<const Constraint> constraints, std::string_view constant,
                                SourceErrors& errors) {
  return Expander(statement, constraints, constant, errors).Run();
}

}  // namespace ptxfarm::ptx
