"""What rack asks of the gateways itself, without retries: rack_probe.py WHAT ENDPOINT... [BUCKET...]."""

import hashlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

KEPT = "kept-by-targets"
KEYS = [f"kept/{number:03}" for number in range(120)]
WAIT_MAX_S = 30
CALLS_MAX = 64  # At once: each call for a target that is away waits for it.


def client(endpoint):
    config = Config(
        s3={"addressing_style": "path"},
        retries={"total_max_attempts": 1},
        max_pool_connections=CALLS_MAX,
    )
    return boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1", config=config)


def bytes_of(key):
    """Every third object is too large for a log record: it is an extent."""
    size = 1 << 20 if int(key[-3:]) % 3 == 0 else 8192
    return (hashlib.sha256(key.encode()).digest() * (size // 32))[:size]


def get(s3, key):
    return s3.get_object(Bucket=KEPT, Key=key)["Body"].read()


def status(call, **arguments):
    try:
        call(**arguments)
        return 200
    except ClientError as error:
        return error.response["ResponseMetadata"]["HTTPStatusCode"]


def make(endpoint, *buckets):
    for bucket in buckets:
        client(endpoint).create_bucket(Bucket=bucket)


def known(endpoint, *buckets):
    for bucket in buckets:
        client(endpoint).head_bucket(Bucket=bucket)


def remove(endpoint, *buckets):
    for bucket in buckets:
        client(endpoint).delete_bucket(Bucket=bucket)


def refused(*endpoints):
    for endpoint in endpoints:
        assert status(client(endpoint).create_bucket, Bucket="made-without-control") == 503


def write(*endpoints):
    make(endpoints[0], KEPT)
    for number, key in enumerate(KEYS):
        client(endpoints[number % len(endpoints)]).put_object(
            Bucket=KEPT, Key=key, Body=bytes_of(key)
        )


def degraded(*endpoints):
    away = None
    for s3 in map(client, endpoints):
        with ThreadPoolExecutor(CALLS_MAX) as pool:
            heads = pool.map(lambda key: status(s3.head_object, Bucket=KEPT, Key=key), KEYS)
        answers = dict(zip(KEYS, heads))
        missing = {key for key, answer in answers.items() if answer == 503}
        assert set(answers.values()) == {200, 503}, answers
        assert away is None or away == missing, "the gateways disagree on what is away"
        away = missing
        for key in KEYS:
            if key in missing:
                continue
            assert get(s3, key) == bytes_of(key), key
        some = min(missing)
        for call, arguments in (
            (s3.get_object, {"Key": some}),
            (s3.put_object, {"Key": some, "Body": b"elsewhere"}),
            (s3.delete_object, {"Key": some}),
            (s3.list_objects_v2, {}),
            (s3.list_objects_v2, {"Prefix": "kept/", "MaxKeys": 1}),
        ):
            answer = status(call, Bucket=KEPT, **arguments)
            assert answer == 503, f"{call.__name__} {arguments}: {answer}"
    print(f"{len(away)} of {len(KEYS)} keys were away")


def whole(*endpoints):
    for s3 in map(client, endpoints):
        deadline = time.monotonic() + WAIT_MAX_S
        while status(s3.list_objects_v2, Bucket=KEPT) != 200:
            assert time.monotonic() < deadline, f"LIST does not answer for {WAIT_MAX_S} s"
            time.sleep(0.2)
        pages = s3.get_paginator("list_objects_v2").paginate(
            Bucket=KEPT, PaginationConfig={"PageSize": 7}
        )
        assert [o["Key"] for page in pages for o in page["Contents"]] == KEYS
        for key in KEYS:
            assert get(s3, key) == bytes_of(key), key


{f.__name__: f for f in (make, known, remove, refused, write, degraded, whole)}[sys.argv[1]](
    *sys.argv[2:]
)
