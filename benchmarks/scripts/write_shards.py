"""Packs a tree of single files with webdataset's ShardWriter, as its documentation does: write_shards.py FILES SHARDS."""

import os
import sys

import webdataset as wds

files, shards = sys.argv[1:]
with wds.ShardWriter(shards + "/%06d.tar", maxcount=10**9, maxsize=256 << 20, encoder=False, verbose=0) as writer:
    for folder, _, names in os.walk(files):
        for name in sorted(names):
            path = os.path.join(folder, name)
            key, extension = os.path.splitext(os.path.relpath(path, files))
            with open(path, "rb") as file:
                writer.write({"__key__": key, extension[1:]: file.read()})
for name in os.listdir(shards):
    with open(os.path.join(shards, name), "rb") as file:
        os.fsync(file)
