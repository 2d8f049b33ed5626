/* A program against NVIDIA's PTX Compiler API: with its own header where HEADER names that, else
 * with ours. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_NVIDIA_HEADER
#include <nvPTXCompiler.h>
#else
#include <ptxfarm/nvptxcompiler.h>
#endif

#include "expect.h"

static const char kGood[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n.reg .u64 %rd;\nld.param.u64 %rd, [p];\nret;\n}\n";
static const char kBad[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry k() {\n.reg .u32 %r;\nmov.u32 %r, %nowhere;\nret;\n}\n";

/* What a failure that was not expected says. */
static void print_error_log(nvPTXCompilerHandle compiler) {
  size_t bytes = 0;
  char* log;
  if (nvPTXCompilerGetErrorLogSize(compiler, &bytes) != NVPTXCOMPILE_SUCCESS || bytes == 0) return;
  log = malloc(bytes);
  if (nvPTXCompilerGetErrorLog(compiler, log) == NVPTXCOMPILE_SUCCESS) printf("%s", log);
  free(log);
}

static void compiles(const char* output) {
  nvPTXCompilerHandle compiler = NULL;
  const char* const options[] = {"--gpu-name=sm_90", "--verbose"};
  size_t bytes = 0, log_bytes = 0;
  char* image;
  FILE* file;
  EXPECT(nvPTXCompilerCreate(&compiler, strlen(kGood), kGood) == NVPTXCOMPILE_SUCCESS);
  EXPECT(nvPTXCompilerGetCompiledProgramSize(compiler, &bytes) ==
         NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
  EXPECT(nvPTXCompilerCompile(compiler, 2, options) == NVPTXCOMPILE_SUCCESS);
  print_error_log(compiler);
  EXPECT(nvPTXCompilerGetErrorLogSize(compiler, &log_bytes) == NVPTXCOMPILE_SUCCESS);
  EXPECT(log_bytes == 0);
  EXPECT(nvPTXCompilerGetCompiledProgramSize(compiler, &bytes) == NVPTXCOMPILE_SUCCESS);
  EXPECT(bytes > 64);
  image = malloc(bytes);
  EXPECT(nvPTXCompilerGetCompiledProgram(compiler, image) == NVPTXCOMPILE_SUCCESS);
  EXPECT(memcmp(image, "\177ELF", 4) == 0);
  file = fopen(output, "wb");
  EXPECT(file != NULL && fwrite(image, 1, bytes, file) == bytes && fclose(file) == 0);
  free(image);
  EXPECT(nvPTXCompilerGetInfoLogSize(compiler, &log_bytes) == NVPTXCOMPILE_SUCCESS);
  if (log_bytes != 0) {
    char* const log = malloc(log_bytes);
    EXPECT(nvPTXCompilerGetInfoLog(compiler, log) == NVPTXCOMPILE_SUCCESS);
    EXPECT(strlen(log) + 1 == log_bytes);
    free(log);
  }
  EXPECT(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_SUCCESS);
  EXPECT(compiler == NULL);
}

static void tells_errors(void) {
  nvPTXCompilerHandle compiler = NULL;
  /* As some write it: option and value apart, and the module with its NUL. */
  const char* const options[] = {"-arch", "sm_80"};
  const char* const unknown[] = {"--no-such-option"};
  size_t bytes = 0;
  EXPECT(nvPTXCompilerCreate(&compiler, sizeof(kBad), kBad) == NVPTXCOMPILE_SUCCESS);
  EXPECT(nvPTXCompilerCompile(compiler, 2, options) == NVPTXCOMPILE_ERROR_COMPILATION_FAILURE);
  EXPECT(nvPTXCompilerGetErrorLogSize(compiler, &bytes) == NVPTXCOMPILE_SUCCESS);
  EXPECT(bytes > 1);
  if (bytes > 1) {
    char* const log = malloc(bytes);
    EXPECT(nvPTXCompilerGetErrorLog(compiler, log) == NVPTXCOMPILE_SUCCESS);
    EXPECT(strlen(log) + 1 == bytes);
    EXPECT(strstr(log, "nowhere") != NULL);
    EXPECT(strstr(log, "line 6") != NULL);
    free(log);
  }
  EXPECT(nvPTXCompilerGetCompiledProgramSize(compiler, &bytes) ==
         NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE);
  EXPECT(nvPTXCompilerCompile(compiler, 1, unknown) == NVPTXCOMPILE_ERROR_INVALID_INPUT);
  EXPECT(nvPTXCompilerCompile(compiler, -1, options) == NVPTXCOMPILE_ERROR_INVALID_INPUT);
  EXPECT(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_SUCCESS);
  EXPECT(nvPTXCompilerDestroy(&compiler) == NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE);
  EXPECT(nvPTXCompilerCompile(NULL, 0, NULL) == NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE);
  EXPECT(nvPTXCompilerCreate(&compiler, 1, NULL) == NVPTXCOMPILE_ERROR_INVALID_INPUT);
}

int main(int argc, char** argv) {
  unsigned int major = 0, minor = 99;
  if (argc != 2) return 2;
  EXPECT(nvPTXCompilerGetVersion(&major, &minor) == NVPTXCOMPILE_SUCCESS);
  printf("version %u.%u\n", major, minor);
  compiles(argv[1]);
  tells_errors();
  return failures != 0;
}
