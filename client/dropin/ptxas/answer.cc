#include "client/dropin/ptxas/answer.h"

#include <unistd.h>

#include "client/dropin/ptxas/names_in_text.h"
#include "client/dropin/tool/output_file.h"

namespace ptxfarm::dropin {

int Answer(const PtxasCall& call, const RecordParts& result) {
  const std::string_view name = call.inputs.empty() ? "" : std::string_view(call.inputs[0].name);
  PrintTo(STDOUT_FILENO, WithName(result.out, name));
  PrintTo(STDERR_FILENO, WithName(result.err, name));
  if (!result.has_object) return result.exit_code;
  const Status placed = PlaceObject(call.output, result.object);
  if (placed) return result.exit_code;
  PrintTo(STDERR_FILENO,
          placed.error().code == Code::kResourceExhausted
              ? "ptxas fatal   : " + placed.error().message + "\n"
              : "ptxas fatal   : Output file '" + call.output + "' could not be opened\n");
  return kPtxasFailed;
}

RecordParts PartsOf(const Record& record) {
  return {.exit_code = record.exit_code(),
          .has_object = record.has_object(),
          .out = record.out(),
          .err = record.err(),
          .maker = record.maker(),
          .object = record.object()};
}

}  // namespace ptxfarm::dropin
