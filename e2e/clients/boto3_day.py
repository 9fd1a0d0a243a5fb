"""One user's day with boto3: every byte, ETag and checksum compared.

Environment: ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY; AWS_CA_BUNDLE over https. BUCKET_MADE: the
bucket is there, and stays. TRIES_MAX: how often the day itself tries what boto3 does not repeat, once unless
said otherwise.
"""

import base64
import hashlib
import os
import ssl
import time
import urllib.error
import urllib.request
import zlib

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError, IncompleteReadError, ResponseStreamingError

ENDPOINT = os.environ["ENDPOINT"]
BUCKET = os.environ["BUCKET"]
BUCKET_MADE = "BUCKET_MADE" in os.environ
TRIES_MAX = int(os.environ.get("TRIES_MAX", "1"))
BROKEN_OFF = (IncompleteReadError, ResponseStreamingError, urllib.error.HTTPError, ConnectionError)
ODD_KEYS = [
    "a//b",
    "a/../b",
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


def main():
    s3 = client()
    if not BUCKET_MADE:
        s3.create_bucket(Bucket=BUCKET)
    s3.head_bucket(Bucket=BUCKET)
    assert BUCKET in [b["Name"] for b in s3.list_buckets()["Buckets"]]

    small = os.urandom(8192)
    for key in ODD_KEYS:
        put = s3.put_object(
            Bucket=BUCKET, Key=key, Body=small, ContentType="a/b", Metadata={"who": "me"}
        )
        assert put["ETag"] == '"%s"' % hashlib.md5(small).hexdigest(), put
        got = s3.get_object(Bucket=BUCKET, Key=key, ChecksumMode="ENABLED")
        assert got["Body"].read() == small
        assert got["ContentType"] == "a/b" and got["Metadata"] == {"who": "me"}
        crc = base64.b64encode(zlib.crc32(small).to_bytes(4, "big")).decode()
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

    pages = s3.get_paginator("list_objects_v2").paginate(
        Bucket=BUCKET, PaginationConfig={"PageSize": 2}
    )
    listed = [o["Key"] for page in pages for o in page.get("Contents", [])]
    assert listed == sorted(ODD_KEYS, key=lambda k: k.encode()), listed
    grouped = s3.list_objects_v2(Bucket=BUCKET, Delimiter="/")
    assert [p["Prefix"] for p in grouped["CommonPrefixes"]] == ["a/", "folder/", "é/"]
    assert s3.list_objects(Bucket=BUCKET, Prefix="a//")["Contents"][0]["Key"] == "a//b"

    large = os.urandom(1 << 20) * 20
    with open(os.path.join(os.environ["WORK"], "large"), "wb") as file:
        file.write(large)
    transfer = TransferConfig(multipart_threshold=8 << 20, multipart_chunksize=8 << 20)
    s3.upload_file(file.name, BUCKET, "large", Config=transfer)
    assert s3.head_object(Bucket=BUCKET, Key="large")["ETag"].endswith('-3"')
    s3.download_file(BUCKET, "large", file.name + ".back", Config=transfer)
    with open(file.name + ".back", "rb") as back:
        assert back.read() == large
    s3.put_object(Bucket=BUCKET, Key="one-put", Body=large)
    assert read(s3, "one-put") == large

    s3.copy_object(Bucket=BUCKET, Key="copy", CopySource={"Bucket": BUCKET, "Key": "é/ü"})
    assert read(s3, "copy") == small
    s3.copy({"Bucket": BUCKET, "Key": "large"}, BUCKET, "large-copy", Config=transfer)
    assert s3.head_object(Bucket=BUCKET, Key="large-copy")["ContentLength"] == len(large)

    refused("PreconditionFailed", s3.put_object, Bucket=BUCKET, Key="copy", IfNoneMatch="*")
    arguments = {"Bucket": BUCKET, "Key": "with space"}
    for version in (None, "s3v4"):
        signer = client(signature_version=version) if version else s3
        assert fetch(signer.generate_presigned_url("get_object", Params=arguments)) == small

    every = [o["Key"] for o in s3.list_objects_v2(Bucket=BUCKET)["Contents"]]
    refused("BucketNotEmpty", s3.delete_bucket, Bucket=BUCKET)
    s3.delete_object(Bucket=BUCKET, Key="never-there")
    gone = s3.delete_objects(
        Bucket=BUCKET, Delete={"Objects": [{"Key": key} for key in every]}
    )
    assert len(gone["Deleted"]) == len(every) and "Errors" not in gone
    assert "Contents" not in s3.list_objects_v2(Bucket=BUCKET)
    if not BUCKET_MADE:
        s3.delete_bucket(Bucket=BUCKET)
        refused("404", s3.head_bucket, Bucket=BUCKET)


main()
