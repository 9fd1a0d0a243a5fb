"""Compares what the SDK reads, sample by sample, with what Python's webdataset reads of the same shards in this very process:
ReadSamples.java ... | compare_sdk.py dataset SHARDS [any-order]
ReadSamples.java ... | compare_sdk.py each LIST [from-index]
Of a dataset the order counts, unless it is shuffled. Of each shard of a list both read the same samples, or both refuse it;
with an index the SDK refuses it before the first sample, without one where webdataset does."""

import glob
import hashlib
import itertools
import json
import sys

import webdataset as wds
from webdataset.tariterators import tarfile_samples

OWN = ("__key__", "__url__", "__local_path__")


def described(sample):
    members = [[name, hashlib.sha256(data).hexdigest()] for name, data in sample.items() if name not in OWN]
    return {"key": sample["__key__"], "members": members}


def by_webdataset(shard):
    """The samples up to the end or to the error, and the error."""
    found = []
    try:
        for sample in tarfile_samples([{"url": shard}]):
            found.append(described(sample))
    except Exception as error:
        return found, f"{type(error).__name__}: {error}"
    return found, None


def by_sdk():
    """The same by shard."""
    read = {}
    for line in sys.stdin:
        said = json.loads(line)
        found, _ = read.setdefault(said.pop("shard"), ([], None))
        if "error" in said:
            read[list(read)[-1]] = found, said["error"]
        else:
            found.append(said)
    return read


def first_difference(expected, found):
    for number, pair in enumerate(itertools.zip_longest(expected, found)):
        if pair[0] != pair[1]:
            return f"sample {number}: webdataset has {pair[0]}, the SDK has {pair[1]}"
    return None


how, shards, *rest = sys.argv[1:]
read = by_sdk()
problems = []
if how == "dataset":
    paths = sorted(glob.glob(shards + "/**/*.tar", recursive=True))
    expected = [described(sample) for sample in wds.WebDataset(paths, shardshuffle=False)]
    found, _ = read[""]
    if rest:
        expected.sort(key=lambda sample: sample["key"])
        found.sort(key=lambda sample: sample["key"])
    problems.append(first_difference(expected, found))
    print(len(expected), "samples")
else:
    count = refused = 0
    for shard in open(shards, encoding="utf-8").read().splitlines():
        expected, error = by_webdataset(shard)
        found, failure = read.get(shard, ([], None))
        count += len(expected)
        refused += error is not None
        if (error is None) != (failure is None):
            problems.append(f"{shard}: webdataset said {error}, the SDK {failure}")
        elif error is None or not rest:
            difference = first_difference(expected, found)
            problems.append(difference and f"{shard}: {difference}")
    print(count, "samples,", refused, "shards refused by both")
problems = [problem for problem in problems if problem]
assert not problems, f"{len(problems)} shards differ: " + "\n".join(problems[:5])
