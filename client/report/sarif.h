// Diagnostics as SARIF 2.1.0 (OASIS), which editors and code hosts read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "client/report/json.h"

namespace ptxfarm::client {

// One log with one run of `ptxfarm check` or `ptxfarm compile`.
class SarifLog {
 public:
  SarifLog();

  // What is wrong with a file. Columns are counted in UTF-16 units of its text, as the log says.
  //
  //   path  as the user gave it; "-" is called stdin
  void Add(const std::string& path, std::string_view text, std::span<const Diagnostic> diagnostics);
  // Something that kept us from looking.
  void AddFailure(const Error& error);

  // The whole log. A run whose exit code says that it couldn't look wasn't successful.
  std::string Finish(ExitCode exit_code);

 private:
  std::size_t RuleIndexOf(const Diagnostic& diagnostic);

  Json results_ = Json::array();
  Json rules_ = Json::array();
  Json notifications_ = Json::array();
  std::vector<std::string> kinds_;  // Of rules_, in its order.
};

}  // namespace ptxfarm::client
