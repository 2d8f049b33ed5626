# Libraries from outside, all of them Debian 12 packages (the list is in ./dev). Who may use which: docs/layout.md.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(zstd REQUIRED)
pkg_check_modules(liblz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)

# Protobuf has no CONFIG package in Debian, and gRPC's finds nothing unless Protobuf was found before.
find_package(Protobuf MODULE REQUIRED)
find_package(gRPC CONFIG REQUIRED)
find_package(RocksDB CONFIG REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
pkg_check_modules(httplib REQUIRED IMPORTED_TARGET cpp-httplib)
find_package(CLI11 CONFIG REQUIRED)
find_package(tomlplusplus CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)

find_package(GTest REQUIRED)
find_package(benchmark CONFIG REQUIRED)
