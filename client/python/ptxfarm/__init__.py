"""PTX goes in; cubins, a fat binary, diagnostics and resource figures come out.

    import ptxfarm
    cubin = ptxfarm.compile(ptx, ["sm_90a"])["sm_90a"].object

Everything is libptxfarm's, called through ctypes: this package has nothing to build. The library is looked for where
$PTXFARM_LIBRARY says, then as the system finds "libptxfarm.so.1". Times are in seconds, sizes in bytes.
"""

__all__ = [
    "Cancel",
    "Capabilities",
    "CompileError",
    "Compiler",
    "Diagnostic",
    "Error",
    "Farm",
    "Kernel",
    "Result",
    "Target",
    "compile",
    "default_farm",
    "targets",
    "version",
]


def __getattr__(name):
    # With the first use and not before: ptxfarm.triton works where there is no libptxfarm.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import ptxfarm._farm

    return getattr(ptxfarm._farm, name)


def __dir__():
    return __all__
