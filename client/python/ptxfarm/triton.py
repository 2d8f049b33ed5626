"""Triton's cache of compiled kernels, shared by all machines through the farm's HTTP cache.

    export TRITON_CACHE_MANAGER=ptxfarm.triton:CacheManager
    export PTXFARM_HTTP_CACHE=http://farm:8981            # or https://…, with user:TOKEN@ where the farm wants one

Files lie where Triton itself would keep them ($TRITON_CACHE_DIR, else ~/.triton/cache); what isn't there is asked of the
cache, and what is put goes there too. Without PTXFARM_HTTP_CACHE, or while the cache can't be reached, it is a plain
cache on the disk: a kernel is then compiled as it would have been, never lost and never late by more than a timeout.

It stands alone: neither Triton nor libptxfarm is imported.
"""

import base64
import http.client
import json
import os
import ssl
import sys
import tempfile
import threading
import time
import urllib.parse
from typing import Dict, Optional

_TIMEOUT_SECONDS = 5.0
# How long a cache that failed isn't asked again.
_PAUSE_SECONDS = 60.0
_FILE_BYTES_MAX = 256 << 20


class _Remote:
    """Files in the HTTP cache, below /ccache/triton/. One connection a thread; errors mean "not there"."""

    def __init__(self, url: str):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"PTXFARM_HTTP_CACHE is no http(s) address: {parts.scheme}://{parts.hostname}")
        self._parts = parts
        self._headers = {}
        if parts.username is not None:
            user = urllib.parse.unquote(parts.username)
            pair = f"{user}:{urllib.parse.unquote(parts.password or '')}"
            self._headers["Authorization"] = "Basic " + base64.b64encode(pair.encode()).decode()
        self._threads = threading.local()
        self._paused_until = 0.0
        self._has_warned = False

    def get(self, path: str) -> Optional[bytes]:
        response = self._ask("GET", path)
        return response[1] if response is not None and response[0] == 200 else None

    def put(self, path: str, data: bytes):
        response = self._ask("PUT", path, data)
        if response is not None and response[0] >= 300:
            self._warn(f"the cache refused a file: {response[0]} {response[1][:200].decode('utf-8', 'replace').strip()}")

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._threads, "connection", None)
        # A child of fork() must not write on its parent's connection.
        if connection is None or self._threads.process != os.getpid():
            host, port = self._parts.hostname, self._parts.port
            if self._parts.scheme == "https":
                connection = http.client.HTTPSConnection(host, port, timeout=_TIMEOUT_SECONDS,
                                                         context=ssl.create_default_context())
            else:
                connection = http.client.HTTPConnection(host, port, timeout=_TIMEOUT_SECONDS)
            self._threads.connection, self._threads.process = connection, os.getpid()
        return connection

    def _ask(self, method: str, path: str, body: Optional[bytes] = None):
        if time.monotonic() < self._paused_until:
            return None
        target = f"{self._parts.path.rstrip('/')}/ccache/triton/{urllib.parse.quote(path)}"
        # Twice: a kept connection may have been closed by the other end meanwhile.
        for attempt in range(2):
            connection = self._connection()
            try:
                connection.request(method, target, body=body, headers=self._headers)
                response = connection.getresponse()
                data = response.read(_FILE_BYTES_MAX + 1)
                if len(data) > _FILE_BYTES_MAX:
                    raise OSError("a file that is too large")
                return response.status, data
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self._threads.connection = None
                if attempt == 1 or isinstance(error, TimeoutError):
                    self._paused_until = time.monotonic() + _PAUSE_SECONDS
                    self._warn(f"no cache at {self._parts.hostname}: {error}; going on without it")
                    return None

    def _warn(self, message: str):
        if not self._has_warned:
            self._has_warned = True
            print(f"ptxfarm: {message}", file=sys.stderr)


_remotes: Dict[str, _Remote] = {}
_remotes_lock = threading.Lock()


def _remote_of_environment() -> Optional[_Remote]:
    url = os.environ.get("PTXFARM_HTTP_CACHE", "").strip()
    if not url:
        return None
    with _remotes_lock:
        if url not in _remotes:
            _remotes[url] = _Remote(url)
        return _remotes[url]


class CacheManager:
    """Triton's interface of that name: the files of one kernel, under its key."""

    def __init__(self, key: str, override: bool = False, dump: bool = False):
        self.key = key
        home = os.path.join(os.path.expanduser("~"), ".triton")
        # What is dumped or overridden is for a person at this machine.
        if dump:
            root = os.environ.get("TRITON_DUMP_DIR", "").strip() or os.path.join(home, "dump")
        elif override:
            root = os.environ.get("TRITON_OVERRIDE_DIR", "").strip() or os.path.join(home, "override")
        else:
            root = os.environ.get("TRITON_CACHE_DIR", "").strip() or os.path.join(home, "cache")
        self.cache_dir = os.path.join(root, key)
        self._remote = None if dump or override else _remote_of_environment()
        if not override:
            os.makedirs(self.cache_dir, exist_ok=True)

    def has_file(self, filename: str) -> bool:
        """Whether it is on this disk, after asking the cache."""
        return self.get_file(filename) is not None

    def get_file(self, filename: str) -> Optional[str]:
        """Its path, or None."""
        path = self._path(filename)
        if os.path.exists(path):
            return path
        data = self._remote.get(f"{self.key}/{filename}") if self._remote else None
        return None if data is None else self._write(filename, data)

    def put(self, data, filename: str, binary: bool = True) -> str:
        """Keeps bytes, or a text, and returns the path."""
        content = data if isinstance(data, bytes) else str(data).encode()
        path = self._write(filename, content)
        if self._remote:
            self._remote.put(f"{self.key}/{filename}", content)
        return path

    def get_group(self, filename: str) -> Optional[Dict[str, str]]:
        """Path by name of all files of a group; None where one of them is missing."""
        index = self.get_file(f"__grp__{filename}")
        if index is None:
            return None
        try:
            with open(index, encoding="utf-8") as stream:
                group = {name: self.get_file(name) for name in json.load(stream)["child_paths"]}
        # The index may have come over the network, and may be anything.
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        return None if None in group.values() else group

    def put_group(self, filename: str, group: Dict[str, str]) -> str:
        """Keeps which files belong together; they were put before."""
        # Triton's own form. The paths are those of this machine; who reads takes the names alone.
        return self.put(json.dumps({"child_paths": group}), f"__grp__{filename}", binary=False)

    def _path(self, filename: str) -> str:
        # The index of a group comes from the network: it must not name a file elsewhere.
        if not filename or "/" in filename or "\0" in filename or filename in (".", ".."):
            raise ValueError(f"no name of a file in the cache: {filename!r}")
        return os.path.join(self.cache_dir, filename)

    def _write(self, filename: str, content: bytes) -> str:
        """Beside, then renamed: many processes of a machine write the same file."""
        path = self._path(filename)
        os.makedirs(self.cache_dir, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(prefix=f".{filename[:100]}.", dir=self.cache_dir)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
            os.chmod(beside, 0o644)
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise
        return path
