#include "server/http_cache/http_cache.h"

#include <memory>
#include <utility>

#include "server/http_cache/body.h"
#include "server/http_cache/path.h"
#include "server/http_cache/spool.h"

namespace ptxfarm::http_cache {
namespace {

using telemetry::ErrorResponse;
using telemetry::HttpRequest;
using telemetry::HttpResponse;

// What the record of a claim says. No message begins with a zero byte, so the farm's reader of
// action results refuses it, should it ever meet one.
constexpr std::string_view kClaimMark{"\0http cache claim", 17};

// Reads one chunk ahead: the last one is handed out after the digest was found right, so that what
// is damaged never arrives whole.
class AheadReader {
 public:
  static Result<std::shared_ptr<AheadReader>> Open(BlobStore& blobs, const Digest& digest) {
    PTXFARM_ASSIGN_OR_RETURN(std::unique_ptr<BlobReader> reader, blobs.Open(digest));
    std::shared_ptr<AheadReader> ahead(new AheadReader(std::move(reader)));
    // Of a blob of one chunk, this has seen its end.
    PTXFARM_RETURN_IF_ERROR(ahead->Fetch());
    PTXFARM_RETURN_IF_ERROR(ahead->Fetch());
    return ahead;
  }

  // The next plain bytes; empty at the end.
  Result<std::string> Take() {
    if (!taken_) return std::string();
    PTXFARM_ASSIGN_OR_RETURN(std::string plain, PlainOf(*taken_));
    PTXFARM_RETURN_IF_ERROR(Fetch());
    return plain;
  }

 private:
  explicit AheadReader(std::unique_ptr<BlobReader> reader) : reader_(std::move(reader)) {}

  Status Fetch() {
    taken_ = std::exchange(next_, std::nullopt);
    PTXFARM_ASSIGN_OR_RETURN(next_, reader_->Next());
    return Ok{};
  }

  const std::unique_ptr<BlobReader> reader_;
  std::optional<Chunk> taken_, next_;
};

class HttpCache {
 public:
  explicit HttpCache(Options options) : options_(std::move(options)) {}

  HttpResponse ServeBlob(const HttpRequest& request) {
    const Sha256 sha256 = BlobOfPath(request.path).value();
    if (request.method == "PUT") return PutBlob(request, sha256);
    const Result<std::optional<Digest>> found = options_.store.FindBlob(sha256);
    return Get(request, Layout::kBlob, found);
  }

  HttpResponse ServeClaim(const HttpRequest& request) {
    const Result<std::string> tenant = options_.tenant_of(request);
    if (!tenant) return ErrorResponse(tenant.error());
    const Sha256 key = ClaimKey(*tenant, request.path);
    if (request.method == "PUT") return PutClaim(request, key);
    if (request.method == "DELETE") return RemoveClaim(key);
    return Get(request, Layout::kClaim, FindClaim(key));
  }

 private:
  HttpResponse Get(const HttpRequest& request, Layout layout,
                   const Result<std::optional<Digest>>& found);
  HttpResponse PutBlob(const HttpRequest& request, const Sha256& sha256);
  HttpResponse PutClaim(const HttpRequest& request, const Sha256& key);
  HttpResponse RemoveClaim(const Sha256& key);

  Result<std::optional<Digest>> FindClaim(const Sha256& key);
  Status CheckBlob(const HttpRequest& request, const Digest& wanted);
  Result<Digest> KeepDeclared(const HttpRequest& request, const Digest& digest);
  Result<Digest> KeepSpooled(const HttpRequest& request, const Sha256* wanted);

  // Counts what was asked, and gives the response back.
  HttpResponse Answer(Event event, HttpResponse response) const;
  HttpResponse Stored(Layout layout, const Result<Digest>& digest) const;

  const Options options_;
};

HttpResponse Absent() { return {.status = 404, .body = "not in the cache\n"}; }

bool IsGone(const Error& error) {
  return error.code == Code::kNotFound || error.code == Code::kDataLoss;
}

HttpResponse HttpCache::Get(const HttpRequest& request, Layout layout,
                            const Result<std::optional<Digest>>& found) {
  Event event{.layout = layout, .operation = request.is_head ? Operation::kHead : Operation::kGet};
  const auto fail = [&](const Error& error) {
    event.outcome = IsGone(error) ? Outcome::kAbsent : Outcome::kFailed;
    return Answer(event, IsGone(error) ? Absent() : ErrorResponse(error));
  };
  if (!found) return fail(found.error());
  if (!found->has_value()) return fail(Error{Code::kNotFound, "nothing under this name"});
  const Digest& digest = **found;
  event.bytes = request.is_head ? 0 : digest.size_bytes;
  HttpResponse response{.body = "", .content_type = "application/octet-stream"};
  response.stream_bytes = digest.size_bytes;
  if (request.is_head) {
    response.stream = [](u64) -> Result<std::string> { return std::string(); };
    return Answer(event, std::move(response));
  }
  Result<std::shared_ptr<AheadReader>> reader = AheadReader::Open(options_.store.blobs(), digest);
  if (!reader) return fail(reader.error());
  response.stream = [reader = *std::move(reader)](u64) { return reader->Take(); };
  return Answer(event, std::move(response));
}

HttpResponse HttpCache::PutBlob(const HttpRequest& request, const Sha256& sha256) {
  const std::optional<u64> declared = DeclaredBytes(request);
  return Stored(Layout::kBlob, declared ? KeepDeclared(request, {sha256, *declared})
                                        : KeepSpooled(request, &sha256));
}

HttpResponse HttpCache::PutClaim(const HttpRequest& request, const Sha256& key) {
  Result<Digest> kept = KeepSpooled(request, nullptr);
  if (kept) {
    const ActionRecord record{.bytes = std::string(kClaimMark), .outputs = {*kept}};
    if (Status put = options_.store.actions().Put(key, record); !put)
      kept = Error{Code::kUnavailable, put.error().message};
  }
  return Stored(Layout::kClaim, kept);
}

HttpResponse HttpCache::RemoveClaim(const Sha256& key) {
  Event event{.layout = Layout::kClaim, .operation = Operation::kDelete};
  const Result<std::optional<Digest>> found = FindClaim(key);
  const Status removed = found ? options_.store.actions().Remove(key) : Status(found.error());
  if (!removed) {
    event.outcome = Outcome::kFailed;
    return Answer(event, ErrorResponse(removed.error()));
  }
  if (found->has_value()) return Answer(event, {.status = 204});
  event.outcome = Outcome::kAbsent;
  return Answer(event, Absent());
}

Result<std::optional<Digest>> HttpCache::FindClaim(const Sha256& key) {
  PTXFARM_ASSIGN_OR_RETURN(const std::optional<ActionRecord> record,
                           options_.store.actions().Get(key));
  if (!record || record->bytes != kClaimMark || record->outputs.size() != 1)
    return std::optional<Digest>();
  return std::optional<Digest>(record->outputs.front());
}

// The blob is there already: only what is claimed of the body is looked at, so that a client with
// wrong bytes hears of it here too.
Status HttpCache::CheckBlob(const HttpRequest& request, const Digest& wanted) {
  PTXFARM_ASSIGN_OR_RETURN(const Digest found, ReadChunks(request, nullptr));
  if (found == wanted) return Ok{};
  return MakeError(Code::kInvalidArgument, "the body is {}, not {} as the path says",
                   found.ToString(), wanted.ToString());
}

// The store's errors are ours and pass (503); a bound that the body itself exceeds is the asker's.
Error FromStore(Error error) {
  if (error.code == Code::kResourceExhausted || error.code == Code::kFailedPrecondition)
    error.code = Code::kUnavailable;
  return error;
}

Result<Digest> HttpCache::KeepDeclared(const HttpRequest& request, const Digest& digest) {
  BlobStore& blobs = options_.store.blobs();
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<Digest> missing, blobs.FindMissing({&digest, 1}));
  if (missing.empty()) {
    PTXFARM_RETURN_IF_ERROR(CheckBlob(request, digest));
    return digest;
  }
  PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer, blobs.Create(digest));
  const auto append = [&](Chunk chunk) -> Status {
    if (Status appended = writer->Append(std::move(chunk)); !appended)
      return FromStore(std::move(appended).error());
    return Ok{};
  };
  PTXFARM_ASSIGN_OR_RETURN(const Digest found, ReadChunks(request, append));
  if (found != digest)
    return MakeError(Code::kInvalidArgument, "the body is {}, not {} as the path says",
                     found.ToString(), digest.ToString());
  if (Status committed = writer->Commit(); !committed)
    return FromStore(std::move(committed).error());
  return digest;
}

// `wanted` is null where the body may be anything.
Result<Digest> HttpCache::KeepSpooled(const HttpRequest& request, const Sha256* wanted) {
  Spool spool(options_.spool_folder);
  const auto append = [&](const Chunk& chunk) -> Status {
    if (Status appended = spool.Append(chunk); !appended)
      return FromStore(std::move(appended).error());
    return Ok{};
  };
  PTXFARM_ASSIGN_OR_RETURN(const Digest digest, ReadChunks(request, append));
  if (wanted != nullptr && digest.sha256 != *wanted)
    return MakeError(Code::kInvalidArgument, "the body is {}, not {} as the path says",
                     digest.ToString(), HexOf(*wanted));
  BlobStore& blobs = options_.store.blobs();
  PTXFARM_ASSIGN_OR_RETURN(const std::vector<Digest> missing, blobs.FindMissing({&digest, 1}));
  if (missing.empty()) return digest;
  PTXFARM_ASSIGN_OR_RETURN(const std::unique_ptr<BlobWriter> writer, blobs.Create(digest));
  Status copied = spool.CopyTo(*writer);
  if (copied) copied = writer->Commit();
  if (!copied) return FromStore(std::move(copied).error());
  return digest;
}

HttpResponse HttpCache::Stored(Layout layout, const Result<Digest>& digest) const {
  Event event{.layout = layout, .operation = Operation::kPut};
  if (digest) {
    event.bytes = digest->size_bytes;
    return Answer(event, {});
  }
  const Code code = digest.error().code;
  const bool is_theirs = code == Code::kInvalidArgument || code == Code::kResourceExhausted;
  event.outcome = is_theirs ? Outcome::kRefused : Outcome::kFailed;
  return Answer(event, ErrorResponse(digest.error()));
}

HttpResponse HttpCache::Answer(Event event, HttpResponse response) const {
  if (event.outcome != Outcome::kOk) event.bytes = 0;
  if (options_.observe != nullptr) options_.observe(event);
  return response;
}

}  // namespace

std::vector<telemetry::HttpRoute> MakeRoutes(Options options) {
  const u64 body_bytes_max = options.body_bytes_max;
  const auto cache = std::make_shared<HttpCache>(std::move(options));
  const auto claims = [cache](const HttpRequest& request) { return cache->ServeClaim(request); };
  return {
      {.path = "*/cas/*",
       .methods = {"GET", "PUT"},
       .handler = [cache](const HttpRequest& request) { return cache->ServeBlob(request); },
       .body_bytes_max = body_bytes_max,
       .takes = [](std::string_view path) { return BlobOfPath(path).has_value(); }},
      {.path = "*/ac/*",
       .methods = {"GET", "PUT", "DELETE"},
       .handler = claims,
       .body_bytes_max = body_bytes_max,
       .takes = IsClaimPath},
      {.path = std::string(kFilesPath),
       .methods = {"GET", "PUT", "DELETE"},
       .handler = claims,
       .body_bytes_max = body_bytes_max},
  };
}

}  // namespace ptxfarm::http_cache
