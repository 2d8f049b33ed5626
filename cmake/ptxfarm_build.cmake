# How targets of ptxfarm are made: warnings as errors, C++20 without extensions, and DEPS equal to the arrows of
# docs/layout.md. Nothing global but these functions.

# -O1 is the quickest to build of those that keep the tests quick; -g1 keeps line numbers in stack traces.
set(CMAKE_CXX_FLAGS_DEV "-O1 -g1 -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1")

set(PTXFARM_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
option(PTXFARM_FUZZ "Build the libFuzzer targets" OFF)

find_program(PTXFARM_CCACHE ccache)
if(PTXFARM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths relative to the checkout: two checkouts share what they compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${PTXFARM_CCACHE})
endif()
find_program(PTXFARM_MOLD mold)

add_library(ptxfarm_flags INTERFACE)
target_compile_options(ptxfarm_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  # Rows of tables and designated initializers leave out the fields that keep their defaults.
  -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Optimizing, g++ 12 sees overlapping copies inside std::string's own `s = "…"` (GCC bug 105651).
  target_compile_options(ptxfarm_flags INTERFACE $<$<CONFIG:Release>:-Wno-restrict>)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Tables of notation are read and checked as they compile; clang gives up after a million steps unless told otherwise.
  target_compile_options(ptxfarm_flags INTERFACE -fconstexpr-steps=1000000000)
endif()
target_include_directories(ptxfarm_flags INTERFACE ${CMAKE_SOURCE_DIR})
if(PTXFARM_MOLD)
  target_link_options(ptxfarm_flags INTERFACE -fuse-ld=mold)
endif()
if(PTXFARM_SANITIZE)
  target_compile_options(ptxfarm_flags INTERFACE
    -fsanitize=${PTXFARM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(ptxfarm_flags INTERFACE -fsanitize=${PTXFARM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports uninitialized values in the standard library's own templates under -fsanitize.
    target_compile_options(ptxfarm_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
if(PTXFARM_FUZZ)
  target_compile_options(ptxfarm_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# ptxfarm_library(NAME SOURCES … [DEPS ptxfarm::… ] [LIBS third::party …])
# Makes ptxfarm_NAME and its alias ptxfarm::NAME. DEPS are ours and visible to users of the header; LIBS are others'.
function(ptxfarm_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;DEPS;LIBS")
  add_library(ptxfarm_${name} STATIC ${arg_SOURCES} ${arg_HEADERS})
  add_library(ptxfarm::${name} ALIAS ptxfarm_${name})
  target_link_libraries(ptxfarm_${name} PUBLIC ${arg_DEPS} ${arg_LIBS} PRIVATE ptxfarm_flags)
  target_include_directories(ptxfarm_${name} PUBLIC ${CMAKE_SOURCE_DIR})
endfunction()

# All that is installed, without tests and benchmarks: what `./dev build` builds.
add_custom_target(programs)

# ptxfarm_program(NAME SOURCES … DEPS … [LIBS …]): a program of that name in bin/, installed.
function(ptxfarm_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPS;LIBS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_DEPS} ${arg_LIBS} ptxfarm_flags)
  add_dependencies(programs ${name})
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()

# ptxfarm_install_pages(NAME [PAGES "command" "command below" …]): man pages (of the program, and of these commands of it) and
# completions, which the installed program prints from its rows.
function(ptxfarm_install_pages name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PAGES")
  set(pages "")
  foreach(command "" ${arg_PAGES})
    string(REPLACE " " "-" suffix "${command}")
    string(REPLACE " " ";" words "${command}")
    if(suffix)
      set(suffix "-${suffix}")
    endif()
    string(APPEND pages "ptxfarm_print(\"${CMAKE_INSTALL_MANDIR}/man1\" \"${name}${suffix}.1\" ${words} --print man)\n")
  endforeach()
  install(CODE "
    function(ptxfarm_print folder file)
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${folder}\")
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:${name}>\" \${ARGN} OUTPUT_FILE \"\${folder}/\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endfunction()
    ${pages}
    ptxfarm_print(\"${CMAKE_INSTALL_DATADIR}/bash-completion/completions\" ${name} --print bash)
    ptxfarm_print(\"${CMAKE_INSTALL_DATADIR}/zsh/site-functions\" _${name} --print zsh)
    ptxfarm_print(\"${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d\" ${name}.fish --print fish)")
endfunction()

# ptxfarm_test(NAME SOURCES … DEPS … [LABELS …] [NEEDS program …] [PROCESSORS n] [TIMEOUT seconds])
# One program of GoogleTest tests, one entry of ctest. NEEDS are programs of ours that the tests start: they are built
# before, and their folder is in the environment variable PTXFARM_BIN. It runs in a folder of its own.
function(ptxfarm_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PROCESSORS;TIMEOUT" "SOURCES;DEPS;LIBS;LABELS;NEEDS")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE
    ${arg_DEPS} ${arg_LIBS} ptxfarm::test_support GTest::gmock GTest::gtest_main ptxfarm_flags)
  if(arg_NEEDS)
    add_dependencies(${name} ${arg_NEEDS})
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS}
    ENVIRONMENT "PTXFARM_BIN=${CMAKE_BINARY_DIR}/bin;PTXFARM_SOURCE=${CMAKE_SOURCE_DIR};TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp ignore_noninstrumented_modules=1;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp print_suppressions=0")
endfunction()
