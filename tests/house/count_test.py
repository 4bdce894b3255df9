#!/usr/bin/env python3
"""What count.py makes of a report: programs count by their own tests, others as one."""

import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from contextlib import redirect_stdout
from io import StringIO

import count

PROGRAM = """{before}[==========] Running 3 tests from 1 test suite.
[ RUN      ] A.One
[       OK ] A.One (0 ms)
[ RUN      ] A.Two
x.cpp:1: Skipped
at two ranks
[  SKIPPED ] A.Two (0 ms)
[ RUN      ] A.Three
"""
END = """[       OK ] A.Three (0 ms)
[==========] 3 tests from 1 test suite ran. (0 ms total)
[  PASSED  ] 2 tests.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] A.Two
"""


class Count(unittest.TestCase):
    def count(self, text, failed=False, status="run"):
        case = xml.etree.ElementTree.Element("testcase", name="a_test", status="fail" if failed else status)
        xml.etree.ElementTree.SubElement(case, "system-out").text = text
        return count.count(case)

    def test_programs(self):
        for before in ("", "Running main() from gtest\n", "\n\t\t"):
            passed, failed, skipped, why = self.count(PROGRAM.format(before=before) + END)
            self.assertEqual((passed, failed, skipped), (2, 0, 1), repr(before))
            self.assertEqual(why, ["a_test: A.Two: at two ranks"])

    def test_programs_that_end_before_their_end(self):
        self.assertEqual(self.count(PROGRAM.format(before="\n\t\t"), failed=True)[:3], (1, 1, 0))

    def test_programs_that_fail_afterwards(self):
        self.assertEqual(self.count(PROGRAM.format(before="") + END, failed=True)[:3], (2, 1, 1))

    def test_others(self):
        self.assertEqual(self.count("PASSED: plaquette")[:3], (1, 0, 0))
        self.assertEqual(self.count("FAILED: plaquette", failed=True)[:3], (0, 1, 0))
        self.assertEqual(self.count("", status="notrun")[:3], (0, 0, 1))

    def test_a_report(self):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "tests.xml")
            for words, status, last in (
                ("fine", 0, "1 passed, 0 failed, 0 skipped"),
                ("</testcase>", 1, "0 passed, 1 failed, 0 skipped"),
            ):
                with open(report, "w", encoding="utf-8") as out:
                    out.write(f"<testsuite><testcase name='a' status='run'>{words}</testcase></testsuite>")
                printed = StringIO()
                sys.argv = ["count.py", report]
                with redirect_stdout(printed):
                    self.assertEqual(count.main(), status)
                self.assertEqual(printed.getvalue().splitlines()[-1], last)


if __name__ == "__main__":
    unittest.main()
