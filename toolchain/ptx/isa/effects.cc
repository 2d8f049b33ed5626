#include "toolchain/ptx/isa/effects.h"

#include <algorithm>
#include <iterator>

namespace ptxfarm::ptx::isa {
namespace {

using enum Effect;

struct EffectRow {
  std::string_view opcode;
  std::string_view word;  // That must stand in the mnemonic; empty: any.
  Effect effect;
};

// The first row of an opcode whose word is there decides. Opcodes without a row only compute.
// clang-format off
constexpr EffectRow kEffects[] = {
    {"activemask",           "",                  kConverges},
    {"applypriority",        "",                  kOrders},
    {"atom",                 "",                  kWrites},
    {"bar",                  "",                  kOrders},
    {"barrier",              "",                  kOrders},
    {"brkpt",                "",                  kChanges},
    {"call",                 "",                  kWrites},
    {"clusterlaunchcontrol", ".query_cancel",     kNone},
    {"clusterlaunchcontrol", "",                  kWrites},
    {"cp",                   "",                  kWrites},
    {"discard",              "",                  kWrites},
    {"elect",                "",                  kConverges},
    {"exit",                 "",                  kChanges},
    {"fabric",               "",                  kWrites},
    {"fence",                "",                  kOrders},
    {"griddepcontrol",       "",                  kOrders},
    {"ld",                   ".nc",               kNone},
    {"ld",                   ".const",            kNone},
    {"ld",                   ".param",            kNone},
    {"ld",                   ".param::entry",     kNone},
    {"ld",                   ".param::func",      kNone},
    {"ld",                   "",                  kReads},
    {"ldmatrix",             "",                  kReads},
    {"match",                "",                  kConverges},
    {"mbarrier",             ".pending_count",    kNone},
    {"mbarrier",             "",                  kOrders},
    {"membar",               "",                  kOrders},
    {"movmatrix",            "",                  kConverges},
    {"multimem",             ".ld_reduce",        kReads},
    {"multimem",             "",                  kWrites},
    {"nanosleep",            "",                  kChanges},
    {"pmevent",              "",                  kChanges},
    {"prefetch",             "",                  kChanges},
    {"prefetchu",            "",                  kChanges},
    {"red",                  "",                  kWrites},
    {"redux",                "",                  kConverges},
    {"setmaxnreg",           "",                  kChanges},
    {"shfl",                 "",                  kConverges},
    {"st",                   ".param",            kNone},
    {"st",                   ".param::func",      kNone},
    {"st",                   "",                  kWrites},
    {"stackrestore",         "",                  kChanges},
    {"stacksave",            "",                  kChanges},
    {"alloca",               "",                  kChanges},
    {"stmatrix",             "",                  kWrites},
    {"suld",                 "",                  kReads},
    {"sured",                "",                  kWrites},
    {"sust",                 "",                  kWrites},
    {"tcgen05",              ".ld",               kReads},
    {"tcgen05",              "",                  kWrites},
    {"tensormap",            "",                  kWrites},
    {"trap",                 "",                  kChanges},
    {"vote",                 "",                  kConverges},
    {"wgmma",                ".fence",            kOrders},
    {"wgmma",                ".commit_group",     kOrders},
    {"wgmma",                ".wait_group",       kOrders},
    {"wgmma",                "",                  kReads},
    {"wmma",                 ".load",             kReads},
    {"wmma",                 ".store",            kWrites},
};
// clang-format on

// PTX ISA 9.4 §10: those whose section says that the value may change, and the counters.
constexpr std::string_view kChangingRegisters[] = {
    "%warpid",  "%smid",        "%clock",          "%clock_hi",
    "%clock64", "%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
};

bool HasWord(std::string_view mnemonic, std::string_view word) {
  for (std::size_t at = mnemonic.find(word); at != mnemonic.npos;
       at = mnemonic.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (end == mnemonic.size() || mnemonic[end] == '.') return true;
  }
  return false;
}

}  // namespace

std::string_view Describe(Effect effect) {
  switch (effect) {
    case kNone: return "only computes";
    case kReads: return "reads memory";
    case kWrites: return "writes memory";
    case kOrders: return "orders memory accesses or threads";
    case kConverges: return "depends on the lanes that execute it together";
    case kChanges: return "does or gives something else each time";
  }
  return "";
}

Effect EffectOf(std::string_view mnemonic) {
  const std::string_view opcode = mnemonic.substr(0, mnemonic.find('.'));
  for (const EffectRow& row : kEffects)
    if (row.opcode == opcode && (row.word.empty() || HasWord(mnemonic, row.word)))
      return row.effect;
  return kNone;
}

bool IsChanging(std::string_view special_register) {
  return special_register.starts_with("%pm") ||
         std::find(std::begin(kChangingRegisters), std::end(kChangingRegisters),
                   special_register) != std::end(kChangingRegisters);
}

}  // namespace ptxfarm::ptx::isa
