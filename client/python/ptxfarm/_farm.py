"""Farms, compiles and their results, as Python says them."""

import ctypes
import os
import threading
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Union

from ptxfarm._library import CompileOptions, ConnectOptions, library

_STATUSES = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
]
_OUTCOMES = [
    "ok", "input_error", "resource_limit", "toolchain_too_old", "crashed", "service_limit", "cancelled", "fault",
]
_SERVED = ["hit", "miss", "joined"]
_SEVERITIES = ["error", "warning", "note"]


def _name(names, number):
    """The name of an enumerator; libraries newer than this module may have more of them."""
    return names[number] if 0 <= number < len(names) else f"unknown_{number}"


def _text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


class Error(Exception):
    """A call that no answer came of. `status` is gRPC's word for why: "UNAVAILABLE", "INVALID_ARGUMENT"."""

    def __init__(self, status: str, message: str):
        super().__init__(message or status)
        self.status = status


class CompileError(Error):
    """A module that didn't compile for all its targets. `result` has all of them, also those that did."""

    def __init__(self, result: "Result"):
        failed = [target for target in result.targets.values() if not target.ok]
        if result.fatbin is not None and not result.fatbin.ok:
            failed.append(result.fatbin)
        lines = []
        for target in failed:
            said = [str(d) for d in target.diagnostics if d.severity == "error"]
            lines += said or [target.log.strip() or f"{target.name}: {target.outcome}"]
        super().__init__("INVALID_ARGUMENT", "\n".join(dict.fromkeys(lines)))
        self.result = result

    @property
    def diagnostics(self) -> List["Diagnostic"]:
        """Those of all targets, each once."""
        found = [d for target in self.result.targets.values() for d in target.diagnostics]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Diagnostic:
    severity: str  # "error", "warning", "note"
    line: int  # From 1; 0 where the place isn't known.
    column: int  # From 1, in bytes.
    length: int  # In bytes.
    kind: str  # A stable word: "needs-target".
    message: str
    hint: str
    section: str  # Of the PTX manual.

    def __str__(self):
        place = f"{self.line}:{self.column}: " if self.line else ""
        return f"{place}{self.severity}: {self.message} [{self.kind}]"


@dataclass(frozen=True)
class Kernel:
    name: str
    is_entry: bool
    registers: int
    barriers: int
    threads_max: int
    shared_bytes: int
    frame_bytes: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    parameter_bytes: int
    code_bytes: int


@dataclass(frozen=True)
class Target:
    name: str
    outcome: str  # "ok", "input_error", …
    served: str  # "hit", "miss", "joined"
    object: bytes  # The cubin or fat binary; empty where there is none.
    log: str
    compiler: str  # "ptxas 13.0.88"
    elapsed: float
    diagnostics: List[Diagnostic] = field(default_factory=list)
    kernels: List[Kernel] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return self.outcome == "ok"


@dataclass(frozen=True)
class Result:
    targets: Dict[str, Target]  # In the order asked.
    fatbin: Optional[Target]

    def __getitem__(self, name: str) -> Target:
        return self.targets[name]


@dataclass(frozen=True)
class Compiler:
    name: str  # "ptxas@13.0.88"
    backend: str
    version: str
    ptx_version: tuple


@dataclass(frozen=True)
class Capabilities:
    server_version: str
    targets: List[str]
    compilers: List[Compiler]


class Cancel:
    """Ends calls early, from any thread; may be given to many."""

    def __init__(self):
        self._handle = library.ptxfarm_cancel_new()
        if not self._handle:
            raise MemoryError

    def __del__(self):
        library.ptxfarm_cancel_free(getattr(self, "_handle", None))

    def cancel(self):
        library.ptxfarm_cancel_request(self._handle)


def _call(function, *arguments):
    """Calls what returns a status; gives its output, or raises its error."""
    output, error = ctypes.c_void_p(), ctypes.c_void_p()
    status = function(*arguments, ctypes.byref(output), ctypes.byref(error))
    if status == 0:
        return output.value
    message = _text(library.ptxfarm_error_message(error)) if error else ""
    library.ptxfarm_error_free(error)
    raise Error(_name(_STATUSES, status), message)


def _words(words: Iterable[str]):
    encoded = [os.fsencode(word) for word in words]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def _fields(struct, kind):
    """A dataclass of the same fields as a struct of C."""
    values = {}
    for name, _ in struct._fields_:
        value = getattr(struct, name)
        values[name] = _text(value) if value is None or isinstance(value, bytes) else value
    return kind(**values)


def _diagnostic(struct) -> Diagnostic:
    fields = _fields(struct, dict)
    fields["severity"] = _name(_SEVERITIES, fields["severity"])
    return Diagnostic(**fields)


def _kernel(struct) -> Kernel:
    fields = _fields(struct, dict)
    fields["is_entry"] = bool(fields["is_entry"])
    return Kernel(**fields)


def _target(handle) -> Target:
    size = library.ptxfarm_target_object_bytes(handle)
    return Target(
        name=_text(library.ptxfarm_target_name(handle)),
        outcome=_name(_OUTCOMES, library.ptxfarm_target_outcome(handle)),
        served=_name(_SERVED, library.ptxfarm_target_served(handle)),
        object=ctypes.string_at(library.ptxfarm_target_object(handle), size) if size else b"",
        log=_text(library.ptxfarm_target_log(handle)),
        compiler=_text(library.ptxfarm_target_compiler(handle)),
        elapsed=library.ptxfarm_target_elapsed_us(handle) / 1e6,
        diagnostics=[
            _diagnostic(library.ptxfarm_target_diagnostic(handle, i).contents)
            for i in range(library.ptxfarm_target_diagnostic_count(handle))
        ],
        kernels=[
            _kernel(library.ptxfarm_target_kernel(handle, i).contents)
            for i in range(library.ptxfarm_target_kernel_count(handle))
        ],
    )


def _result(handle) -> Result:
    targets = [
        _target(library.ptxfarm_result_target(handle, i)) for i in range(library.ptxfarm_result_target_count(handle))
    ]
    fatbin = library.ptxfarm_result_fatbin(handle)
    return Result({target.name: target for target in targets}, _target(fatbin) if fatbin else None)


class Farm:
    """A farm to ask, from any thread.

    Without arguments it is that of the environment (PTXFARM_SERVER and the like), or where that names none the one of
    this user on this machine, which is started if need be.
    """

    def __init__(self, server: Optional[str] = None, *, token_file: Optional[str] = None, tls: bool = False,
                 tls_ca: Optional[str] = None, tls_cert: Optional[str] = None, tls_key: Optional[str] = None,
                 tls_name: Optional[str] = None, plaintext: bool = False, connect_timeout: float = 0,
                 attempts_max: int = 0):
        if server is None:
            self._handle = _call(library.ptxfarm_connect, None)
            return
        encode = lambda text: None if text is None else os.fsencode(text)
        options = ConnectOptions(
            struct_bytes=ctypes.sizeof(ConnectOptions), server=encode(server), token_file=encode(token_file),
            tls=int(tls), tls_ca=encode(tls_ca), tls_cert=encode(tls_cert), tls_key=encode(tls_key),
            tls_name=encode(tls_name), plaintext=int(plaintext), connect_timeout_ms=round(connect_timeout * 1000),
            attempts_max=attempts_max)
        self._handle = _call(library.ptxfarm_connect, ctypes.byref(options))

    def __del__(self):
        library.ptxfarm_farm_free(getattr(self, "_handle", None))

    def compile(self, source: Union[str, bytes], targets: Iterable[str], options: Iterable[str] = (), *,
                fatbin: bool = False, cubins: bool = True, compiler: Optional[str] = None, priority: int = 0,
                recompile: bool = False, deadline: float = 0, cancel: Optional[Cancel] = None,
                check: bool = True, unverified: bool = False) -> Result:
        """Compiles a module for each target.

        With `unverified` the compiler is the judge of the module, not the farm's verifier.

        With `check`, a target that fails raises CompileError, which holds the whole result; without, it is only part of
        the result. Raises Error where the farm gave no answer.
        """
        if isinstance(targets, str):
            raise TypeError("targets is a list of names, not one name")
        text = source.encode() if isinstance(source, str) else bytes(source)
        target_words, target_count = _words(targets)
        option_words, option_count = _words(options)
        request = CompileOptions(
            struct_bytes=ctypes.sizeof(CompileOptions), source=text, source_bytes=len(text), targets=target_words,
            target_count=target_count, options=option_words, option_count=option_count, no_cubins=int(not cubins),
            fatbin=int(fatbin), compiler=None if compiler is None else compiler.encode(), priority=priority,
            recompile=int(recompile), deadline_ms=round(deadline * 1000), unverified=int(unverified))
        handle = _call(library.ptxfarm_compile, self._handle, ctypes.byref(request),
                       None if cancel is None else cancel._handle)
        try:
            result = _result(handle)
        finally:
            library.ptxfarm_result_free(handle)
        everything = [*result.targets.values(), *([result.fatbin] if result.fatbin else [])]
        if check and not all(target.ok for target in everything):
            raise CompileError(result)
        return result

    def capabilities(self, cancel: Optional[Cancel] = None) -> Capabilities:
        handle = _call(library.ptxfarm_get_capabilities, self._handle, None if cancel is None else cancel._handle)
        try:
            compilers = []
            for i in range(library.ptxfarm_capabilities_compiler_count(handle)):
                compiler = library.ptxfarm_capabilities_compiler(handle, i).contents
                compilers.append(Compiler(_text(compiler.name), _text(compiler.backend), _text(compiler.version),
                                          (compiler.ptx_version_major, compiler.ptx_version_minor)))
            return Capabilities(
                server_version=_text(library.ptxfarm_capabilities_server_version(handle)),
                targets=[_text(library.ptxfarm_capabilities_target(handle, i))
                         for i in range(library.ptxfarm_capabilities_target_count(handle))],
                compilers=compilers)
        finally:
            library.ptxfarm_capabilities_free(handle)


_default: Optional[Farm] = None
_default_lock = threading.Lock()


def default_farm() -> Farm:
    """The farm of the environment, connected to once."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Farm()
        return _default


def compile(source: Union[str, bytes], targets: Iterable[str], options: Iterable[str] = (), **keywords) -> Result:
    """Farm.compile on the farm of the environment."""
    return default_farm().compile(source, targets, options, **keywords)


def targets() -> List[str]:
    """The targets that the farm of the environment compiles for."""
    return default_farm().capabilities().targets


def version() -> str:
    """The release of libptxfarm."""
    return _text(library.ptxfarm_version())
