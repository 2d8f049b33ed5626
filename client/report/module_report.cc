#include "client/report/module_report.h"

namespace ptxfarm::client {

std::vector<const TargetReply*> RepliesOf(const ModuleReport& report) {
  std::vector<const TargetReply*> replies;
  if (!report.reply) return replies;
  for (const TargetReply& reply : report.reply->targets) replies.push_back(&reply);
  if (report.reply->fatbin) replies.push_back(&*report.reply->fatbin);
  return replies;
}

const WrittenFile* WrittenFor(const ModuleReport& report, const std::string& target) {
  for (const WrittenFile& written : report.written) {
    const bool is_fatbin = written.file.kind == OutputKind::kFatbin;
    if (is_fatbin ? target == rpc::kFatbinTarget : target == written.file.target) return &written;
  }
  return nullptr;
}

}  // namespace ptxfarm::client
