# Libraries from outside, all of them Debian 12 packages (the list is in ./dev). Who may use which: docs/layout.md.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(zstd REQUIRED)
pkg_check_modules(liblz4 REQUIRED IMPORTED_TARGET liblz4)

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

# A short program like `ptxfarm` spends most of a cache hit in the dynamic linker when gRPC and what it stands on come as 45
# shared libraries (measured: 16 ms to start, against 6 ms from archives). Not in the other presets: ThreadSanitizer tells
# code that it doesn't know by its shared library, and archives make the many test programs large.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(PTXFARM_GRPC_ARCHIVES_DEFAULT ON)
else()
  set(PTXFARM_GRPC_ARCHIVES_DEFAULT OFF)
endif()
option(PTXFARM_GRPC_ARCHIVES "Link gRPC, protobuf and abseil from archives" ${PTXFARM_GRPC_ARCHIVES_DEFAULT})

# Their packages name shared libraries only; the archives lie beside those, under the same names.
function(ptxfarm_link_archives)
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  foreach(target IN LISTS targets)
    if(NOT target MATCHES "^(gRPC|absl|protobuf|c-ares)::")
      continue()
    endif()
    foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_NONE IMPORTED_LOCATION_RELEASE)
      get_target_property(shared ${target} ${property})
      if(NOT shared MATCHES "\\.so[.0-9]*$")
        continue()
      endif()
      string(REGEX REPLACE "\\.so[.0-9]*$" ".a" archive "${shared}")
      if(EXISTS "${archive}")
        set_target_properties(${target} PROPERTIES ${property} "${archive}")
      endif()
    endforeach()
  endforeach()
  find_library(PTXFARM_RE2_ARCHIVE libre2.a)
  if(PTXFARM_RE2_ARCHIVE)
    set_target_properties(re2::re2 PROPERTIES INTERFACE_LINK_LIBRARIES "${PTXFARM_RE2_ARCHIVE};Threads::Threads")
  endif()
endfunction()
if(PTXFARM_GRPC_ARCHIVES)
  ptxfarm_link_archives()
endif()
