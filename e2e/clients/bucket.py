"""Makes, empties or removes a bucket for a day whose tool does not: bucket.py make|empty|remove."""

import os
import sys

import boto3

s3 = boto3.resource("s3", endpoint_url=os.environ["ENDPOINT"], region_name="us-east-1")
bucket = s3.Bucket(os.environ["BUCKET"])
{"make": bucket.create, "empty": bucket.objects.delete, "remove": bucket.delete}[sys.argv[1]]()
