"""Writes the files as shards with Python's webdataset."""

import glob
import os
import sys

import webdataset as wds

files, shards = sys.argv[1:]
os.makedirs(shards)
with wds.TarWriter(shards + "/theirs-000000.tar") as writer:
    for path in sorted(glob.glob(files + "/train/*.jpg")):
        with open(path, "rb") as file:
            writer.write({"__key__": os.path.relpath(path, files)[:-4], "jpg": file.read()})
