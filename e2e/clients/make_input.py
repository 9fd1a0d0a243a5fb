"""Makes what a day uploads: make_input.py FOLDER FILES LARGE_MIB gives FOLDER/tree of so many files and FOLDER/large."""

import os
import sys

ODD_NAMES = [
    "plus+sign",
    "with space",
    " leading and trailing ",
    "two  spaces",
    "é/ü",
    "e\u0301 in two characters",
    "日本語",
    "\ufffd",
    "\U0001f600",
    "%2F",
    "%2Fé%20+",
    "100%",
    "*'()!~",
    "a&b=c;d",
    "q?u#h",
    "at@colon:comma,dollar$",
    "[x]{y}^z`|",
    'quote"',
    "less<more>",
    "back\\slash",
    ".hidden",
    "..two dots",
    "dot.",
    "deep er/ä+b/c%20d/e",
    "a b/with space",
    "x" * 200,
    "empty",
]
BIGGER = {"deep er/ä+b/c%20d/e": 300 << 10, "two  spaces": 1 << 20, "empty": 0}


def write(path, size):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(os.urandom(size))


def main():
    folder, files, large_mib = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for name in ODD_NAMES:
        write(f"{folder}/tree/odd/{name}", BIGGER.get(name, 1000 + len(name)))
    for number in range(files - len(ODD_NAMES)):
        write(f"{folder}/tree/plain-{number % 7}/file-{number:04}.bin", 500 + 37 * (number % 200))
    write(f"{folder}/large", 0)
    with open(f"{folder}/large", "wb") as file:
        for _ in range(large_mib):
            file.write(os.urandom(1 << 20))


main()
