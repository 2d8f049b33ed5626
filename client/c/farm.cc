#include "client/c/farm.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "base/version.h"
#include "client/c/guard.h"
#include "client/local/local_farm.h"
#include "client/local/process.h"

namespace ptxfarm::c_api {
namespace {

constexpr std::string_view kServeVariable = "PTXFARM_SERVE";
// As the CLI's --farm-idle-time.
constexpr const char* kIdleTime = "10m";

const char* Environment(const char* name) { return TextOf(std::getenv(name)); }

// As options of the CLI read it: "", "0", "no", "off" and "false" are no.
int IsOn(const char* name) {
  const std::string_view text = Environment(name);
  return text != "" && text != "0" && text != "no" && text != "off" && text != "false" ? 1 : 0;
}

ptxfarm_connect_options OptionsOfEnvironment() {
  ptxfarm_connect_options options = PTXFARM_CONNECT_OPTIONS_INIT;
  options.server = Environment("PTXFARM_SERVER");
  options.token_file = Environment("PTXFARM_TOKEN_FILE");
  options.tls = IsOn("PTXFARM_TLS");
  options.tls_ca = Environment("PTXFARM_TLS_CA");
  options.tls_cert = Environment("PTXFARM_TLS_CERT");
  options.tls_key = Environment("PTXFARM_TLS_KEY");
  options.tls_name = Environment("PTXFARM_TLS_NAME");
  options.plaintext = IsOn("PTXFARM_PLAINTEXT");
  return options;
}

// ptxfarm-serve as it is installed beside this library, which the process's own program may be far
// from: lib/libptxfarm.so or lib/x86_64-linux-gnu/libptxfarm.so, and bin/ptxfarm-serve.
Result<std::string> FindServe(const char* named) {
  for (const char* const program : {TextOf(named), Environment(kServeVariable.data())})
    if (*program != '\0') return std::string(program);
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&ptxfarm_version), &info) != 0 &&
      info.dli_fname != nullptr) {
    std::string folder(info.dli_fname);
    folder.resize(folder.find_last_of('/') == std::string::npos ? 0 : folder.rfind('/'));
    if (folder.empty()) folder = ".";
    for (const char* const place :
         {"/../libexec/ptxfarm/", "/../bin/", "/../../libexec/ptxfarm/", "/../../bin/", "/"}) {
      const std::string program = folder + place + "ptxfarm-serve";
      if (::access(program.c_str(), X_OK) == 0) return program;
    }
  }
  Result<std::string> beside = local::FindServeProgram();
  if (beside) return beside;
  return MakeError(Code::kNotFound,
                   "ptxfarm-serve, which runs the local farm, is not where this library is "
                   "installed; name it in ${}, or name a server",
                   kServeVariable);
}

Result<local::LocalFarmOptions> LocalFarm(const char* serve_program) {
  local::LocalFarmOptions farm{.version = std::string(kVersion)};
  PTXFARM_ASSIGN_OR_RETURN(farm.files, local::MakeFarmFiles(local::FoldersOfUser()));
  PTXFARM_ASSIGN_OR_RETURN(farm.program, FindServe(serve_program));
  farm.arguments = {"--local-runtime",    farm.files.runtime_folder,
                    "--local-cache",      farm.files.cache_folder,
                    "--ready-descriptor", std::to_string(local::kReadyDescriptor),
                    "--idle-time",        kIdleTime};
  return farm;
}

Result<client::ConnectOptions> ReadOptions(const ptxfarm_connect_options* given) {
  ptxfarm_connect_options options = PTXFARM_CONNECT_OPTIONS_INIT;
  if (given == nullptr) {
    options = OptionsOfEnvironment();
  } else {
    PTXFARM_ASSIGN_OR_RETURN(options, ReadStruct(*given, options));
  }
  client::ConnectOptions connect;
  if (options.connect_timeout_ms != 0)
    connect.connect_timeout = std::chrono::milliseconds(options.connect_timeout_ms);
  if (options.attempts_max != 0) connect.attempts_max = options.attempts_max;
  connect.server = TextOf(options.server);
  if (connect.server.empty()) {
    PTXFARM_ASSIGN_OR_RETURN(const local::LocalFarmOptions farm, LocalFarm(options.serve_program));
    PTXFARM_RETURN_IF_ERROR(local::EnsureFarm(farm));
    connect.server = farm.files.address();
    connect.revive = [farm]() -> Status {
      PTXFARM_RETURN_IF_ERROR(local::EnsureFarm(farm));
      return Ok{};
    };
    return connect;
  }
  connect.token_file = TextOf(options.token_file);
  connect.tls_ca = TextOf(options.tls_ca);
  connect.tls_cert = TextOf(options.tls_cert);
  connect.tls_key = TextOf(options.tls_key);
  connect.tls_name = TextOf(options.tls_name);
  connect.tls = options.tls != 0;
  connect.plaintext = options.plaintext != 0;
  return connect;
}

}  // namespace
}  // namespace ptxfarm::c_api

using namespace ptxfarm;

uint32_t ptxfarm_abi_version(void) { return PTXFARM_ABI_VERSION; }
const char* ptxfarm_version(void) { return kVersion.data(); }

ptxfarm_status ptxfarm_error_status(const ptxfarm_error* error) { return error->status; }
const char* ptxfarm_error_message(const ptxfarm_error* error) { return error->message.c_str(); }
void ptxfarm_error_free(ptxfarm_error* error) { delete error; }

ptxfarm_status ptxfarm_connect(const ptxfarm_connect_options* options, ptxfarm_farm** farm,
                               ptxfarm_error** error) {
  return c_api::Guard(farm, error, [&]() -> Result<std::unique_ptr<ptxfarm_farm>> {
    PTXFARM_ASSIGN_OR_RETURN(const client::ConnectOptions connect, c_api::ReadOptions(options));
    PTXFARM_ASSIGN_OR_RETURN(client::Client client, client::Client::Connect(connect));
    return std::make_unique<ptxfarm_farm>(ptxfarm_farm{std::move(client)});
  });
}

void ptxfarm_farm_free(ptxfarm_farm* farm) { delete farm; }

ptxfarm_cancel* ptxfarm_cancel_new(void) {
  try {
    return new ptxfarm_cancel;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void ptxfarm_cancel_request(ptxfarm_cancel* cancel) {
  if (cancel != nullptr) cancel->token.Cancel();
}

void ptxfarm_cancel_free(ptxfarm_cancel* cancel) { delete cancel; }
