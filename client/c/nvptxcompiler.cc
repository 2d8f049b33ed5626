// NVIDIA's PTX Compiler API over libptxfarm: a handle is a module, and later a result.
#include <charconv>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "client/c/include/ptxfarm/nvptxcompiler.h"
#include "client/c/include/ptxfarm/ptxfarm.h"

struct nvPTXCompiler {
  std::string source;
  ptxfarm_result* result = nullptr;  // Of the last compile that made an object.
  std::string error_log;
  std::string info_log;

  ~nvPTXCompiler() { ptxfarm_result_free(result); }
};

namespace {

// As ptxas of CUDA 13 has it.
constexpr const char* kDefaultTarget = "sm_75";

// One connection for the process, made with the first use: programs make a handle a kernel.
class SharedFarm {
 public:
  // Null where there is none; `why` says why. Asked anew the next time.
  const ptxfarm_farm* Get(std::string& why) {
    const std::lock_guard lock(mutex_);
    if (farm_ != nullptr) return farm_;
    ptxfarm_error* error = nullptr;
    if (ptxfarm_connect(nullptr, &farm_, &error) != PTXFARM_OK && error != nullptr)
      why = ptxfarm_error_message(error);
    ptxfarm_error_free(error);
    return farm_;
  }

 private:
  std::mutex mutex_;
  ptxfarm_farm* farm_ = nullptr;  // Lives as long as the process.
};

SharedFarm& Farm() {
  static SharedFarm* const farm = new SharedFarm;  // Never destroyed: other threads may be in it.
  return *farm;
}

// Runs a body that may find memory out.
template <typename Body>
nvPTXCompileResult Guard(const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return NVPTXCOMPILE_ERROR_INTERNAL;
  }
}

struct CompileWords {
  std::string target = kDefaultTarget;
  std::vector<std::string> options;
};

// The target stands among ptxas's options; to a farm it is a field of its own. What else there is,
// and whether it is right, the farm says. INVALID_ARGUMENT where the target's name is missing.
ptxfarm::Result<CompileWords> Split(int count, const char* const* words) {
  CompileWords split;
  for (int i = 0; i < count; ++i) {
    const std::string_view word = words[i];
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    if (name != "--gpu-name" && name != "-gpu-name" && name != "-arch" && name != "--arch") {
      split.options.emplace_back(word);
    } else if (equals != std::string_view::npos) {
      split.target = word.substr(equals + 1);
    } else if (++i < count) {
      split.target = words[i];
    } else {
      return ptxfarm::MakeError(ptxfarm::Code::kInvalidArgument,
                                "option '{}' names no target: write {}=sm_90", word, word);
    }
  }
  return split;
}

// The faults in ptxas's form, in the lines of the module as it was handed in; the compiler's own
// log counts those of the text that the farm compiled. Without a place, the log says it best.
std::string ErrorsOf(const ptxfarm_target* target) {
  std::string text;
  bool has_place = false;
  for (size_t i = 0; i < ptxfarm_target_diagnostic_count(target); ++i) {
    const ptxfarm_diagnostic* const diagnostic = ptxfarm_target_diagnostic(target, i);
    if (diagnostic->severity != PTXFARM_SEVERITY_ERROR) continue;
    has_place = has_place || diagnostic->line != 0;
    text += diagnostic->line == 0
                ? fmt::format("ptxas fatal   : {}\n", diagnostic->message)
                : fmt::format("ptxas application ptx input, line {}; error   : {}\n",
                              diagnostic->line, diagnostic->message);
  }
  if (has_place) return text + "ptxas fatal   : Ptx assembly aborted due to errors\n";
  const std::string log = ptxfarm_target_log(target);
  return log.empty() ? text : log;
}

nvPTXCompileResult ResultOf(ptxfarm_outcome outcome) {
  switch (outcome) {
    case PTXFARM_OUTCOME_OK: return NVPTXCOMPILE_SUCCESS;
    case PTXFARM_OUTCOME_INPUT_ERROR:
    case PTXFARM_OUTCOME_RESOURCE_LIMIT: return NVPTXCOMPILE_ERROR_COMPILATION_FAILURE;
    case PTXFARM_OUTCOME_TOOLCHAIN_TOO_OLD: return NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION;
    case PTXFARM_OUTCOME_CANCELLED: return NVPTXCOMPILE_ERROR_CANCELLED;
    case PTXFARM_OUTCOME_CRASHED:
    case PTXFARM_OUTCOME_SERVICE_LIMIT:
    case PTXFARM_OUTCOME_FAULT: return NVPTXCOMPILE_ERROR_INTERNAL;
  }
  return NVPTXCOMPILE_ERROR_INTERNAL;
}

nvPTXCompileResult Failed(nvPTXCompiler& compiler, ptxfarm_status status, ptxfarm_error* error) {
  if (error != nullptr) compiler.error_log = ptxfarm_error_message(error);
  ptxfarm_error_free(error);
  return status == PTXFARM_INVALID_ARGUMENT ? NVPTXCOMPILE_ERROR_INVALID_INPUT
         : status == PTXFARM_CANCELLED      ? NVPTXCOMPILE_ERROR_CANCELLED
                                            : NVPTXCOMPILE_ERROR_INTERNAL;
}

nvPTXCompileResult Compile(nvPTXCompiler& compiler, const CompileWords& words) {
  const ptxfarm_farm* const farm = Farm().Get(compiler.error_log);
  if (farm == nullptr) return NVPTXCOMPILE_ERROR_INTERNAL;
  std::vector<const char*> options;
  for (const std::string& option : words.options) options.push_back(option.c_str());
  const char* const targets[] = {words.target.c_str()};
  ptxfarm_compile_options request = PTXFARM_COMPILE_OPTIONS_INIT;
  request.source = compiler.source.data();
  request.source_bytes = compiler.source.size();
  request.targets = targets;
  request.target_count = 1;
  request.options = options.data();
  request.option_count = options.size();
  ptxfarm_error* error = nullptr;
  ptxfarm_result* result = nullptr;
  const ptxfarm_status status = ptxfarm_compile(farm, &request, nullptr, &result, &error);
  if (status != PTXFARM_OK) return Failed(compiler, status, error);
  const ptxfarm_target* const target = ptxfarm_result_target(result, 0);
  const nvPTXCompileResult outcome = ResultOf(ptxfarm_target_outcome(target));
  if (outcome == NVPTXCOMPILE_SUCCESS) {
    compiler.info_log = ptxfarm_target_log(target);
    compiler.result = result;
    return outcome;
  }
  compiler.error_log = ErrorsOf(target);
  ptxfarm_result_free(result);
  return outcome;
}

const ptxfarm_target* ObjectOf(const nvPTXCompiler& compiler) {
  return compiler.result == nullptr ? nullptr : ptxfarm_result_target(compiler.result, 0);
}

nvPTXCompileResult LogSize(const nvPTXCompiler* compiler, const std::string nvPTXCompiler::*log,
                           size_t* bytes) {
  if (compiler == nullptr) return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (bytes == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  const std::string& text = compiler->*log;
  *bytes = text.empty() ? 0 : text.size() + 1;
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult CopyLog(const nvPTXCompiler* compiler, const std::string nvPTXCompiler::*log,
                           char* into) {
  if (compiler == nullptr) return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (into == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  const std::string& text = compiler->*log;
  if (!text.empty()) std::memcpy(into, text.c_str(), text.size() + 1);
  return NVPTXCOMPILE_SUCCESS;
}

}  // namespace

nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int* major, unsigned int* minor) {
  if (major == nullptr || minor == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  return Guard([&] {
    std::string why;
    const ptxfarm_farm* const farm = Farm().Get(why);
    ptxfarm_capabilities* capabilities = nullptr;
    if (farm == nullptr ||
        ptxfarm_get_capabilities(farm, nullptr, &capabilities, nullptr) != PTXFARM_OK)
      return NVPTXCOMPILE_ERROR_INTERNAL;
    nvPTXCompileResult found = NVPTXCOMPILE_ERROR_INTERNAL;  // Where no worker has a toolkit.
    for (size_t i = ptxfarm_capabilities_compiler_count(capabilities); i-- > 0;) {
      const ptxfarm_compiler* const compiler = ptxfarm_capabilities_compiler(capabilities, i);
      if (std::strcmp(compiler->backend, "ptxas") != 0) continue;
      const char* const end = compiler->version + std::strlen(compiler->version);
      const auto [dot, bad] = std::from_chars(compiler->version, end, *major);
      if (bad != std::errc() || dot == end) break;
      if (std::from_chars(dot + 1, end, *minor).ec == std::errc()) found = NVPTXCOMPILE_SUCCESS;
      break;
    }
    ptxfarm_capabilities_free(capabilities);
    return found;
  });
}

nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle* compiler, size_t ptxCodeLen,
                                       const char* ptxCode) {
  if (compiler == nullptr || ptxCode == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  *compiler = nullptr;
  return Guard([&] {
    *compiler = new nvPTXCompiler{.source = std::string(ptxCode, ptxCodeLen)};
    return NVPTXCOMPILE_SUCCESS;
  });
}

nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle* compiler) {
  if (compiler == nullptr || *compiler == nullptr)
    return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  delete *compiler;
  *compiler = nullptr;
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler, int numCompileOptions,
                                        const char* const* compileOptions) {
  if (compiler == nullptr) return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (numCompileOptions < 0 || (numCompileOptions > 0 && compileOptions == nullptr))
    return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  for (int i = 0; i < numCompileOptions; ++i)
    if (compileOptions[i] == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  return Guard([&] {
    ptxfarm_result_free(std::exchange(compiler->result, nullptr));
    compiler->error_log.clear();
    compiler->info_log.clear();
    const ptxfarm::Result<CompileWords> words = Split(numCompileOptions, compileOptions);
    if (words) return Compile(*compiler, *words);
    compiler->error_log = fmt::format("ptxas fatal   : {}\n", words.error().message);
    return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  });
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler,
                                                       size_t* binaryImageSize) {
  if (compiler == nullptr) return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (binaryImageSize == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  const ptxfarm_target* const object = ObjectOf(*compiler);
  if (object == nullptr) return NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
  *binaryImageSize = ptxfarm_target_object_bytes(object);
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler,
                                                   void* binaryImage) {
  if (compiler == nullptr) return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (binaryImage == nullptr) return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  const ptxfarm_target* const object = ObjectOf(*compiler);
  if (object == nullptr) return NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
  std::memcpy(binaryImage, ptxfarm_target_object(object), ptxfarm_target_object_bytes(object));
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler,
                                                size_t* errorLogSize) {
  return LogSize(compiler, &nvPTXCompiler::error_log, errorLogSize);
}
nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler, char* errorLog) {
  return CopyLog(compiler, &nvPTXCompiler::error_log, errorLog);
}
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler, size_t* infoLogSize) {
  return LogSize(compiler, &nvPTXCompiler::info_log, infoLogSize);
}
nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler, char* infoLog) {
  return CopyLog(compiler, &nvPTXCompiler::info_log, infoLog);
}
