// The state of one run of Verify; inside this folder only.
//
// One pass over the statements, in the order of the text, since names are declared before their
// use; labels alone may be used before, and are gathered when their function begins.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "toolchain/ptx/constant.h"
#include "toolchain/ptx/error_list.h"
#include "toolchain/ptx/isa/check_instruction.h"
#include "toolchain/ptx/isa/directives.h"
#include "toolchain/ptx/resolved_operand.h"
#include "toolchain/ptx/verify.h"
#include "toolchain/ptx/verify/symbol_table.h"

namespace ptxfarm::ptx {

class Verifier {
 public:
  Verifier(std::shared_ptr<const Module> module, const VerifyOptions& options);

  // Once. True where there is no error.
  bool Run();

  VerifiedModule TakeVerified();
  Diagnostics TakeDiagnostics();

 private:
  // What is known of a function's name across its declarations.
  struct FunctionState {
    u32 declaration = 0;  // In Module::functions: the definition, once there is one.
    bool is_defined = false;
    TokenId first_use;  // Where it is called or its address is taken.
  };
  // What a function uses of shared memory, for the sum that an entry takes.
  struct SharedUse {
    u64 own_bytes = 0;
    std::vector<u32> variables;  // Of the module.
    std::vector<u32> callees;    // In function_states_.
  };

  // module.cc: the statements of the module.
  void VerifyStatement(u32* index);
  void VerifyPragma(const Pragma& pragma, Site site);
  void VerifyPragmaString(TokenId string, Site site);
  void VerifyAlias(const Alias& alias);
  void VerifyAliases();

  // head.cc
  void VerifyHead();
  void VerifyTargetNames(Range names);
  void VerifyReach();

  // gate.cc
  void CheckGate(const Gate& gate, TokenId at, std::string_view what, std::string_view section);
  void JudgeGate(const Gate& gate, TokenId at, std::string_view what, std::string_view section);
  void CheckDirectiveGate(TokenId word);

  // gap.cc
  void NoteGap(Range tokens);
  void NoteRestOfBody(const Function& function);
  void DeclareUnknown(TokenId name, bool is_range);

  // variable.cc
  void VerifyModuleVariable(u32 index);
  void VerifyBodyVariable(u32 index);
  bool VerifyVariable(const Variable& variable);
  bool VerifyVariableType(const Variable& variable);
  bool VerifyOpaque(const Variable& variable);
  bool VerifyDimensions(const Variable& variable);
  bool VerifyAlign(TokenId align);
  void VerifyAttributes(const Variable& variable);
  bool VerifyLinkage(const Variable& variable);
  bool DeclareVariable(u32 index);
  bool RedeclareExternal(const Variable& variable, const Symbol& earlier);
  u64 BytesOf(const Variable& variable) const;
  void CountMemory(u32 index);

  // initializer.cc
  void VerifyInitializer(const Variable& variable);
  void VerifyOpaqueInitializer(const Variable& variable);
  bool VerifyInitializerValue(const Variable& variable, Range value);
  bool VerifyInitialAddress(const Variable& variable, Range value);

  // function.cc
  void VerifyFunction(u32 index, u32* statement);
  u32 DeclareFunction(u32 index);
  u32 AddFunctionState(u32 index);
  void VerifyAgreement(const Function& function, const Function& earlier);
  std::string DifferenceOf(Range results, Range parameters, Range other_results,
                           Range other_parameters) const;
  void VerifyParameters(Range parameters, bool is_entry, bool is_result);
  bool VerifyParameter(const Variable& parameter, bool is_entry, bool is_last);
  void VerifyParameterBytes(const Function& function);
  void NoteParameterBytes(const Function& function, u64 bytes);
  void VerifyPrototype(u32 index);
  void VerifyNameList(u32 index, StatementKind kind);

  // tuning.cc
  void VerifyFunctionDirectives(Range directives, bool has_result);
  void VerifyDirectiveValues(const FunctionDirective& directive, const DirectiveDesc& desc);
  void VerifyLanguages(const FunctionDirective& directive);
  TokenId FindDirectiveIn(Range directives, std::string_view word) const;
  std::string_view FirstValueIn(Range directives, std::string_view word) const;

  // body.cc
  void VerifyBody(const Function& function);
  void GatherLabels(const Function& function);
  void DeclareLabels();
  void OpenBlock();
  void VerifyBodyStatement(const Statement& statement);
  void VerifyInstruction(const Instruction& instruction);
  void NoteNeeds(const Instruction& instruction, const isa::Overload& overload,
                 std::span<const ResolvedOperand> operands);
  void VerifyGuard(const Instruction& instruction);
  void WarnMisaligned(const Instruction& instruction);  // alignment.cc

  // operand.cc
  void ResolveOperands(const Instruction& instruction);
  void ResolveOperand(const Operand& operand, ResolvedOperand& resolved);
  void ResolveName(const Operand& operand, ResolvedOperand& resolved);
  bool ResolveSpecialRegister(const Operand& operand, ResolvedOperand& resolved);
  void ResolveComponent(const Operand& operand, ResolvedOperand& resolved);
  void ResolveConstant(const Operand& operand, ResolvedOperand& resolved);
  void ResolveAddress(ResolvedOperand& resolved);
  void RefuseSums(const Instruction& instruction);
  bool CheckName(TokenId name);
  void DeclareName(TokenId name, SymbolKind kind, u32 index, std::string_view section);
  void ReportUndeclared(TokenId name);
  bool ReportFault(const Evaluated& evaluated);
  void NoteUse(const Symbol& symbol, TokenId at);
  RelatedPlace DeclaredHere(TokenId name, std::string_view message = "declared here") const;

  // call.cc, branch.cc
  bool VerifyCall(const Instruction& instruction);
  struct CallShape;
  bool ReadCall(const Instruction& instruction, CallShape& shape);
  bool VerifyCallee(CallShape& shape);
  bool VerifyArguments(const CallShape& shape);
  bool VerifyArgument(const CallShape& shape, const ResolvedOperand& argument,
                      const Variable& parameter, bool is_result);
  bool VerifyBranch(const Instruction& instruction);

  // debug.cc
  void VerifyLocation(const Statement& statement);
  void VerifyFile(const FileDirective& file);
  void VerifySection(const Section& section);
  void VerifySectionLine(const Section& section, const SectionLine& line);
  u64 KeyOf(TokenId file) const;
  void VerifySourceSection(const Statement& statement);
  void VerifyDebugNames();

  // limit.cc: what only the end of the module tells.
  void VerifyLimits();
  void VerifySharedBytes();
  bool IsOfBody(u32 variable) const;
  void VerifyConstantBytes();
  void VerifyResolved();

  std::string_view Text(TokenId id) const { return module_.TextOf(id); }
  std::string VersionText() const;
  std::string TargetText() const;
  bool IsRegister(const ResolvedOperand& operand) const {
    return operand.meaning == Meaning::kRegister;
  }
  template <const DiagnosticKind& kind, typename... Args>
  Diagnostic& Report(TokenId at, Args&&... args) {
    const Token& token = module_.TokenOf(at);
    ErrorList& list = kind.severity == Severity::kError ? errors_ : warnings_;
    return list.ReportSpan<kind>(token.offset(), token.end(), std::forward<Args>(args)...);
  }

  std::shared_ptr<const Module> owned_;
  const Module& module_;
  const VerifyOptions& options_;
  ErrorList errors_;
  ErrorList warnings_;
  isa::InstructionChecker checker_;
  Needs needs_;
  std::unordered_set<const isa::Overload*> noted_;  // What Needs knows of.
  SymbolTable symbols_;
  u16 target_number_ = 0;  // Of the highest .target.

  std::vector<FunctionState> function_states_;  // Symbol::index of functions.
  std::vector<SharedUse> shared_uses_;          // Beside them.
  std::vector<u32> constants_;                  // Variables in .const.
  u64 constant_bytes_ = 0;
  u64 shared_bytes_ = 0;               // Of all variables.
  std::vector<u32> module_variables_;  // In ascending order.
  std::vector<u32> externals_;         // Variables that are .extern.
  std::vector<std::string_view> undefined_symbols_;

  // Of the function at hand.
  u32 function_ = 0;  // In function_states_.
  const Function* syntax_ = nullptr;
  u64 local_bytes_ = 0;
  TokenId largest_local_;
  struct Label {
    TokenId name;
    u32 block;
  };
  std::vector<Label> labels_;  // By block, then in the order of the text.
  std::size_t next_label_ = 0;
  u32 block_ = 0;  // Blocks that began so far.
  std::vector<u32> open_blocks_;
  struct PassedParameter {
    u32 variable;
    bool is_passed;
    TokenId first_use;
  };
  std::vector<PassedParameter> call_parameters_;    // Variables of the body in .param.
  std::unordered_map<u32, u32> call_parameter_of_;  // By variable.
  bool last_was_location_ = false;

  std::vector<ResolvedOperand> resolved_;  // Of the instruction at hand.

  bool has_gap_in_module_ = false;

  // Debug information.
  std::unordered_map<u64, TokenId> files_;
  std::unordered_map<std::string_view, u32> section_labels_;  // To the section.
  std::unordered_map<std::string_view, u32> section_names_;
  std::unordered_set<u64> locations_;  // Places that a .loc gave.
  std::vector<const Location*> inlined_;
  struct FileUse {
    u64 number;
    TokenId at;
    bool is_intermediate;
  };
  std::vector<FileUse> file_uses_;
};

}  // namespace ptxfarm::ptx
