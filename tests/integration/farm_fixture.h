// A farm of real processes on this machine: a server with its store on disk, workers with the real
// compiler.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/lib/client.h"
#include "tests/support/program.h"
#include "tests/support/temp_dir.h"

namespace ptxfarm::test {

class FarmTest : public testing::Test {
 protected:
  void SetUp() override;

  // Starts the server on its Unix socket and waits until it listens. `options` are added to its
  // own; environment as of Program.
  void StartServer(std::vector<std::string> options = {});
  // Likewise a worker, and waits until the server has it. Its environment names this machine's
  // toolkit.
  Program& StartWorker(const std::string& name = "w", std::vector<std::string> options = {});

  std::string address() const { return "unix:" + socket(); }
  std::string socket() const { return dir_ / "farm.sock"; }
  std::string store() const { return dir_ / "store"; }

  client::Client Connect(u32 attempts_max = 1) const;

  // Calls `condition` until it holds, as fast as the farm answers; fails the test after a generous
  // while.
  template <typename Condition>
  void Await(const char* what, const Condition& condition) const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!condition())
      ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "waited for: " << what;
  }

  TempDir dir_;
  std::unique_ptr<Program> server_;
  std::map<std::string, std::unique_ptr<Program>> workers_;
};

// The bytes of an example ("saxpy.ptx"), and the names of all of them.
std::string Example(const std::string& name);
std::vector<std::string> ExampleNames();

// Straight-line code with many live values, which takes ptxas about a second for 600 of them, and
// much longer for more.
std::string SlowModule(int values = 600);

// A small module whose entry has this name, so that each name is an action of its own.
std::string SmallModule(const std::string& entry);

}  // namespace ptxfarm::test
