#include "base/diagnostic.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(DiagnosticTest, FormatsAsCompilersDo) {
  const Diagnostic diagnostic{Severity::kWarning, "non-ascii", "byte 0xc3 in a comment", {5, 12}};
  EXPECT_EQ(Format(diagnostic, "k.ptx"), "k.ptx:5:12: warning: byte 0xc3 in a comment [non-ascii]");
}

TEST(DiagnosticTest, AddsHintAndSection) {
  const Diagnostic diagnostic{.kind = "undeclared",
                              .message = "'%r1' is not declared",
                              .place = {7, 5},
                              .length = 3,
                              .section = "5.4.1",
                              .hint = "did you mean '%r11'?"};
  EXPECT_EQ(Format(diagnostic, "k.ptx"),
            "k.ptx:7:5: error: '%r1' is not declared; did you mean '%r11'? [undeclared] "
            "(PTX ISA §5.4.1)");
}

TEST(DiagnosticTest, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(Format({.message = "empty input"}, "k.ptx"), "k.ptx: error: empty input");
  EXPECT_EQ(Format({.severity = Severity::kNote, .message = "m", .place = {3, 0}}, "k.ptx"),
            "k.ptx:3: note: m");
}

}  // namespace
}  // namespace ptxfarm
