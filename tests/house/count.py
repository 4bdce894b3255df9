#!/usr/bin/env python3
"""count.py REPORT: counts the tests in a JUnit report of ctest. A GoogleTest program counts by its own tests, any
other entry as one. Prints why tests were skipped, and last "N passed, N failed, N skipped"; exit 1 unless some passed
and none failed."""

import re
import sys
import xml.etree.ElementTree


def count(case):
    """(passed, failed, skipped, reasons) of one ctest entry."""
    text = "".join(case.itertext())
    failed_entry = case.find("failure") is not None or case.get("status") == "fail"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return 0, 0, 1, [f"{case.get('name')}: not run"]
    number = {}
    for word in ("PASSED", "FAILED", "SKIPPED"):
        found = re.search(rf"^\[  {word}\s*\] (\d+) tests?", text, re.M)
        number[word] = int(found.group(1)) if found else 0
    reasons = re.findall(r"Skipped\n([^\n]+)\n(?:[^\n]*\n)??\[  SKIPPED \] (\S+)", text)
    reasons = [f"{case.get('name')}: {test}: {why.strip()}" for why, test in reasons]
    if re.search(r"^\s*\[==========\] Running ", text, re.M):
        if not re.search(r"^\[==========\] .* ran\.", text, re.M):  # it ended before its end
            number["PASSED"] = len(re.findall(r"^\[       OK \]", text, re.M))
            number["FAILED"] = max(1, len(re.findall(r"^\[  FAILED  \]", text, re.M)))
        elif failed_entry and not number["FAILED"]:
            number["FAILED"] = 1
        return number["PASSED"], number["FAILED"], number["SKIPPED"], reasons
    return (0, 1, 0, []) if failed_entry else (1, 0, 0, [])


def main():
    try:
        root = xml.etree.ElementTree.parse(sys.argv[1]).getroot()
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"no report of the tests: {error}")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    totals, reasons = [0, 0, 0], []
    for case in root.iter("testcase"):
        *numbers, why = count(case)
        totals = [a + b for a, b in zip(totals, numbers)]
        reasons += why
        if numbers[1]:
            print(f"failed: {case.get('name')}")
    for reason in reasons:
        print(f"skipped: {reason}")
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 0 if totals[0] and not totals[1] else 1


if __name__ == "__main__":
    sys.exit(main())
