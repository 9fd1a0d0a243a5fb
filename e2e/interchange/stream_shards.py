"""Streams shards out of an S3 through a torch DataLoader with 2 workers and compares the samples with the files:
stream_shards.py public|presigned|pipe FILES BUCKET PREFIX; the S3 and its keys are in AWS_* of the environment."""

import os
import sys

import boto3
import samples
import torch.utils.data
import webdataset as wds

way, files, bucket, prefix = sys.argv[1:]
endpoint = os.environ["AWS_ENDPOINT_URL"]
s3 = boto3.client("s3")
pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix + "/")
keys = [item["Key"] for page in pages for item in page["Contents"] if item["Key"].endswith(".tar")]
urls = {
    "public": lambda key: f"{endpoint}/{bucket}/{key}",
    "presigned": lambda key: s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": key}),
    "pipe": lambda key: f"pipe:aws s3 cp s3://{bucket}/{key} -",
}[way]

if way != "pipe":
    # Who reads by URL has no keys.
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
dataset = wds.WebDataset([urls(key) for key in keys], shardshuffle=False)
found, workers = {}, set()


def by_worker(sample):
    return torch.utils.data.get_worker_info().id, sample


for worker, sample in torch.utils.data.DataLoader(dataset.map(by_worker), batch_size=None, num_workers=2):
    key = sample["__key__"]
    assert key not in found, f"{key!r} came twice"
    workers.add(worker)
    found[key] = {name: bytes(value) for name, value in sample.items() if not name.startswith("__")}
assert workers == {0, 1}, f"only the workers {workers} had samples"
problems = samples.unlike(samples.by_webdataset(files), found)
assert not problems, problems
print(len(found), "samples of", len(keys), "shards")
