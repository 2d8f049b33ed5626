"""libptxfarm as ctypes sees it: structs and signatures of <ptxfarm/ptxfarm.h>, and nothing else."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

ABI_VERSION = 2


class ConnectOptions(ctypes.Structure):
    _fields_ = [
        ("struct_bytes", c_size_t),
        ("server", c_char_p),
        ("token_file", c_char_p),
        ("tls_ca", c_char_p),
        ("tls_cert", c_char_p),
        ("tls_key", c_char_p),
        ("tls_name", c_char_p),
        ("tls", c_int),
        ("plaintext", c_int),
        ("connect_timeout_ms", c_uint32),
        ("attempts_max", c_uint32),
        ("serve_program", c_char_p),
    ]


class CompileOptions(ctypes.Structure):
    _fields_ = [
        ("struct_bytes", c_size_t),
        ("source", c_char_p),
        ("source_bytes", c_size_t),
        ("targets", POINTER(c_char_p)),
        ("target_count", c_size_t),
        ("options", POINTER(c_char_p)),
        ("option_count", c_size_t),
        ("no_cubins", c_int),
        ("fatbin", c_int),
        ("compiler", c_char_p),
        ("priority", c_int32),
        ("recompile", c_int),
        ("deadline_ms", c_uint64),
        ("unverified", c_int),
    ]


class Diagnostic(ctypes.Structure):
    _fields_ = [
        ("severity", c_int),
        ("line", c_uint32),
        ("column", c_uint32),
        ("length", c_uint32),
        ("kind", c_char_p),
        ("message", c_char_p),
        ("hint", c_char_p),
        ("section", c_char_p),
    ]


class Kernel(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("is_entry", c_int),
        ("registers", c_uint32),
        ("barriers", c_uint32),
        ("threads_max", c_uint32),
        ("shared_bytes", c_uint64),
        ("frame_bytes", c_uint64),
        ("stack_bytes", c_uint64),
        ("spill_store_bytes", c_uint64),
        ("spill_load_bytes", c_uint64),
        ("parameter_bytes", c_uint64),
        ("code_bytes", c_uint64),
    ]


class Compiler(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("backend", c_char_p),
        ("version", c_char_p),
        ("ptx_version_major", c_uint32),
        ("ptx_version_minor", c_uint32),
    ]


# name: what it returns, what it takes.
_FUNCTIONS = {
    "ptxfarm_abi_version": (c_uint32, []),
    "ptxfarm_version": (c_char_p, []),
    "ptxfarm_error_status": (c_int, [c_void_p]),
    "ptxfarm_error_message": (c_char_p, [c_void_p]),
    "ptxfarm_error_free": (None, [c_void_p]),
    "ptxfarm_connect": (c_int, [POINTER(ConnectOptions), POINTER(c_void_p), POINTER(c_void_p)]),
    "ptxfarm_farm_free": (None, [c_void_p]),
    "ptxfarm_cancel_new": (c_void_p, []),
    "ptxfarm_cancel_request": (None, [c_void_p]),
    "ptxfarm_cancel_free": (None, [c_void_p]),
    "ptxfarm_compile": (c_int, [c_void_p, POINTER(CompileOptions), c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    "ptxfarm_result_free": (None, [c_void_p]),
    "ptxfarm_result_target_count": (c_size_t, [c_void_p]),
    "ptxfarm_result_target": (c_void_p, [c_void_p, c_size_t]),
    "ptxfarm_result_fatbin": (c_void_p, [c_void_p]),
    "ptxfarm_target_name": (c_char_p, [c_void_p]),
    "ptxfarm_target_outcome": (c_int, [c_void_p]),
    "ptxfarm_target_served": (c_int, [c_void_p]),
    "ptxfarm_target_object": (c_void_p, [c_void_p]),
    "ptxfarm_target_object_bytes": (c_size_t, [c_void_p]),
    "ptxfarm_target_log": (c_char_p, [c_void_p]),
    "ptxfarm_target_compiler": (c_char_p, [c_void_p]),
    "ptxfarm_target_elapsed_us": (c_uint64, [c_void_p]),
    "ptxfarm_target_diagnostic_count": (c_size_t, [c_void_p]),
    "ptxfarm_target_diagnostic": (POINTER(Diagnostic), [c_void_p, c_size_t]),
    "ptxfarm_target_kernel_count": (c_size_t, [c_void_p]),
    "ptxfarm_target_kernel": (POINTER(Kernel), [c_void_p, c_size_t]),
    "ptxfarm_get_capabilities": (c_int, [c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    "ptxfarm_capabilities_free": (None, [c_void_p]),
    "ptxfarm_capabilities_server_version": (c_char_p, [c_void_p]),
    "ptxfarm_capabilities_target_count": (c_size_t, [c_void_p]),
    "ptxfarm_capabilities_target": (c_char_p, [c_void_p, c_size_t]),
    "ptxfarm_capabilities_compiler_count": (c_size_t, [c_void_p]),
    "ptxfarm_capabilities_compiler": (POINTER(Compiler), [c_void_p, c_size_t]),
}


def _load():
    # ctypes lets go of the interpreter's lock in every call, so other threads run while one waits for a compile.
    library = ctypes.CDLL(os.environ.get("PTXFARM_LIBRARY") or "libptxfarm.so.1")
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.ptxfarm_abi_version() < ABI_VERSION:
        raise ImportError(f"libptxfarm has ABI {library.ptxfarm_abi_version()}; this module needs {ABI_VERSION}")
    return library


library = _load()
