"""The Triton cache manager on the HTTP cache of $PTXFARM_HTTP_CACHE, as two machines see it."""

import contextlib
import io
import os
import socket
import tempfile
import unittest

import ptxfarm.triton as triton

URL = os.environ["PTXFARM_HTTP_CACHE"]


@contextlib.contextmanager
def machine(url=URL):
    """A machine with an empty disk."""
    with tempfile.TemporaryDirectory() as folder:
        before = dict(os.environ)
        os.environ["TRITON_CACHE_DIR"] = folder
        os.environ["PTXFARM_HTTP_CACHE"] = url
        try:
            yield folder
        finally:
            os.environ.clear()
            os.environ.update(before)


def contents(path):
    with open(path, "rb") as stream:
        return stream.read()


class TritonTest(unittest.TestCase):
    def test_a_second_machine_finds_what_the_first_put(self):
        with machine() as folder:
            manager = triton.CacheManager("key1")
            self.assertFalse(manager.has_file("k.cubin"))
            self.assertIsNone(manager.get_file("k.cubin"))
            self.assertIsNone(manager.get_group("k.json"))
            group = {
                "k.cubin": manager.put(b"\x7fELF\0cubin", "k.cubin"),
                "k.ptx": manager.put("text of PTX", "k.ptx", binary=False),
            }
            manager.put_group("k.json", group)
            self.assertEqual(manager.get_group("k.json"), group)
            self.assertTrue(all(path.startswith(folder) for path in group.values()))
        with machine() as folder:
            manager = triton.CacheManager("key1")
            self.assertTrue(manager.has_file("k.ptx"))
            self.assertEqual(contents(manager.get_file("k.cubin")), b"\x7fELF\0cubin")
            group = manager.get_group("k.json")
            self.assertEqual(set(group), {"k.cubin", "k.ptx"})
            self.assertTrue(all(path.startswith(folder) for path in group.values()))
            self.assertEqual(contents(group["k.ptx"]), b"text of PTX")
            self.assertIsNone(triton.CacheManager("key2").get_file("k.cubin"))

    def test_a_group_without_one_of_its_files_is_none(self):
        with machine():
            manager = triton.CacheManager("key3")
            manager.put_group("g.json", {"absent": "/elsewhere/absent"})
            self.assertIsNone(manager.get_group("g.json"))

    def test_an_index_names_no_file_elsewhere(self):
        with machine() as folder:
            manager = triton.CacheManager("key4")
            for index in ('{"child_paths": {"../../evil": "x"}}', '{"child_paths": {"/etc/passwd": "x"}}',
                          '{"child_paths": {"": "x"}}', '{"child_paths": 7}', "[]", "not json"):
                manager.put(index, "__grp__g", binary=False)
                self.assertIsNone(manager.get_group("g"), index)
            self.assertFalse(os.path.exists(os.path.join(folder, "evil")))

    def test_without_a_cache_it_is_one_on_the_disk(self):
        for url in ("", "http://127.0.0.1:1"):
            with machine(url), contextlib.redirect_stderr(io.StringIO()) as said:
                manager = triton.CacheManager("key5")
                self.assertIsNone(manager.get_file("f"))
                self.assertEqual(contents(manager.put(b"bytes", "f")), b"bytes")
                self.assertTrue(triton.CacheManager("key5").has_file("f"))
            self.assertEqual(said.getvalue().count("\n"), 1 if url else 0, "one line, said once")

    def test_a_cache_that_never_answers_costs_one_timeout(self):
        with socket.socket() as hung:
            hung.bind(("127.0.0.1", 0))
            hung.listen()
            triton._TIMEOUT_SECONDS, before = 0.2, triton._TIMEOUT_SECONDS
            try:
                with machine(f"http://127.0.0.1:{hung.getsockname()[1]}"), \
                        contextlib.redirect_stderr(io.StringIO()) as said:
                    manager = triton.CacheManager("key6")
                    for number in range(100):
                        self.assertIsNone(manager.get_file(f"f{number}"))
                self.assertIn("going on without it", said.getvalue())
            finally:
                triton._TIMEOUT_SECONDS = before


if __name__ == "__main__":
    unittest.main()
