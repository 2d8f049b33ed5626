/* libptxfarm: PTX goes in; cubins, a fat binary, diagnostics and resource figures come out.
 *
 *   ptxfarm_farm *farm;
 *   ptxfarm_result *result;
 *   const char *targets[] = {"sm_90a"};
 *   ptxfarm_compile_options options = PTXFARM_COMPILE_OPTIONS_INIT;
 *   options.source = ptx;
 *   options.source_bytes = strlen(ptx);
 *   options.targets = targets;
 *   options.target_count = 1;
 *   if (ptxfarm_connect(NULL, &farm, NULL) == PTXFARM_OK &&
 *       ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK) {
 *     const ptxfarm_target *target = ptxfarm_result_target(result, 0);
 *     if (ptxfarm_target_outcome(target) == PTXFARM_OUTCOME_OK)
 *       load(ptxfarm_target_object(target), ptxfarm_target_object_bytes(target));
 *     ptxfarm_result_free(result);
 *   }
 *   ptxfarm_farm_free(farm);
 *
 * Rules for all of it:
 * - C11 and C++. The ABI is stable: symbols have versions, structs that a caller fills begin with
 *   their size, structs that the library fills are read through pointers and only grow at the end,
 *   enumerators keep their values and new ones may come.
 * - Who makes an object frees it with the function named after it; freeing NULL does nothing. What
 *   a getter returns belongs to the object it was asked of, and lives as long. What is handed in is
 *   read during the call and not kept.
 * - Text is UTF-8 and ends in NUL. A text that there is none of is "", never NULL.
 * - Every function may be called from any thread, and several at once on one ptxfarm_farm,
 *   ptxfarm_cancel or ptxfarm_result; an object must outlive the calls that use it.
 * - No exception comes out, no signal handler is installed, and nothing is printed but what gRPC
 *   itself may say of connections on standard error ($GRPC_VERBOSITY=NONE: nothing). A broken
 *   invariant of our own aborts the process with a line that names it.
 * - After fork() a child uses only objects that it made itself, and makes them only if the parent
 *   had made none: gRPC has threads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions and errors ---------------------------------------------------------------------*/

/* Raised when functions or fields are added; what was there stays. */
#define PTXFARM_ABI_VERSION 2

/* PTXFARM_ABI_VERSION of the library that was loaded. */
uint32_t ptxfarm_abi_version(void);
/* "0.1.0": the release that the library is of. */
const char* ptxfarm_version(void);

/* What a call came to: gRPC's canonical codes. */
typedef enum ptxfarm_status {
  PTXFARM_OK = 0,
  PTXFARM_CANCELLED = 1, /* By ptxfarm_cancel_request. */
  PTXFARM_UNKNOWN = 2,
  PTXFARM_INVALID_ARGUMENT = 3, /* The request is wrong; the message says where. */
  PTXFARM_DEADLINE_EXCEEDED = 4,
  PTXFARM_NOT_FOUND = 5, /* A file, or the program of the local farm. */
  PTXFARM_ALREADY_EXISTS = 6,
  PTXFARM_PERMISSION_DENIED = 7,  /* The token's roles don't allow it. */
  PTXFARM_RESOURCE_EXHAUSTED = 8, /* A limit, a quota, or memory. */
  PTXFARM_FAILED_PRECONDITION = 9,
  PTXFARM_ABORTED = 10,
  PTXFARM_OUT_OF_RANGE = 11,
  PTXFARM_UNIMPLEMENTED = 12,
  PTXFARM_INTERNAL = 13,
  PTXFARM_UNAVAILABLE = 14, /* No farm answers. */
  PTXFARM_DATA_LOSS = 15,
  PTXFARM_UNAUTHENTICATED = 16 /* A token is wanted, or this one isn't known. */
} ptxfarm_status;

typedef struct ptxfarm_error ptxfarm_error;

ptxfarm_status ptxfarm_error_status(const ptxfarm_error* error);
/* What went wrong and, where that is known, what to do; one or more lines. */
const char* ptxfarm_error_message(const ptxfarm_error* error);
void ptxfarm_error_free(ptxfarm_error* error);

/* The functions below that return a status take `error` last. It may be NULL. Else it is set: to
 * NULL when all is well, to an error that the caller frees when not. Then the output is NULL too.
 */

/* ---- The farm --------------------------------------------------------------------------------*/

typedef struct ptxfarm_farm ptxfarm_farm;

typedef struct ptxfarm_connect_options {
  size_t struct_bytes; /* Set by PTXFARM_CONNECT_OPTIONS_INIT. */
  /* "host:port", "[ipv6]:port" or "unix:/path"; NULL or "" for the farm of this user on this
   * machine, which is started where it doesn't run. */
  const char* server;
  const char* token_file; /* One line: the token that says who asks. NULL for none. */
  const char* tls_ca;     /* PEM file: whom to trust. With this or `tls`, TCP is encrypted. */
  const char* tls_cert;   /* PEM files: who we are, for servers that ask. Both or none. */
  const char* tls_key;
  const char* tls_name;        /* The name in the server's certificate, where `server` isn't it. */
  int tls;                     /* Not 0: TLS, with the authorities that this system trusts. */
  int plaintext;               /* Not 0: allow TCP without TLS to other machines. */
  uint32_t connect_timeout_ms; /* How long a server may take to answer at all; 0: 10 s. */
  uint32_t attempts_max;       /* Tries of a call whose server is away or full; 0: 5. */
  /* The program of the local farm; NULL to look for it beside the library as installed, and in
   * $PTXFARM_SERVE. */
  const char* serve_program;
} ptxfarm_connect_options;

#define PTXFARM_CONNECT_OPTIONS_INIT \
  { sizeof(ptxfarm_connect_options), NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL }

/* Reads the files named, starts the local farm if it is that; a server is connected to by the first
 * call. With NULL options the environment says what `ptxfarm` too reads there: PTXFARM_SERVER,
 * PTXFARM_TOKEN_FILE, PTXFARM_TLS, PTXFARM_TLS_CA, PTXFARM_TLS_CERT, PTXFARM_TLS_KEY,
 * PTXFARM_TLS_NAME, PTXFARM_PLAINTEXT. */
ptxfarm_status ptxfarm_connect(const ptxfarm_connect_options* options, ptxfarm_farm** farm,
                               ptxfarm_error** error);
void ptxfarm_farm_free(ptxfarm_farm* farm);

/* ---- Cancelling ------------------------------------------------------------------------------*/

typedef struct ptxfarm_cancel ptxfarm_cancel;

/* NULL only where memory is out. One may serve many calls, one after the other or at once. */
ptxfarm_cancel* ptxfarm_cancel_new(void);
/* Ends the calls that it was given to, and those that it will be; from any thread. */
void ptxfarm_cancel_request(ptxfarm_cancel* cancel);
void ptxfarm_cancel_free(ptxfarm_cancel* cancel);

/* ---- Compiling -------------------------------------------------------------------------------*/

typedef struct ptxfarm_result ptxfarm_result;
typedef struct ptxfarm_target ptxfarm_target;

typedef struct ptxfarm_compile_options {
  size_t struct_bytes; /* Set by PTXFARM_COMPILE_OPTIONS_INIT. */
  const char* source;  /* The module; needs no NUL at its end. */
  size_t source_bytes;
  const char* const* targets; /* "sm_90a"; "compute_90" (a PTX member; with `fatbin` only). */
  size_t target_count;
  const char* const*
      options; /* Words of ptxas, in any of its spellings: "-O3", "--maxrregcount=64". */
  size_t option_count;
  int no_cubins;        /* Not 0: the fat binary alone is wanted. */
  int fatbin;           /* Not 0: one fat binary of all targets too. */
  const char* compiler; /* "ptxas@13.0"; NULL for the newest that fits. */
  int32_t priority;     /* Higher goes first among the work of one tenant. */
  int recompile;        /* Not 0: compile even where a result is stored. */
  uint64_t deadline_ms; /* Of the whole call; 0 for none. */
  /* Since ABI 2. Not 0: the compiler is the judge of the module, not the farm's verifier. */
  int unverified;
} ptxfarm_compile_options;

#define PTXFARM_COMPILE_OPTIONS_INIT \
  { sizeof(ptxfarm_compile_options), NULL, 0, NULL, 0, NULL, 0, 0, 0, NULL, 0, 0, 0, 0 }

/* Compiles a module for each target, and waits for that. `cancel` may be NULL.
 *
 * A target that fails is part of the result, with its outcome and diagnostics, and leaves the
 * others unharmed: PTXFARM_OK says only that the farm answered. Another status means that no target
 * was answered, and there is no result. */
ptxfarm_status ptxfarm_compile(const ptxfarm_farm* farm, const ptxfarm_compile_options* options,
                               ptxfarm_cancel* cancel, ptxfarm_result** result,
                               ptxfarm_error** error);
void ptxfarm_result_free(ptxfarm_result* result);

/* One a target asked, without duplicates, in the order asked. NULL beyond the count. */
size_t ptxfarm_result_target_count(const ptxfarm_result* result);
const ptxfarm_target* ptxfarm_result_target(const ptxfarm_result* result, size_t index);
/* The fat binary, as a target named "fatbin"; NULL where none was asked. */
const ptxfarm_target* ptxfarm_result_fatbin(const ptxfarm_result* result);

typedef enum ptxfarm_outcome {
  PTXFARM_OUTCOME_OK = 0,
  PTXFARM_OUTCOME_INPUT_ERROR = 1,    /* The module, or the request for this target, is wrong. */
  PTXFARM_OUTCOME_RESOURCE_LIMIT = 2, /* More memory or registers than the target has. */
  PTXFARM_OUTCOME_TOOLCHAIN_TOO_OLD =
      3,                             /* No compiler here can; the diagnostic says which could. */
  PTXFARM_OUTCOME_CRASHED = 4,       /* The compiler died or gave garbage. */
  PTXFARM_OUTCOME_SERVICE_LIMIT = 5, /* Time, memory or output size ran out. */
  PTXFARM_OUTCOME_CANCELLED = 6,
  PTXFARM_OUTCOME_FAULT = 7 /* Of the farm. */
} ptxfarm_outcome;

typedef enum ptxfarm_served {
  PTXFARM_SERVED_HIT = 0,   /* Stored before. */
  PTXFARM_SERVED_MISS = 1,  /* Compiled for this call. */
  PTXFARM_SERVED_JOINED = 2 /* Compiled for another call that asked at the same time. */
} ptxfarm_served;

const char* ptxfarm_target_name(const ptxfarm_target* target);
ptxfarm_outcome ptxfarm_target_outcome(const ptxfarm_target* target);
ptxfarm_served ptxfarm_target_served(const ptxfarm_target* target);
/* The cubin or fat binary, checked against its digest; NULL and 0 where there is none. */
const void* ptxfarm_target_object(const ptxfarm_target* target);
size_t ptxfarm_target_object_bytes(const ptxfarm_target* target);
/* The compiler's own words. */
const char* ptxfarm_target_log(const ptxfarm_target* target);
/* "ptxas 13.0.88"; "" where nothing compiled. */
const char* ptxfarm_target_compiler(const ptxfarm_target* target);
/* From the farm's receipt of the request to this result. */
uint64_t ptxfarm_target_elapsed_us(const ptxfarm_target* target);

typedef enum ptxfarm_severity {
  PTXFARM_SEVERITY_ERROR = 0,
  PTXFARM_SEVERITY_WARNING = 1,
  PTXFARM_SEVERITY_NOTE = 2
} ptxfarm_severity;

typedef struct ptxfarm_diagnostic {
  ptxfarm_severity severity;
  uint32_t line;       /* From 1, in the module as handed in; 0 where the place isn't known. */
  uint32_t column;     /* From 1, in bytes. */
  uint32_t length;     /* Of what is marked, in bytes; 0 for a point. */
  const char* kind;    /* A stable word for programs: "needs-target". */
  const char* message; /* One line. */
  const char* hint;    /* What to write instead. */
  const char* section; /* Of the PTX manual: "9.7.1.1". */
} ptxfarm_diagnostic;

/* Sorted by place. NULL beyond the count. */
size_t ptxfarm_target_diagnostic_count(const ptxfarm_target* target);
const ptxfarm_diagnostic* ptxfarm_target_diagnostic(const ptxfarm_target* target, size_t index);

typedef struct ptxfarm_kernel {
  const char* name;
  int is_entry;       /* 0: a device function of a relocatable object. */
  uint32_t registers; /* A thread. */
  uint32_t barriers;
  uint32_t threads_max;       /* A CTA, where the module says so; else 0. */
  uint64_t shared_bytes;      /* Static, a CTA, without what the target reserves. */
  uint64_t frame_bytes;       /* A thread, of the function itself. */
  uint64_t stack_bytes;       /* A thread, of the deepest chain of calls from it. */
  uint64_t spill_store_bytes; /* A thread. */
  uint64_t spill_load_bytes;  /* A thread. */
  uint64_t parameter_bytes;
  uint64_t code_bytes;
} ptxfarm_kernel;

/* In the order of their names. NULL beyond the count. */
size_t ptxfarm_target_kernel_count(const ptxfarm_target* target);
const ptxfarm_kernel* ptxfarm_target_kernel(const ptxfarm_target* target, size_t index);

/* ---- What the farm can -----------------------------------------------------------------------*/

typedef struct ptxfarm_capabilities ptxfarm_capabilities;

ptxfarm_status ptxfarm_get_capabilities(const ptxfarm_farm* farm, ptxfarm_cancel* cancel,
                                        ptxfarm_capabilities** capabilities, ptxfarm_error** error);
void ptxfarm_capabilities_free(ptxfarm_capabilities* capabilities);

/* The release of the farm's server. */
const char* ptxfarm_capabilities_server_version(const ptxfarm_capabilities* capabilities);
/* Each target that a compiler here compiles for, once: "sm_75", …. NULL beyond the count. */
size_t ptxfarm_capabilities_target_count(const ptxfarm_capabilities* capabilities);
const char* ptxfarm_capabilities_target(const ptxfarm_capabilities* capabilities, size_t index);

typedef struct ptxfarm_compiler {
  const char* name;           /* "ptxas@13.0.88", as ptxfarm_compile_options.compiler takes it. */
  const char* backend;        /* "ptxas" */
  const char* version;        /* "13.0.88" */
  uint32_t ptx_version_major; /* The newest PTX that it reads. */
  uint32_t ptx_version_minor;
} ptxfarm_compiler;

/* Newest last. NULL beyond the count. */
size_t ptxfarm_capabilities_compiler_count(const ptxfarm_capabilities* capabilities);
const ptxfarm_compiler* ptxfarm_capabilities_compiler(const ptxfarm_capabilities* capabilities,
                                                      size_t index);

#ifdef __cplusplus
}
#endif
