/* Uses all of libptxfarm from C, against the farm that the environment names. Prints what failed,
 * and exits with 1. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ptxfarm/ptxfarm.h>

#include "expect.h"

static const char kGood[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p) {\n"
    ".reg .u64 %rd;\n.reg .u32 %r;\nld.param.u64 %rd, [p];\nmov.u32 %r, %tid.x;\n"
    "st.global.u32 [%rd], %r;\nret;\n}\n";

/* Line 6 names a register that there isn't. */
static const char kBad[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry bad(.param .u64 p) {\n"
    ".reg .u32 %r;\nmov.u32 %r, %nowhere;\nret;\n}\n";

static ptxfarm_compile_options request(const char* source, const char* const* targets,
                                       size_t target_count) {
  ptxfarm_compile_options options = PTXFARM_COMPILE_OPTIONS_INIT;
  options.source = source;
  options.source_bytes = strlen(source);
  options.targets = targets;
  options.target_count = target_count;
  return options;
}

static void compiles_and_describes(const ptxfarm_farm* farm) {
  const char* const targets[] = {"sm_80", "sm_90"};
  const char* const words[] = {"-O3", "--maxrregcount=32"};
  ptxfarm_compile_options options = request(kGood, targets, 2);
  ptxfarm_result* result = NULL;
  ptxfarm_error* error = NULL;
  size_t i;
  options.options = words;
  options.option_count = 2;
  options.fatbin = 1;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, &error) == PTXFARM_OK);
  EXPECT(error == NULL);
  if (result == NULL) return;
  EXPECT(ptxfarm_result_target_count(result) == 2);
  EXPECT(ptxfarm_result_target(result, 2) == NULL);
  for (i = 0; i < 2; ++i) {
    const ptxfarm_target* const target = ptxfarm_result_target(result, i);
    EXPECT(strcmp(ptxfarm_target_name(target), targets[i]) == 0);
    EXPECT(ptxfarm_target_outcome(target) == PTXFARM_OUTCOME_OK);
    EXPECT(ptxfarm_target_object_bytes(target) > 64);
    EXPECT(memcmp(ptxfarm_target_object(target), "\177ELF", 4) == 0);
    EXPECT(strncmp(ptxfarm_target_compiler(target), "ptxas ", 6) == 0);
    EXPECT(ptxfarm_target_kernel_count(target) == 1);
    EXPECT(strcmp(ptxfarm_target_kernel(target, 0)->name, "twice") == 0);
    EXPECT(ptxfarm_target_kernel(target, 0)->is_entry);
    EXPECT(ptxfarm_target_kernel(target, 0)->registers > 0);
    EXPECT(ptxfarm_target_kernel(target, 1) == NULL);
    EXPECT(ptxfarm_target_diagnostic(target, 1000) == NULL);
  }
  EXPECT(ptxfarm_result_fatbin(result) != NULL);
  EXPECT(ptxfarm_target_outcome(ptxfarm_result_fatbin(result)) == PTXFARM_OUTCOME_OK);
  EXPECT(ptxfarm_target_object_bytes(ptxfarm_result_fatbin(result)) > 64);
  ptxfarm_result_free(result);

  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK);
  if (result == NULL) return;
  EXPECT(ptxfarm_target_served(ptxfarm_result_target(result, 0)) == PTXFARM_SERVED_HIT);
  ptxfarm_result_free(result);
}

static void says_what_is_wrong_with_a_module(const ptxfarm_farm* farm) {
  const char* const targets[] = {"sm_80"};
  const ptxfarm_compile_options options = request(kBad, targets, 1);
  ptxfarm_result* result = NULL;
  size_t i;
  int says_what = 0;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK);
  if (result == NULL) return;
  {
    const ptxfarm_target* const target = ptxfarm_result_target(result, 0);
    const ptxfarm_diagnostic* const first = ptxfarm_target_diagnostic(target, 0);
    EXPECT(ptxfarm_target_outcome(target) == PTXFARM_OUTCOME_INPUT_ERROR);
    EXPECT(ptxfarm_target_object(target) == NULL);
    EXPECT(ptxfarm_target_object_bytes(target) == 0);
    for (i = 0; i < ptxfarm_target_diagnostic_count(target); ++i)
      says_what |= strstr(ptxfarm_target_diagnostic(target, i)->message, "nowhere") != NULL;
    EXPECT(says_what);
    EXPECT(first != NULL);
    if (first != NULL) {
      EXPECT(first->severity == PTXFARM_SEVERITY_ERROR);
      EXPECT(first->line == 6);
      EXPECT(first->message[0] != '\0');
      EXPECT(first->kind[0] != '\0');
      EXPECT(first->hint != NULL && first->section != NULL);
    }
  }
  ptxfarm_result_free(result);
}

static void leaves_the_verdict_to_the_compiler(const ptxfarm_farm* farm) {
  const char* const targets[] = {"sm_80"};
  ptxfarm_compile_options options = request(kBad, targets, 1);
  ptxfarm_result* result = NULL;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK);
  if (result == NULL) return;
  EXPECT(ptxfarm_target_compiler(ptxfarm_result_target(result, 0))[0] == '\0');
  ptxfarm_result_free(result);

  options.unverified = 1;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK);
  if (result == NULL) return;
  EXPECT(ptxfarm_target_outcome(ptxfarm_result_target(result, 0)) == PTXFARM_OUTCOME_INPUT_ERROR);
  EXPECT(strncmp(ptxfarm_target_compiler(ptxfarm_result_target(result, 0)), "ptxas ", 6) == 0);
  ptxfarm_result_free(result);
}

static void refuses_wrong_requests(const ptxfarm_farm* farm) {
  const char* const targets[] = {"sm_80", NULL};
  const char* const unknown[] = {"--no-such-option"};
  ptxfarm_compile_options options = request(kGood, targets, 2);
  ptxfarm_result* result = (ptxfarm_result*)&options; /* Set to NULL on failure. */
  ptxfarm_error* error = NULL;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, &error) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(result == NULL);
  EXPECT(ptxfarm_error_status(error) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(strstr(ptxfarm_error_message(error), "targets[1]") != NULL);
  ptxfarm_error_free(error);

  options = request(kGood, targets, 1);
  options.options = unknown;
  options.option_count = 1;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, &error) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(strstr(ptxfarm_error_message(error), "no-such-option") != NULL);
  ptxfarm_error_free(error);

  options.struct_bytes = 0;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_INVALID_ARGUMENT);
  options = request(kGood, targets, 1);
  options.source = NULL;
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(ptxfarm_compile(farm, NULL, NULL, &result, NULL) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(ptxfarm_compile(NULL, &options, NULL, &result, NULL) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(ptxfarm_compile(farm, &options, NULL, NULL, NULL) == PTXFARM_INVALID_ARGUMENT);

  /* A caller that was built against a shorter struct, and one against a longer. */
  options = request(kGood, targets, 1);
  options.struct_bytes = offsetof(ptxfarm_compile_options, no_cubins);
  options.no_cubins = 1; /* Beyond its end: not read. */
  EXPECT(ptxfarm_compile(farm, &options, NULL, &result, NULL) == PTXFARM_OK);
  EXPECT(ptxfarm_target_object_bytes(ptxfarm_result_target(result, 0)) > 64);
  ptxfarm_result_free(result);
}

static void knows_what_the_farm_can(const ptxfarm_farm* farm) {
  ptxfarm_capabilities* capabilities = NULL;
  size_t i;
  int has_sm_90 = 0;
  EXPECT(ptxfarm_get_capabilities(farm, NULL, &capabilities, NULL) == PTXFARM_OK);
  if (capabilities == NULL) return;
  for (i = 0; i < ptxfarm_capabilities_target_count(capabilities); ++i)
    has_sm_90 |= strcmp(ptxfarm_capabilities_target(capabilities, i), "sm_90") == 0;
  EXPECT(has_sm_90);
  EXPECT(ptxfarm_capabilities_target(capabilities, i) == NULL);
  EXPECT(ptxfarm_capabilities_compiler_count(capabilities) >= 1);
  EXPECT(strncmp(ptxfarm_capabilities_compiler(capabilities, 0)->name, "ptxas@", 6) == 0);
  EXPECT(ptxfarm_capabilities_compiler(capabilities, 0)->ptx_version_major >= 7);
  EXPECT(ptxfarm_capabilities_compiler(capabilities, 1000) == NULL);
  EXPECT(strcmp(ptxfarm_capabilities_server_version(capabilities), ptxfarm_version()) == 0);
  ptxfarm_capabilities_free(capabilities);
}

static void says_when_no_farm_answers(void) {
  ptxfarm_connect_options options = PTXFARM_CONNECT_OPTIONS_INIT;
  ptxfarm_farm* farm = NULL;
  ptxfarm_capabilities* capabilities = NULL;
  ptxfarm_error* error = NULL;
  options.server = "unix:/nowhere/at/all.sock";
  options.attempts_max = 1;
  options.connect_timeout_ms = 5000;
  EXPECT(ptxfarm_connect(&options, &farm, &error) == PTXFARM_OK);
  EXPECT(ptxfarm_get_capabilities(farm, NULL, &capabilities, &error) == PTXFARM_UNAVAILABLE);
  EXPECT(strstr(ptxfarm_error_message(error), "/nowhere/at/all.sock") != NULL);
  EXPECT(capabilities == NULL);
  ptxfarm_error_free(error);
  ptxfarm_farm_free(farm);
  options.server = "no address";
  EXPECT(ptxfarm_connect(&options, &farm, NULL) == PTXFARM_INVALID_ARGUMENT);
  EXPECT(farm == NULL);
}

/* ---- From several threads -------------------------------------------------------------------- */

struct call {
  const ptxfarm_farm* farm;
  ptxfarm_cancel* cancel;
  const char* source;
  ptxfarm_status status;
  ptxfarm_outcome outcome;
};

static void* compile_in_thread(void* argument) {
  struct call* const call = argument;
  const char* const targets[] = {"sm_90"};
  ptxfarm_compile_options options = request(call->source, targets, 1);
  ptxfarm_result* result = NULL;
  options.recompile = call->cancel != NULL;
  call->status = ptxfarm_compile(call->farm, &options, call->cancel, &result, NULL);
  if (result != NULL) call->outcome = ptxfarm_target_outcome(ptxfarm_result_target(result, 0));
  ptxfarm_result_free(result);
  return NULL;
}

static void serves_many_threads(const ptxfarm_farm* farm) {
  enum { kThreads = 8 };
  pthread_t threads[kThreads];
  struct call calls[kThreads];
  int i;
  for (i = 0; i < kThreads; ++i) {
    calls[i] = (struct call){.farm = farm, .source = kGood, .status = PTXFARM_UNKNOWN};
    pthread_create(&threads[i], NULL, compile_in_thread, &calls[i]);
  }
  for (i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(calls[i].status == PTXFARM_OK && calls[i].outcome == PTXFARM_OUTCOME_OK);
  }
}

/* The module of a file, which compiles for a long time; its thread is in the call, or will be. */
static void cancels_from_another_thread(const ptxfarm_farm* farm, const char* file) {
  FILE* const stream = fopen(file, "rb");
  static char source[1 << 20];
  pthread_t thread;
  struct call call = {.farm = farm, .source = source, .status = PTXFARM_UNKNOWN};
  EXPECT(stream != NULL);
  if (stream == NULL) return;
  source[fread(source, 1, sizeof(source) - 1, stream)] = '\0';
  fclose(stream);
  call.cancel = ptxfarm_cancel_new();
  pthread_create(&thread, NULL, compile_in_thread, &call);
  ptxfarm_cancel_request(call.cancel);
  pthread_join(thread, NULL);
  EXPECT(call.status == PTXFARM_CANCELLED ||
         (call.status == PTXFARM_OK && call.outcome == PTXFARM_OUTCOME_CANCELLED));
  ptxfarm_cancel_free(call.cancel);
}

int main(int argc, char** argv) {
  ptxfarm_farm* farm = NULL;
  ptxfarm_error* error = NULL;
  EXPECT(ptxfarm_abi_version() == PTXFARM_ABI_VERSION);
  EXPECT(ptxfarm_version()[0] != '\0');
  ptxfarm_error_free(NULL);
  ptxfarm_farm_free(NULL);
  ptxfarm_cancel_free(NULL);
  ptxfarm_result_free(NULL);
  ptxfarm_capabilities_free(NULL);
  says_when_no_farm_answers();
  if (argc < 2) { /* No farm here. */
    printf("libptxfarm %s\n", ptxfarm_version());
    return failures != 0;
  }
  if (ptxfarm_connect(NULL, &farm, &error) != PTXFARM_OK) {
    printf("connect: %s\n", ptxfarm_error_message(error));
    return 1;
  }
  compiles_and_describes(farm);
  says_what_is_wrong_with_a_module(farm);
  leaves_the_verdict_to_the_compiler(farm);
  refuses_wrong_requests(farm);
  knows_what_the_farm_can(farm);
  serves_many_threads(farm);
  cancels_from_another_thread(farm, argv[1]);
  ptxfarm_farm_free(farm);
  return failures != 0;
}
