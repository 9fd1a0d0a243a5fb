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
URLs, copies, overwriting, conditional writes, deletes by list, and the bucket removed. Four have days of their own:

- `s3fs-fuse`: trees are copied, synchronized by rsync and renamed in a mounted bucket. Files are changed in the middle,
  appended to and truncated, git works in it, and four programs write at once. A second mount has the same content. The
  option `sigv4` makes s3fs report a wrong secret as such.
- `deltalake`: six processes commit to one table at the same time, without a lock table; each commit is there exactly
  once. Then merge, overwrite, time travel, compaction and vacuum. If several processes create one table at once,
  deltalake may append the rows of those that were late.
- `tensorstore`: zarr, zarr3 and n5 arrays and OCDBT. Six processes change the same chunks, counters and database, and no
  change is lost. It uploads an object in one piece.
- `s3torch`: data sets for a PyTorch DataLoader with workers, and checkpoints; distributed checkpoints from two
  processes. `AWS_ENDPOINT_URL` names the endpoint of these. `s3torch-cpu` is the same with Debian's PyTorch.

A wrong secret, a missing key and a missing bucket give the error of the tool within a minute.

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
