"""Compares every sample that a reader finds in shards with the files they were packed from:
read_shards.py webdataset|huggingface FILES SHARDS"""

import glob
import sys

import samples


def webdataset(paths):
    import webdataset as wds

    return wds.WebDataset(paths, shardshuffle=False)


def huggingface(paths):
    from datasets.packaged_modules.webdataset.webdataset import WebDataset
    from datasets.utils.file_utils import ArchiveIterable

    class Undecoded(WebDataset):
        DECODERS = {}

    for path in paths:
        yield from Undecoded._get_pipeline_from_tar(path, ArchiveIterable.from_urlpath(path))


reader, files, shards = sys.argv[1:]
expected = {"webdataset": samples.by_webdataset, "huggingface": samples.by_huggingface}[reader](files)
found = {}
paths = sorted(path for path in glob.glob(shards + "/*.tar*") if not path.endswith(".tarnidx"))
for sample in {"webdataset": webdataset, "huggingface": huggingface}[reader](paths):
    key = sample["__key__"]
    assert key not in found, f"{key!r} came twice"
    found[key] = {name: value for name, value in sample.items() if not name.startswith("__")}
problems = samples.unlike(expected, found)
assert not problems, problems
print(len(found), "samples")
