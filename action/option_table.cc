#include "action/options.h"

namespace ptxfarm::action {
namespace {

constexpr auto kNone = OptionValue::kNone;
constexpr auto kText = OptionValue::kText;
constexpr auto kBool = OptionValue::kBool;
constexpr auto kBytes = OptionEffect::kBytes;
constexpr auto kLines = OptionEffect::kLines;
constexpr auto kReport = OptionEffect::kReport;
constexpr auto kNothing = OptionEffect::kNothing;
constexpr auto kRefused = OptionEffect::kRefused;

// clang-format off
// Every option of ptxas 13.0, in the order of `ptxas --help`. Which of them change bytes was measured: all of kBytes do for
// some module; kReport only change the option line that the object records, which the worker brings back to one form.
constexpr OptionRow kOptions[] = {
    // name                             short                            value  effect    default note
    {"Ofast-compile",                   "Ofc",                           kText, kBytes,   "0",    ""},
    {"allow-expensive-optimizations",   "allow-expensive-optimizations", kBool, kBytes,   "",     ""},
    {"compile-as-tools-patch",          "astoolspatch",                  kNone, kBytes,   "",     ""},
    {"compile-only",                    "c",                             kNone, kLines,   "",     ""},
    {"compiler-annotations",            "annotate",                      kNone, kBytes,   "",     ""},
    {"def-load-cache",                  "dlcm",                          kText, kBytes,   "",     ""},
    {"def-store-cache",                 "dscm",                          kText, kBytes,   "",     ""},
    {"device-debug",                    "g",                             kNone, kLines,   "",     ""},
    {"device-function-maxrregcount",    "func-maxrregcount",             kText, kBytes,   "",     ""},
    {"device-stack-protector",          "device-stack-protector",        kBool, kBytes,   "false", ""},
    {"disable-optimizer-constants",     "disable-optimizer-consts",      kNone, kBytes,   "",     ""},
    {"disable-warnings",                "w",                             kNone, kReport,  "",     ""},
    {"dont-merge-basicblocks",          "no-bb-merge",                   kNone, kBytes,   "",     ""},
    {"entry",                           "e",                             kText, kBytes,   "",     ""},
    {"extensible-whole-program",        "ewp",                           kNone, kLines,   "",     ""},
    {"fmad",                            "fmad",                          kBool, kBytes,   "true", ""},
    {"force-load-cache",                "flcm",                          kText, kBytes,   "",     ""},
    {"force-store-cache",               "fscm",                          kText, kBytes,   "",     ""},
    {"g-tensor-memory-access-check",    "g-tmem-access-check",           kNone, kBytes,   "",     ""},
    {"gno-tensor-memory-access-check",  "gno-tmem-access-check",         kNone, kBytes,   "",     ""},
    {"generate-line-info",              "lineinfo",                      kNone, kLines,   "",     ""},
    {"gpu-name",                        "arch",                          kText, kRefused, "",     "name the target in the request's target list"},
    {"help",                            "h",                             kNone, kRefused, "",     "it compiles nothing"},
    {"input-as-string",                 "ias",                           kText, kRefused, "",     "send the text as the request's source"},
    {"legacy-bar-warp-wide-behavior",   "legacy-bar-warp-wide-behavior", kNone, kBytes,   "",     ""},
    {"list-version",                    "version-ls",                    kNone, kRefused, "",     "it compiles nothing"},
    {"machine",                         "m",                             kText, kNothing, "64",   ""},
    {"make-errors-visible-at-exit",     "make-errors-visible-at-exit",   kNone, kBytes,   "",     ""},
    {"maxntid",                         "maxntid",                       kText, kBytes,   "",     ""},
    {"maxrregcount",                    "maxrregcount",                  kText, kBytes,   "",     ""},
    {"minnctapersm",                    "minnctapersm",                  kText, kBytes,   "",     ""},
    {"opt-level",                       "O",                             kText, kBytes,   "3",    ""},
    {"optimize-float-atomics",          "opt-fp-atomics",                kNone, kBytes,   "",     ""},
    {"options-file",                    "optf",                          kText, kRefused, "",     "give the file's words as options"},
    {"output-file",                     "o",                             kText, kRefused, "",     "outputs are named by the caller when they arrive"},
    {"override-directive-values",       "override-directive-values",     kNone, kBytes,   "",     ""},
    {"position-independent-code",       "pic",                           kBool, kBytes,   "",     ""},
    {"preserve-relocs",                 "preserve-relocs",               kNone, kLines,   "",     ""},
    {"register-usage-level",            "regUsageLevel",                 kText, kBytes,   "5",    ""},
    {"return-at-end",                   "ret-end",                       kNone, kBytes,   "",     ""},
    {"sanitize",                        "sanitize",                      kText, kLines,   "",     ""},
    {"sp-bounds-check",                 "sp-bounds-check",               kNone, kBytes,   "",     ""},
    {"split-compile",                   "split-compile",                 kText, kNothing, "",     ""},
    {"suppress-async-bulk-multicast-advisory-warning", "suppress-async-bulk-multicast-advisory-warning", kNone, kReport, "", ""},
    {"suppress-debug-info",             "suppress-debug-info",           kNone, kBytes,   "",     ""},
    {"suppress-double-demote-warning",  "suppress-double-demote-warning", kNone, kReport, "",     ""},
    {"suppress-sparse-mma-advisory-info", "suppress-sparse-mma-advisory-info", kNone, kReport, "", ""},
    {"suppress-stack-size-warning",     "suppress-stack-size-warning",   kNone, kReport,  "",     ""},
    {"verbose",                         "v",                             kNone, kReport,  "",     ""},
    {"version",                         "V",                             kNone, kRefused, "",     "it compiles nothing"},
    {"warn-on-double-precision-use",    "warn-double-usage",             kNone, kReport,  "",     ""},
    {"warn-on-local-memory-usage",      "warn-lmem-usage",               kNone, kReport,  "",     ""},
    {"warn-on-spills",                  "warn-spills",                   kNone, kReport,  "",     ""},
    // A verdict: with it a warning means that there is no object.
    {"warning-as-error",                "Werror",                        kNone, kBytes,   "",     ""},
};
// clang-format on

}  // namespace

std::span<const OptionRow> OptionTable() { return kOptions; }

}  // namespace ptxfarm::action
