"""Makes, empties or removes a bucket for a day whose tool does not: bucket.py make|lock|empty|restore|clear|remove.

lock makes it with object lock, so that new versions are retained for a day. restore removes the delete markers in front of
such versions. clear removes all versions, whatever retains them.
"""

import os
import sys

import boto3
from botocore.exceptions import ClientError

s3 = boto3.resource("s3", endpoint_url=os.environ["ENDPOINT"], region_name="us-east-1")
bucket = s3.Bucket(os.environ["BUCKET"])


def lock():
    bucket.create(ObjectLockEnabledForBucket=True)
    s3.meta.client.put_object_lock_configuration(
        Bucket=bucket.name,
        ObjectLockConfiguration={
            "ObjectLockEnabled": "Enabled",
            "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}},
        },
    )


def versions():
    for page in s3.meta.client.get_paginator("list_object_versions").paginate(Bucket=bucket.name):
        yield page


def restore():
    for version in [v for page in versions() for v in page.get("Versions", [])]:
        try:
            s3.ObjectVersion(bucket.name, version["Key"], version["VersionId"]).delete()
        except ClientError as error:
            assert error.response["Error"]["Code"] == "AccessDenied", error.response
        else:
            raise AssertionError(f"{version} was not retained")
    for marker in [m for page in versions() for m in page.get("DeleteMarkers", [])]:
        s3.ObjectVersion(bucket.name, marker["Key"], marker["VersionId"]).delete()


def clear():
    bucket.object_versions.delete(BypassGovernanceRetention=True)


{
    "make": bucket.create,
    "lock": lock,
    "empty": bucket.objects.delete,
    "restore": restore,
    "clear": clear,
    "remove": bucket.delete,
}[sys.argv[1]]()
