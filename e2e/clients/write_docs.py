"""Puts what a run found into the table of docs/S3.md: write_docs.py RESULTS DOCUMENT.

Rows of clients that did not run stay as they are.
"""

import pathlib
import sys

TITLE = "## Clients"
BEGIN = "<!-- e2e/clients/run --write-docs writes from here -->"
END = "<!-- to here -->"
HEAD = """
Each has spent the same day with Tarn, unmodified, over http and over https: a bucket made, a tree of 1,000 files with odd
names uploaded, listed, and fetched and compared, 200 MiB uploaded in parts, fetched whole and in part, then presigned
URLs, copies, overwriting, conditional writes, deletes by list, and the bucket removed.

| `run` | client | passed | not part of its day |
|---|---|---|---|
"""


def rows_of(document):
    if BEGIN not in document:
        return {}
    table = document.split(BEGIN)[1].split(END)[0].splitlines()
    rows = [line for line in table if line.startswith("| ")][1:]
    return {row.split("|")[1].strip(): row for row in rows}


def found(results):
    days = {}
    for line in results.read_text().splitlines():
        client, *day = line.split("\t")
        days.setdefault(client, []).append(day)
    rows = {}
    for client, places in days.items():
        passed = ", ".join(p if outcome == "ok" else f"**{p} FAILED**" for p, outcome, *_ in places)
        _, _, version, notes = places[0]
        rows[client] = f"| {client} | {version} | {passed} | {notes} |"
    return rows


def main():
    results, path = map(pathlib.Path, sys.argv[1:])
    document = path.read_text() if path.exists() else "# S3\n"
    rows = rows_of(document) | found(results)
    table = HEAD + "".join(rows[client] + "\n" for client in sorted(rows)) + "\n"
    if BEGIN not in document:
        document = f"{document.rstrip()}\n\n{TITLE}\n\n{BEGIN}\n{END}\n"
    before, rest = document.split(BEGIN)
    path.write_text(before + BEGIN + table + END + rest.split(END)[1])


main()
