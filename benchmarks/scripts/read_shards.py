"""Reads local shards with webdataset in one process: read_shards.py SHARDS. Prints samples, bytes and seconds."""

import glob
import sys
import time

import webdataset as wds

shards = sorted(glob.glob(sys.argv[1] + "/*.tar"))
start = time.perf_counter()
samples = size = 0
for sample in wds.WebDataset(shards, shardshuffle=False):
    samples += 1
    size += len(sample["bin"])
print(samples, size, time.perf_counter() - start)
