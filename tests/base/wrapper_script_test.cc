#include "base/wrapper_script.h"

#include <gtest/gtest.h>

namespace ptxfarm {
namespace {

TEST(WrapperScriptTest, OnlyExecOfAnAbsolutePathWithItsOwnWords) {
  struct Case {
    std::string script, executed;  // "": none.
  };
  const Case cases[] = {
      {"#!/bin/sh\nexec /opt/cuda/bin/ptxas \"$@\"\n", "/opt/cuda/bin/ptxas"},
      {"#!/bin/sh\nexec /opt/cuda/bin/ptxas \"$@\"", "/opt/cuda/bin/ptxas"},
      {"#! /usr/bin/env bash\r\n\n# Made by a packager.\n  exec \"/opt/cuda-13.0/bin/ptxas\" "
       "\"$@\"\n",
       "/opt/cuda-13.0/bin/ptxas"},
      {"#!/bin/bash\nexec '/opt/c/ptxas' \"$@\"\n", "/opt/c/ptxas"},
      {"", ""},
      {"#!/bin/sh\n", ""},
      {"\x7f"
       "ELF\nexec /opt/ptxas \"$@\"\n",
       ""},
      {"exec /opt/ptxas \"$@\"\n", ""},
      {"#!/usr/bin/python3\nexec /opt/ptxas \"$@\"\n", ""},
      {"#!/bin/sh -x\nexec /opt/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\n/opt/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas $@\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas \"$*\"\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas -v \"$@\"\n", ""},
      {"#!/bin/sh\nexec $CUDA_HOME/bin/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/`date`/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/pt*as \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/a b/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec \"/opt/ptxas' \"$@\"\n", ""},
      {"#!/bin/sh\nexec  \"$@\"\n", ""},
      {"#!/bin/sh\nexec \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas \"$@\" 2>/dev/null\n", ""},
      {"#!/bin/sh\nexport A=1\nexec /opt/ptxas \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas \"$@\"\nexec /opt/other \"$@\"\n", ""},
      {"#!/bin/sh\nexec /opt/ptxas \"$@\"\n#" + std::string(kWrapperBytesMax, 'x'), ""},
  };
  for (const Case& c : cases)
    EXPECT_EQ(ExecutedByScript(c.script).value_or(""), c.executed) << c.script.substr(0, 80);
}

}  // namespace
}  // namespace ptxfarm
