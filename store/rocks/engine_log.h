// RocksDB's warnings, for the observer.
//
// Also because its own log file is no good on a full disk: after a line couldn't be written, the
// next one aborts the process (Debian builds it with its assertions on).
#pragma once

#include <rocksdb/env.h>

#include "store/observer.h"

namespace ptxfarm::rocks {

class EngineLog final : public rocksdb::Logger {
 public:
  // No observer, no log.
  explicit EngineLog(StoreObserver* observer)
      : rocksdb::Logger(rocksdb::WARN_LEVEL), observer_(observer) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override;
  // What it says of its version and options at each start.
  void LogHeader(const char*, va_list) override {}

 private:
  StoreObserver* const observer_;
};

}  // namespace ptxfarm::rocks
