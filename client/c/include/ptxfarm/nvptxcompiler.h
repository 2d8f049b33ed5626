/* The interface of NVIDIA's PTX Compiler API (CUDA 12 and 13), served by a farm.
 *
 * A program written against <nvPTXCompiler.h> links against libptxfarm_nvptxcompiler unchanged;
 * this header is for those who have no toolkit. What differs from NVIDIA's library is in
 * docs/c-library.md. The farm is that of the environment (ptxfarm.h, ptxfarm_connect with NULL).
 *
 * A handle is for one thread at a time; different handles may be used at once. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nvPTXCompiler* nvPTXCompilerHandle;

typedef enum {
  NVPTXCOMPILE_SUCCESS = 0,
  NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE = 1, /* NULL. */
  NVPTXCOMPILE_ERROR_INVALID_INPUT = 2,           /* An argument or an option. */
  NVPTXCOMPILE_ERROR_COMPILATION_FAILURE = 3,     /* The module; the error log says why. */
  NVPTXCOMPILE_ERROR_INTERNAL = 4,                /* The farm; the error log says why. */
  NVPTXCOMPILE_ERROR_OUT_OF_MEMORY = 5,
  NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE = 6, /* Nothing was compiled yet. */
  NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION = 7,        /* No compiler of the farm reads it. */
  NVPTXCOMPILE_ERROR_UNSUPPORTED_DEVSIDE_SYNC = 8,       /* Not returned here. */
  NVPTXCOMPILE_ERROR_CANCELLED = 9
} nvPTXCompileResult;

/* The release of the newest toolkit whose compiler the farm has: 13 and 0. */
nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int* major, unsigned int* minor);

/* Copies the module; `ptxCodeLen` bytes, whether or not a NUL is among them. */
nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle* compiler, size_t ptxCodeLen,
                                       const char* ptxCode);
/* Sets the handle to NULL. */
nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle* compiler);

/* With ptxas's options; "--gpu-name" (or "-arch") names the target, sm_75 where it isn't given. */
nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler, int numCompileOptions,
                                        const char* const* compileOptions);

nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler,
                                                       size_t* binaryImageSize);
nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler, void* binaryImage);

/* Sizes of logs count the NUL at their end, and are 0 where there is no text: neither a caller who
 * adds a byte for it nor one who doesn't reads or writes past the end. */
nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler, size_t* errorLogSize);
nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler, char* errorLog);
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler, size_t* infoLogSize);
nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler, char* infoLog);

#ifdef __cplusplus
}
#endif
