"""One user's day with boto3: every byte, ETag and checksum compared.

Environment: ENDPOINT, BUCKET, WORK (an empty folder), INPUT (with the folder tree and the file large),
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; AWS_CA_BUNDLE over https. BUCKET_MADE: the bucket is there, and stays.
TRIES_MAX: how often the day itself tries what boto3 does not repeat, once unless said otherwise.
"""

import base64
import datetime
import hashlib
import os
import pathlib
import ssl
import time
import urllib.error
import urllib.request
import zlib
from concurrent.futures import ThreadPoolExecutor

import boto3
import botocore
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError, IncompleteReadError, ResponseStreamingError

ENDPOINT = os.environ["ENDPOINT"]
INPUT = pathlib.Path(os.environ["INPUT"])
BUCKET = os.environ["BUCKET"]
BUCKET_MADE = "BUCKET_MADE" in os.environ
TRIES_MAX = int(os.environ.get("TRIES_MAX", "1"))
BROKEN_OFF = (IncompleteReadError, ResponseStreamingError, urllib.error.HTTPError, ConnectionError)
CALLS_MAX = 8
PART_BYTES = 8 << 20
CHECKSUMS = tuple(map(int, botocore.__version__.split(".")[:2])) >= (1, 36)
CONDITIONS = tuple(map(int, botocore.__version__.split(".")[:2])) >= (1, 35)
ODD_KEYS = [
    "a//b",
    "a/../b",
    "/leading",
    "\ufffd",
    "\U0001f600",
    "%2F",
    "plus+sign",
    "é/ü",
    "with space",
    "*'()!~",
    "folder/",
    "x" * 1024,
]


def client(**config):
    return boto3.client(
        "s3",
        endpoint_url=ENDPOINT,
        region_name="us-east-1",
        config=Config(s3={"addressing_style": "path"}, **config),
    )


def repeated(read):
    """boto3 repeats a request, but neither a body that breaks off nor what another fetches by URL."""
    for attempt in range(TRIES_MAX):
        try:
            return read()
        except BROKEN_OFF as failure:
            if attempt + 1 == TRIES_MAX or getattr(failure, "code", 503) != 503:
                raise
            print(f"once more after {failure!r}")
            time.sleep(1)


def read(s3, key):
    return repeated(lambda: s3.get_object(Bucket=BUCKET, Key=key)["Body"].read())


def fetch(url):
    context = None
    if url.startswith("https"):
        context = ssl.create_default_context(cafile=os.environ["AWS_CA_BUNDLE"])

    def opened():
        with urllib.request.urlopen(url, context=context) as answer:
            return answer.read()

    return repeated(opened)


def refused(code, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error.response
        return
    raise AssertionError(f"{arguments} was not refused with {code}")


def put_odd_keys(s3):
    small = os.urandom(8192)
    crc = base64.b64encode(zlib.crc32(small).to_bytes(4, "big")).decode()
    for key in ODD_KEYS:
        put = s3.put_object(
            Bucket=BUCKET, Key=key, Body=small, ContentType="a/b", Metadata={"who": "me"}
        )
        assert put["ETag"] == '"%s"' % hashlib.md5(small).hexdigest(), put
        got = s3.get_object(Bucket=BUCKET, Key=key, ChecksumMode="ENABLED")
        assert got["Body"].read() == small
        assert got["ContentType"] == "a/b" and got["Metadata"] == {"who": "me"}
        if CHECKSUMS:
            assert got["ChecksumCRC32"] == crc, got
        head = s3.head_object(Bucket=BUCKET, Key=key)
        assert head["ContentLength"] == 8192 and head["ETag"] == put["ETag"]

    part = s3.get_object(Bucket=BUCKET, Key="a//b", Range="bytes=100-199")
    assert part["Body"].read() == small[100:200]
    assert part["ContentRange"] == "bytes 100-199/8192"
    suffix = s3.get_object(Bucket=BUCKET, Key="a//b", Range="bytes=-10")
    assert suffix["Body"].read() == small[-10:]
    refused("InvalidRange", s3.get_object, Bucket=BUCKET, Key="a//b", Range="bytes=8192-")
    refused("NoSuchKey", s3.get_object, Bucket=BUCKET, Key="missing")
    if not BUCKET_MADE:  # Else the control plane may be away, and no bucket is said to be missing.
        refused("NoSuchBucket", s3.get_object, Bucket=BUCKET + "-none", Key="missing")

    assert keys(s3, PageSize=2) == sorted(ODD_KEYS, key=lambda k: k.encode())
    grouped = s3.list_objects_v2(Bucket=BUCKET, Delimiter="/")
    assert [p["Prefix"] for p in grouped["CommonPrefixes"]] == ["/", "a/", "folder/", "é/"]
    assert s3.list_objects(Bucket=BUCKET, Prefix="a//")["Contents"][0]["Key"] == "a//b"
    return small


def keys(s3, prefix="", **paging):
    pages = s3.get_paginator("list_objects_v2").paginate(
        Bucket=BUCKET, Prefix=prefix, PaginationConfig=paging
    )
    return [o["Key"] for page in pages for o in page.get("Contents", [])]


def sync_tree(s3):
    """Up, listed, and down again; gives the keys."""
    root = INPUT / "tree"
    files = {f"tree/{f.relative_to(root)}": f for f in root.rglob("*") if f.is_file()}
    with ThreadPoolExecutor(CALLS_MAX) as pool:
        list(pool.map(lambda key: s3.upload_file(str(files[key]), BUCKET, key), files))
        assert keys(s3, "tree/") == sorted(files, key=lambda k: k.encode())
        for key, got in zip(files, pool.map(lambda key: read(s3, key), files)):
            assert got == files[key].read_bytes(), key
    return list(files)


def transfer_large(s3):
    path, back = INPUT / "large", os.path.join(os.environ["WORK"], "large")
    transfer = TransferConfig(multipart_threshold=PART_BYTES, multipart_chunksize=PART_BYTES)
    s3.upload_file(str(path), BUCKET, "large", Config=transfer)
    size = path.stat().st_size
    parts = -(-size // PART_BYTES)
    assert s3.head_object(Bucket=BUCKET, Key="large")["ETag"].endswith(f'-{parts}"')
    s3.download_file(BUCKET, "large", back, Config=transfer)
    large = path.read_bytes()
    assert pathlib.Path(back).read_bytes() == large
    middle = size // 2
    some = s3.get_object(Bucket=BUCKET, Key="large", Range=f"bytes={middle}-{middle + 99}")
    assert some["Body"].read() == large[middle : middle + 100]
    first = s3.get_object(Bucket=BUCKET, Key="large", PartNumber=1)
    assert first["PartsCount"] == parts and first["ContentLength"] == min(size, PART_BYTES)
    first["Body"].close()
    s3.put_object(Bucket=BUCKET, Key="one-put", Body=large[: 20 << 20])
    assert read(s3, "one-put") == large[: 20 << 20]
    s3.copy({"Bucket": BUCKET, "Key": "large"}, BUCKET, "large-copy", Config=transfer)
    assert s3.head_object(Bucket=BUCKET, Key="large-copy")["ContentLength"] == size


def copy_and_overwrite(s3, small):
    source = {"Bucket": BUCKET, "Key": "é/ü"}
    s3.copy_object(Bucket=BUCKET, Key="copy", CopySource=source)
    assert read(s3, "copy") == small
    assert s3.head_object(Bucket=BUCKET, Key="copy")["Metadata"] == {"who": "me"}
    s3.copy_object(
        Bucket=BUCKET,
        Key="copy",
        CopySource=source,
        MetadataDirective="REPLACE",
        Metadata={"a": "b"},
    )
    assert s3.head_object(Bucket=BUCKET, Key="copy")["Metadata"] == {"a": "b"}
    s3.put_object(Bucket=BUCKET, Key="copy", Body=b"other")
    assert read(s3, "copy") == b"other"


def write_under_conditions(s3):
    if not CONDITIONS:
        print("note: no conditional write: it knows no IfNoneMatch yet")
        return
    refused("PreconditionFailed", s3.put_object, Bucket=BUCKET, Key="copy", IfNoneMatch="*")
    etag = s3.head_object(Bucket=BUCKET, Key="copy")["ETag"]
    if not BUCKET_MADE:  # Else a repetition may meet what the first attempt has changed.
        s3.put_object(Bucket=BUCKET, Key="once", Body=b"once", IfNoneMatch="*")
        s3.put_object(Bucket=BUCKET, Key="copy", Body=b"new", IfMatch=etag)
        refused("PreconditionFailed", s3.put_object, Bucket=BUCKET, Key="copy", IfMatch=etag)


def lock_versions(s3):
    """Object lock: a retained version stays until who may ends its retention."""
    locked = {"Bucket": BUCKET + "-locked"}
    s3.create_bucket(**locked, ObjectLockEnabledForBucket=True)
    assert s3.get_bucket_versioning(**locked)["Status"] == "Enabled"
    rule = {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}
    s3.put_object_lock_configuration(
        **locked, ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": rule}
    )
    read_rule = s3.get_object_lock_configuration(**locked)["ObjectLockConfiguration"]["Rule"]
    assert read_rule == rule, read_rule
    version = s3.put_object(**locked, Key="one", Body=b"1")["VersionId"]
    one = {**locked, "Key": "one", "VersionId": version}
    assert s3.head_object(**one)["ObjectLockMode"] == "GOVERNANCE"
    refused("AccessDenied", s3.delete_object, **one)
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
    until = until.replace(microsecond=0)
    s3.put_object_retention(**one, Retention={"Mode": "GOVERNANCE", "RetainUntilDate": until})
    assert s3.get_object_retention(**one)["Retention"]["RetainUntilDate"] == until
    s3.put_object_legal_hold(**one, LegalHold={"Status": "ON"})
    assert s3.get_object_legal_hold(**one)["LegalHold"]["Status"] == "ON"
    refused("AccessDenied", s3.delete_object, **one, BypassGovernanceRetention=True)
    s3.put_object_legal_hold(**one, LegalHold={"Status": "OFF"})
    hidden = s3.delete_object(**locked, Key="one")
    assert hidden["DeleteMarker"] and s3.get_object(**one)["Body"].read() == b"1"
    s3.delete_object(**one, BypassGovernanceRetention=True)
    s3.delete_object(**locked, Key="one", VersionId=hidden["VersionId"])
    s3.delete_bucket(**locked)


def main():
    print(f"version: boto3 {boto3.__version__}")
    s3 = client(max_pool_connections=CALLS_MAX)
    if not BUCKET_MADE:
        s3.create_bucket(Bucket=BUCKET)
    s3.head_bucket(Bucket=BUCKET)
    assert BUCKET in [b["Name"] for b in s3.list_buckets()["Buckets"]]

    small = put_odd_keys(s3)
    sync_tree(s3)
    transfer_large(s3)
    copy_and_overwrite(s3, small)
    write_under_conditions(s3)
    arguments = {"Bucket": BUCKET, "Key": "with space"}
    for version in (None, "s3v4"):
        signer = client(signature_version=version) if version else s3
        assert fetch(signer.generate_presigned_url("get_object", Params=arguments)) == small

    if not BUCKET_MADE:
        lock_versions(s3)
        refused("BucketNotEmpty", s3.delete_bucket, Bucket=BUCKET)
    s3.delete_object(Bucket=BUCKET, Key="never-there")
    every = keys(s3)
    for at in range(0, len(every), 1000):
        some = every[at : at + 1000]
        gone = s3.delete_objects(
            Bucket=BUCKET, Delete={"Objects": [{"Key": key} for key in some]}
        )
        assert len(gone["Deleted"]) == len(some) and "Errors" not in gone
    assert "Contents" not in s3.list_objects_v2(Bucket=BUCKET)
    if not BUCKET_MADE:
        s3.delete_bucket(Bucket=BUCKET)
        refused("404", s3.head_bucket, Bucket=BUCKET)


main()
