#include "toolchain/object/cubin/describe.h"

#include <iterator>

#include <fmt/format.h>

namespace ptxfarm::object::cubin {
namespace {

class Describer {
 public:
  Describer(const Cubin& cubin, const DescribeOptions& options)
      : cubin_(cubin), options_(options) {}

  std::string Text() && {
    Head();
    for (const Function& function : cubin_.functions) OneFunction(function);
    Variables();
    Undefined();
    if (options_.attributes) {
      Records("module attribute", cubin_.attributes, FindAttribute);
      Records("compatibility", cubin_.compat, FindCompatAttribute);
    }
    if (options_.sections) Sections();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  void Head() {
    Line("cubin for {}, {}{}{}", cubin_.TargetName(), KindName(cubin_.kind),
         cubin_.has_capsule ? ", with capsule" : "", cubin_.old_layout ? ", old layout" : "");
    if (cubin_.virtual_sm != 0) Line("  of PTX for sm_{}", cubin_.virtual_sm);
    if (cubin_.cuda_version != 0)
      Line("  CUDA {}.{}", cubin_.cuda_version / 10, cubin_.cuda_version % 10);
    if (cubin_.tool) Line("  made by {} \"{}\"", cubin_.tool->tool, cubin_.tool->options);
    Banks("  ", cubin_.constant_banks);
  }

  void Banks(std::string_view indent, const std::vector<BankUse>& banks) {
    for (const BankUse& bank : banks)
      Line("{}constant[{}] {} bytes", indent, bank.bank, bank.bytes);
  }

  void OneFunction(const Function& function) {
    Line("{} {} ({})", function.is_entry ? "entry" : "function", function.name,
         BindingName(function.binding));
    Line("  code {} bytes", function.code_bytes);
    if (function.has_own_section) Line("  registers {}", function.registers);
    Line("  frame {} bytes", function.frame_bytes);
    if (function.stack_bytes) Line("  stack {} bytes", *function.stack_bytes);
    if (function.shared_bytes != 0) Line("  shared {} bytes", function.shared_bytes);
    Banks("  ", function.constant_banks);
    if (function.barriers != 0) Line("  barriers {}", function.barriers);
    LaunchBounds(function);
    if (function.parameter_bytes != 0) Line("  parameters {} bytes", function.parameter_bytes);
    for (const Parameter& parameter : function.parameters) OneParameter(parameter);
    if (options_.attributes) Records("  attribute", function.attributes, FindAttribute);
  }

  void LaunchBounds(const Function& function) {
    if (function.max_registers) Line("  maxnreg {}", *function.max_registers);
    if (function.max_threads) Line("  maxntid {}", Text(*function.max_threads));
    if (function.required_threads) Line("  reqntid {}", Text(*function.required_threads));
    if (function.cluster) Line("  reqnctapercluster {}", Text(*function.cluster));
    if (function.max_cluster_rank) Line("  maxclusterrank {}", *function.max_cluster_rank);
    if (function.explicit_cluster) Line("  explicitcluster");
    if (function.blocks_are_clusters) Line("  blocksareclusters");
  }

  void OneParameter(const Parameter& parameter) {
    const bool pointer = parameter.space != ParameterSpace::kNotAPointer;
    Line("    parameter {} at {}, {} bytes{}", parameter.ordinal, parameter.offset,
         parameter.size_bytes,
         pointer ? fmt::format(", .ptr {} .align {}", ParameterSpaceName(parameter.space),
                               parameter.pointee_alignment)
                 : std::string());
  }

  static std::string Text(const Extent& extent) {
    return fmt::format("{}, {}, {}", extent.x, extent.y, extent.z);
  }

  void Variables() {
    for (const Variable& variable : cubin_.variables)
      Line("variable {} ({}) {} bytes{}{}", variable.name, BindingName(variable.binding),
           variable.size_bytes, variable.section.empty() ? "" : " in ", variable.section);
  }

  void Undefined() {
    for (const UndefinedSymbol& symbol : cubin_.undefined)
      Line("undefined {} {} ({})", symbol.is_function ? "function" : "variable", symbol.name,
           BindingName(symbol.binding));
  }

  void Records(std::string_view label, const std::vector<Attribute>& records,
               const AttributeDesc* (*find)(u8)) {
    for (const Attribute& record : records)
      Line("{} {}", label, DescribeAttribute(record, find(record.code), cubin_.symbol_names));
  }

  void Sections() {
    for (const elf::Section& section : cubin_.file.sections())
      if (section.index != 0)
        Line("section {} {} type {:#x} flags {:#x} at {:#x}, {} bytes, align {}", section.index,
             section.name, section.type, section.flags, section.offset, section.size,
             section.alignment);
  }

  const Cubin& cubin_;
  const DescribeOptions& options_;
  std::string text_;
};

}  // namespace

std::string Describe(const Cubin& cubin, const DescribeOptions& options) {
  return Describer(cubin, options).Text();
}

}  // namespace ptxfarm::object::cubin
