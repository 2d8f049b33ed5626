#include "action/link_options.h"

#include <algorithm>
#include <iterator>

namespace ptxfarm::action {
namespace {

using enum LinkOptionUse;
using enum LinkOptionValue;

// clang-format off
constexpr LinkOptionRow kOptions[] = {
    // name                           short name                     value  use
    {"Ofast-compile",                 "Ofc",                         kText, kBytes},
    {"Xnvvm",                         "Xnvvm",                       kList, kBytes},
    {"Xptxas",                        "Xptxas",                      kList, kBytes},
    {"arch",                          "arch",                        kText, kTarget},
    {"cpu-arch",                      "cpu-arch",                    kText, kBytes},
    {"debug",                         "g",                           kNone, kBytes},
    {"device-stack-protector",        "device-stack-protector",      kNone, kBytes},
    {"disable-infos",                 "disable-infos",               kNone, kBytes},
    {"disable-warnings",              "w",                           kNone, kBytes},
    {"dlto",                          "dlto",                        kNone, kBytes},
    {"dump-callgraph",                "dump-callgraph",              kNone, kBytes},
    {"dump-callgraph-no-demangle",    "dump-callgraph-no-demangle",  kNone, kBytes},
    {"emit-ptx",                      "emit-ptx",                    kNone, kRefused},
    {"extra-warnings",                "extrawarn",                   kNone, kBytes},
    {"gen-host-linker-script",        "ghls",                        kText, kRefused},
    {"help",                          "h",                           kNone, kRefused},
    {"host-ccbin",                    "host-ccbin",                  kText, kNothing},
    {"ignore-host-info",              "ignore-host-info",            kNone, kBytes},
    {"keep-system-libraries",         "keep-system-libraries",       kNone, kBytes},
    {"kernels-used",                  "kernels-used",                kList, kBytes},
    {"library",                       "l",                           kList, kLibrary},
    {"library-path",                  "L",                           kList, kLibraryPath},
    {"link-time-opt",                 "lto",                         kNone, kBytes},
    {"machine",                       "m",                           kText, kBytes},
    {"maxrregcount",                  "maxrregcount",                kText, kBytes},
    {"nvvmpath",                      "nvvmpath",                    kText, kNvvmPath},
    {"options-file",                  "optf",                        kList, kOptionsFile},
    {"output-file",                   "o",                           kText, kOutput},
    {"preserve-relocs",               "preserve-relocs",             kNone, kBytes},
    {"register-link-binaries",        "register-link-binaries",      kText, kRegister},
    {"relocatable-link",              "r",                           kNone, kBytes},
    {"report-arch",                   "report-arch",                 kNone, kBytes},
    {"split-compile",                 "split-compile",               kText, kBytes},
    {"split-compile-extended",        "split-compile-extended",      kText, kBytes},
    {"suppress-arch-warning",         "suppress-arch-warning",       kNone, kBytes},
    {"suppress-debug-info",           "suppress-debug-info",         kNone, kBytes},
    {"suppress-stack-size-warning",   "suppress-stack-size-warning", kNone, kBytes},
    {"time",                          "time",                        kText, kRefused},
    {"uidx-file",                     "uidx",                        kText, kRefused},
    {"use-host-info",                 "use-host-info",               kNone, kBytes},
    {"variables-used",                "variables-used",              kList, kBytes},
    {"verbose",                       "v",                           kNone, kBytes},
    {"version",                       "V",                           kNone, kRefused},
    {"warning-as-error",              "Werror",                      kNone, kBytes},
};
// clang-format on

}  // namespace

std::span<const LinkOptionRow> LinkOptionTable() { return kOptions; }

const LinkOptionRow* FindLinkOption(std::string_view name) {
  const auto row = std::ranges::find(kOptions, name, &LinkOptionRow::name);
  return row == std::end(kOptions) ? nullptr : row;
}

}  // namespace ptxfarm::action
