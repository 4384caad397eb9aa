#!/usr/bin/env python3
"""Each rule of check_layers.py must fail on a tree that breaks it, and the honest tree must pass."""

import os
import re
import tempfile
import unittest

import check_layers

HONEST = {
    "tests/layers/layers.txt": "base:\narchive/model: base\narchive: base archive/model\nmcp: base archive\n",
    "base/CMakeLists.txt": "browx_module(NAME base SOURCES json.cpp)\n",
    "base/json.hpp": "#pragma once\n#include <string>\n",
    "base/json.cpp": '#include "base/json.hpp"\n',
    "archive/CMakeLists.txt": "browx_module(NAME archive SOURCES writer.cpp sqlite/database.cpp DEPS browx_base)\n",
    "archive/model/facts.hpp": '#pragma once\n#include "base/json.hpp"\n',
    "archive/writer.hpp": '#pragma once\n#include "archive/model/facts.hpp"\n',
    "archive/writer.cpp": '#include "archive/writer.hpp"\n#include "archive/sqlite/database.hpp"\n#include <sqlite3.h>\n',
    "archive/sqlite/database.hpp": "#pragma once\n#include <sqlite3.h>\n",
    "archive/sqlite/database.cpp": '#include "archive/sqlite/database.hpp"\n',
    "tests/archive/CMakeLists.txt": "browx_test(NAME archive_test SOURCES writer_test.cpp)\n",
    "tests/archive/writer_test.cpp": '#include "archive/sqlite/database.hpp"\n#include "generated/embedded.hpp"\n',
    "README.md": "See https://example.com/root/index.html and ~/.browx.\n",
}


def findings(changes):
    """The findings in the honest tree after `changes` ({path: content, or None to remove})."""
    with tempfile.TemporaryDirectory() as root:
        for path, content in {**HONEST, **changes}.items():
            if content is None:
                continue
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                f.write(content)
        return list(check_layers.check(root))


class Layers(unittest.TestCase):
    def only(self, changes, start):
        found = findings(changes)
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(start), found[0])

    def test_the_honest_tree_passes(self):
        self.assertEqual(findings({}), [])

    def test_an_include_against_the_direction_is_found_with_its_line(self):
        self.only({"base/json.hpp": '#pragma once\n\n#include "archive/writer.hpp"\n'}, "base/json.hpp:3: layers: base may not include archive")

    def test_a_module_does_not_inherit_what_its_neighbour_may_include(self):
        self.only({"mcp/CMakeLists.txt": "browx_module(NAME mcp SOURCES a.cpp)\n", "mcp/a.cpp": '#include "archive/model/facts.hpp"\n'},
                  "mcp/a.cpp:1: layers: mcp may not include archive/model")

    def test_an_inner_header_of_another_module_is_private(self):
        self.only({"mcp/CMakeLists.txt": "browx_module(NAME mcp SOURCES a.cpp)\n", "mcp/a.cpp": '#include "archive/sqlite/database.hpp"\n'},
                  "mcp/a.cpp:1: private: archive/sqlite/database.hpp is archive's own")

    def test_a_header_that_says_it_is_private_is(self):
        header = "#pragma once\n// SQLite with owners. Private to\n// this folder.\n#include <sqlite3.h>\n"
        self.assertEqual(findings({"archive/sqlite.hpp": header, "archive/writer.cpp": '#include "archive/sqlite.hpp"\n'}), [])
        self.only({"archive/sqlite.hpp": header, "mcp/CMakeLists.txt": "browx_module(NAME mcp SOURCES a.cpp)\n", "mcp/a.cpp": '#include "archive/sqlite.hpp"\n'},
                  "mcp/a.cpp:1: private: archive/sqlite.hpp is archive's own")

    def test_a_quoted_include_must_exist(self):
        self.only({"base/json.cpp": '#include "json.hpp"\n'}, 'base/json.cpp:1: layers: "json.hpp" is no file of this tree')

    def test_heavy_headers_stay_out_of_public_headers(self):
        for header in ("sqlite3.h", "boost/beast.hpp", "boost/beast/core.hpp", "imgui.h"):
            self.only({"archive/writer.hpp": f"#pragma once\n#include <{header}>\n"}, f"archive/writer.hpp:2: private: {header}")

    def test_a_path_of_one_machine_is_found(self):
        self.only({"README.md": "one\nsee /" + "root/browx\n"}, "README.md:2: paths:")

    def test_a_registry_host_is_found(self):
        self.only({"package-lock.json": '"resolved": "https://registry.' + 'npmjs.org/a"'}, "package-lock.json:1: hosts:")

    def test_a_source_that_no_cmake_names_is_found(self):
        self.only({"archive/sqlite/lost.cpp": ""}, "archive/sqlite/lost.cpp:1: cmake:")

    def test_a_comment_does_not_name_a_source(self):
        self.only({"base/CMakeLists.txt": "# json.cpp\n"}, "base/json.cpp:1: cmake:")

    def test_a_source_named_in_a_loop_is_named(self):
        loop = "foreach(part json)\nbrowx_module(NAME base SOURCES ${part}.cpp)\nendforeach()\n"
        self.assertEqual(findings({"base/CMakeLists.txt": loop}), [])
        self.only({"base/CMakeLists.txt": loop, "base/lost.cpp": ""}, "base/lost.cpp:1: cmake:")

    def test_a_file_of_no_module_is_found(self):
        self.only({"stray/a.hpp": "#pragma once\n"}, "stray/a.hpp:1: layers: belongs to no module")

    def awaits(self, body):
        found = findings({"base/json.cpp": "Task<int> f() {\n  " + body + "\n}\n"})
        for one in found:
            self.assertRegex(one, r"^base/json.cpp:\d+: coroutine: ")
        return [re.search(r"\((\w+)\)$", one)[1] for one in found]

    def test_an_await_in_a_condition_is_found(self):
        for body in ("if (co_await g()) return;", "if (auto x = co_await g(); x) h();", "while (n > 0 &&\n  !co_await g(n)) --n;",
                     "for (; co_await g();) h();", "for (int x : *co_await g()) h(x);", "switch (co_await g()) {}", "if constexpr (a) if (co_await g()) h();",
                     "auto x = co_await g() ? 1 : 2;", "auto x = (co_await g()) ? 1 : 2;", "co_return co_await g(a) ? b : c;"):
            self.assertEqual(self.awaits(body), ["condition"], body)

    def test_a_temporary_in_an_awaited_expression_is_found(self):
        self.assertEqual(self.awaits("auto x = co_await g(Options{});"), ["braced"])
        self.assertEqual(self.awaits('co_await call("m", {{"a", 1}});'), ["braced"])
        self.assertEqual(self.awaits("co_await s.wait_for([this] { return open_; }, deadline);"), ["lambda"])
        self.assertEqual(self.awaits("co_await g(a,\n  [&x](int y) { return x + y; });"), ["lambda"])

    def test_awaits_as_they_should_be_pass(self):
        for body in ("auto x = co_await g(a ? b : c);", "if (a) co_return co_await g();", "auto x = a ? co_await g() : 0;", "const bool b = co_await g();\n  if (b) h();",
                     "// if (co_await g()) {}\n  const char* s = \"if (co_await g({}))\";", "if (auto f = [&]() -> Task<int> { co_return co_await g(); }; f) h();",
                     "co_await g(list[0], deadline);", "co_await g([] { return 1; });", "auto x = co_await g();\n  auto y = Options{};", "co_await t.async_wait(redirect(use, e));"):
            self.assertEqual(self.awaits(body), [], body)

    def test_a_table_that_names_an_unknown_module_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "ghost"):
            findings({"tests/layers/layers.txt": "base: ghost\n"})


if __name__ == "__main__":
    unittest.main()
