"""The Python module on the farm that the environment names."""

import threading
import unittest

import ptxfarm

GOOD = """.version 7.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .u64 %rd;
.reg .u32 %r;
ld.param.u64 %rd, [p];
mov.u32 %r, %tid.x;
st.global.u32 [%rd], %r;
ret;
}
"""
BAD = GOOD.replace("%tid.x", "%nowhere")


class FarmTest(unittest.TestCase):
    def test_compiles_for_each_target(self):
        result = ptxfarm.compile(GOOD, ["sm_80", "sm_90a"], ["-O2"], fatbin=True)
        self.assertEqual(list(result.targets), ["sm_80", "sm_90a"])
        for target in result.targets.values():
            self.assertTrue(target.ok)
            self.assertEqual(target.object[:4], b"\x7fELF")
            self.assertTrue(target.compiler.startswith("ptxas "))
            self.assertEqual([kernel.name for kernel in target.kernels], ["k"])
            self.assertGreater(target.kernels[0].registers, 0)
            self.assertIs(target.kernels[0].is_entry, True)
        self.assertGreater(len(result.fatbin.object), len(result["sm_80"].object))
        again = ptxfarm.compile(GOOD.encode(), ["sm_80"], ["--opt-level=2"])
        self.assertEqual(again["sm_80"].served, "hit")
        self.assertEqual(again["sm_80"].object, result["sm_80"].object)

    def test_a_wrong_module_raises_with_its_diagnostics(self):
        with self.assertRaises(ptxfarm.CompileError) as raised:
            ptxfarm.compile(BAD, ["sm_80", "sm_90"])
        error = raised.exception
        self.assertIn("nowhere", str(error))
        self.assertEqual({(d.severity, d.line) for d in error.diagnostics}, {("error", 8)})
        self.assertEqual(error.result["sm_90"].outcome, "input_error")
        unchecked = ptxfarm.compile(BAD, ["sm_80"], check=False)
        self.assertEqual(unchecked["sm_80"].object, b"")
        self.assertEqual(unchecked["sm_80"].compiler, "")
        unverified = ptxfarm.compile(BAD, ["sm_80"], check=False, unverified=True)
        self.assertIn("ptxas", unverified["sm_80"].compiler)

    def test_a_wrong_request_raises(self):
        with self.assertRaises(ptxfarm.CompileError) as raised:
            ptxfarm.compile(GOOD, ["sm_80", "sm_8"])
        self.assertIn("sm_8", str(raised.exception))
        self.assertTrue(raised.exception.result["sm_80"].ok, "a wrong target leaves the others unharmed")
        with self.assertRaises(ptxfarm.Error) as raised:
            ptxfarm.compile(GOOD, ["sm_80"], ["--no-such-option"])
        self.assertEqual(raised.exception.status, "INVALID_ARGUMENT")
        with self.assertRaises(TypeError):
            ptxfarm.compile(GOOD, "sm_80")

    def test_no_farm_raises(self):
        farm = ptxfarm.Farm("unix:/nowhere/at/all.sock", attempts_max=1, connect_timeout=5)
        with self.assertRaises(ptxfarm.Error) as raised:
            farm.capabilities()
        self.assertEqual(raised.exception.status, "UNAVAILABLE")
        self.assertIn("/nowhere/at/all.sock", str(raised.exception))

    def test_says_what_the_farm_can(self):
        self.assertIn("sm_90", ptxfarm.targets())
        capabilities = ptxfarm.default_farm().capabilities()
        self.assertEqual(capabilities.server_version, ptxfarm.version())
        self.assertTrue(all(c.name == f"{c.backend}@{c.version}" for c in capabilities.compilers))
        self.assertGreaterEqual(capabilities.compilers[-1].ptx_version, (7, 0))

    def test_cancelled_calls_end(self):
        cancel = ptxfarm.Cancel()
        threading.Thread(target=cancel.cancel).start()
        try:
            result = ptxfarm.compile(GOOD + "// cancelled\n", ["sm_100"], cancel=cancel, check=False, recompile=True)
            self.assertIn(result["sm_100"].outcome, ("ok", "cancelled"))
        except ptxfarm.Error as error:
            self.assertEqual(error.status, "CANCELLED")

    def test_many_threads(self):
        outcomes = []
        threads = [threading.Thread(target=lambda: outcomes.append(ptxfarm.compile(GOOD, ["sm_86"])["sm_86"].ok))
                   for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(outcomes, [True] * 8)


if __name__ == "__main__":
    unittest.main()
