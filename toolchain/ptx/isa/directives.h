// The directives of PTX: a row each, which parser, verifier and documents read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/int.h"
#include "toolchain/ptx/isa/gate.h"

namespace ptxfarm::ptx {

// Where a directive may stand; a row may name several.
enum class Site : u8 {
  kModule = 1,     // Between functions.
  kEntry = 2,      // Between an entry's parameters and its body.
  kFunction = 4,   // The same of a function.
  kPrototype = 8,  // The same of a .callprototype.
  kBody = 16,      // A statement of a body.
  kInside = 32,    // Inside a declaration or another directive.
};

constexpr u8 operator|(Site a, Site b) {
  return static_cast<u8>(static_cast<u8>(a) | static_cast<u8>(b));
}
constexpr u8 operator|(u8 a, Site b) { return static_cast<u8>(a | static_cast<u8>(b)); }

// What stands behind it at an entry, a function or a prototype.
enum class Values : u8 { kNone, kOne, kUpToThree, kLanguages, kStrings };

struct DirectiveDesc {
  std::string_view word;
  std::string_view syntax;
  u8 places;
  Gate gate;
  std::string_view section;  // Of the manual, PTX ISA 9.4.
  Values values = Values::kNone;

  constexpr bool MayStand(Site site) const { return (places & static_cast<u8>(site)) != 0; }
};

std::span<const DirectiveDesc> AllDirectives();

// The row of a word with its dot, or null.
const DirectiveDesc* FindDirective(std::string_view word);

// "in a body or at an entry": the places of a row in words.
std::string PlacesOf(const DirectiveDesc& desc);

}  // namespace ptxfarm::ptx
