#!/usr/bin/env python3
"""Puts objects and reads them back until told to stop (SIGTERM), then reads and lists all that were acknowledged.

usage: load.py ENDPOINT BUCKET PREFIX [--threads N] [--bytes N] [--count N]

Retries as boto3 does by default, up to 10 attempts; its standard mode would give up for the whole client once many
requests fail at a time. Ends with one line of figures; exit code 1 when an acknowledged object is missing or has other
bytes, 2 when a request failed after all its attempts.
"""
import argparse
import hashlib
import signal
import sys
import threading
import time

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

VERIFY_ATTEMPTS = 60


class Load:
    def __init__(self, options):
        self.options = options
        self.client = boto3.client(
            "s3",
            endpoint_url=options.endpoint,
            region_name="us-east-1",
            config=Config(
                retries={"mode": "legacy", "max_attempts": 10},
                connect_timeout=2,
                read_timeout=20,
                max_pool_connections=options.threads,
                s3={"addressing_style": "path"},
            ),
        )
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.acknowledged, self.failures = [], []
        self.last_success, self.longest_gap = time.monotonic(), 0.0

    def content(self, key):
        seed = hashlib.sha256(key.encode()).digest()
        return (seed * (self.options.bytes // len(seed) + 1))[: self.options.bytes]

    def succeeded(self):
        now = time.monotonic()
        self.longest_gap = max(self.longest_gap, now - self.last_success)
        self.last_success = now

    def work(self, thread):
        number = 0
        while not self.stop.is_set() and (not self.options.count or number < self.options.count):
            key = f"{self.options.prefix}/{thread:02d}/{number:06d}"
            number += 1
            try:
                self.client.put_object(Bucket=self.options.bucket, Key=key, Body=self.content(key))
                with self.lock:
                    self.acknowledged.append(key)
                    self.succeeded()
                if not self.is_whole(key):
                    raise ValueError("other bytes than were put")
                with self.lock:
                    self.succeeded()
            except (BotoCoreError, ClientError, ValueError) as e:
                with self.lock:
                    self.failures.append(f"{time.strftime('%T')} {key}: {e}")

    def is_whole(self, key):
        body = self.client.get_object(Bucket=self.options.bucket, Key=key)["Body"].read()
        return body == self.content(key)

    def run(self):
        signal.signal(signal.SIGTERM, lambda *_: self.stop.set())
        threads = [threading.Thread(target=self.work, args=(i,)) for i in range(self.options.threads)]
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - begun
        lost = self.lost()
        for line in self.failures[:10] + [f"lost: {key}" for key in lost[:10]]:
            print(line)
        print(
            f"load acknowledged={len(self.acknowledged)} seconds={seconds:.0f} failed={len(self.failures)}"
            f" lost={len(lost)} longest_gap_seconds={self.longest_gap:.1f}"
        )
        return 1 if lost else 2 if self.failures else 0

    def lost(self):
        """The acknowledged ones that are not listed or not whole, once the service answers again."""
        listed = self.patiently(self.listed)
        return [
            key for key in self.acknowledged if key not in listed or not self.patiently(lambda key=key: self.is_whole(key))
        ]

    def listed(self):
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.options.bucket, Prefix=self.options.prefix)
        return {item["Key"] for page in pages for item in page.get("Contents", [])}

    @staticmethod
    def patiently(step):
        for attempt in range(VERIFY_ATTEMPTS):
            try:
                return step()
            except (BotoCoreError, ClientError):
                if attempt == VERIFY_ATTEMPTS - 1:
                    raise
                time.sleep(1)
        raise AssertionError


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("endpoint")
    parser.add_argument("bucket")
    parser.add_argument("prefix")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--bytes", type=int, default=64 << 10)
    parser.add_argument("--count", type=int, default=0, help="objects of each thread; 0 until told to stop")
    sys.exit(Load(parser.parse_args()).run())


main()
