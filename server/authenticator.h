// Who may call what: tokens with roles and a tenant.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

namespace ptxfarm::server {

class Authenticator {
 public:
  // Lets everybody do everything, as the tenant that the TLS certificate names, or "default".
  Authenticator() = default;

  // Reads a token file. Each line: TOKEN ROLE[,ROLE…] [TENANT]; '#' begins a comment. A token is at
  // least 16 printable characters, or "sha256:" and the hash of one, so that the file holds no
  // secret. Roles are read, compile, worker, admin; compile includes read, admin includes all.
  // INVALID_ARGUMENT names the line.
  static Result<Authenticator> Read(const std::string& path);

  // The caller's tenant. `authorization` is the metadata's value ("Bearer …"), empty where there is
  // none; `peer` the certificate's name, empty where there is none. UNAUTHENTICATED without or with
  // an unknown token, PERMISSION_DENIED where its roles don't allow `role`.
  Result<std::string> Authorize(std::string_view authorization, std::string_view peer,
                                std::string_view role) const;

  bool has_tokens() const { return !tokens_.empty(); }

 private:
  struct Grant {
    std::set<std::string, std::less<>> roles;
    std::string tenant;
  };

  std::map<Sha256, Grant> tokens_;  // By hash: looking one up takes no time that tells of another.
};

}  // namespace ptxfarm::server
