"""Writes the files as shards with Python's webdataset: write_shards.py FILES SHARDS. Names that it cannot write are left out."""

import os
import sys

import samples
import webdataset as wds

files, shards = sys.argv[1:]
os.makedirs(shards)
with wds.ShardWriter(shards + "/theirs-%06d.tar", maxcount=50, encoder=False, verbose=0) as writer:
    for key, members in sorted(samples.by_webdataset(files).items()):
        # It wants text for names, and no extension that is empty or begins like its own fields.
        if all(name and name.isprintable() and name[0] != "_" for name in (key, *members)):
            writer.write({"__key__": key, **members})
