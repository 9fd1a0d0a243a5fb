"""Compares every sample that Python's webdataset reads from the shards with the files they were packed from."""

import glob
import os
import sys

import webdataset as wds

files, shards = sys.argv[1:]
expected = {}
for folder, _, names in os.walk(files):
    for name in names:
        path = os.path.join(folder, name)
        base, extension = name.split(".", 1)
        key = os.path.join(os.path.relpath(folder, files), base)
        with open(path, "rb") as file:
            expected.setdefault(key, {})[extension.lower()] = file.read()

found = {}
for sample in wds.WebDataset(sorted(glob.glob(shards + "/*.tar")), shardshuffle=False):
    key = sample["__key__"]
    assert key not in found, f"{key} came twice"
    found[key] = {name: value for name, value in sample.items() if not name.startswith("__")}
assert found == expected, (len(found), len(expected))
