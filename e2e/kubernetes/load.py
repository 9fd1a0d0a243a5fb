#!/usr/bin/env python3
"""Puts objects and reads them back until told to stop (SIGTERM), then reads and lists all that were acknowledged.

usage: load.py ENDPOINT BUCKET PREFIX [--threads N] [--bytes N] [--count N] [--large-bytes N] [--mode M] [--attempts N]

Retries as boto3 does in its mode standard, 5 attempts, unless told otherwise. Ends with one line of figures. Exit code 1
when an acknowledged object is missing, when a GET had other bytes than were put, when something else went wrong than a
request, or when nothing succeeded at all or in the last seconds before the end; 2 when a request failed after all its
attempts.
"""
import argparse
import hashlib
import itertools
import signal
import sys
import threading
import time

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

VERIFY_ATTEMPTS = 60
# The thread for large objects overwrites the same objects to bound the disk space.
LARGE_OBJECTS = 4
# The maximum age of the last success at the end.
RECENT_SECONDS = 5


class Load:
    def __init__(self, options):
        self.options = options
        self.client = boto3.client(
            "s3",
            endpoint_url=options.endpoint,
            region_name="us-east-1",
            config=Config(
                retries={"mode": options.mode, "total_max_attempts": options.attempts},
                connect_timeout=2,
                read_timeout=20,
                max_pool_connections=options.threads + 1,
                s3={"addressing_style": "path"},
            ),
        )
        self.stop = threading.Event()
        self.lock = threading.Lock()
        self.acknowledged, self.failures, self.wrong = set(), [], []
        self.requests = 0
        self.last_success, self.longest_gap = time.monotonic(), 0.0
        self.stopped = None

    def content(self, key):
        seed = hashlib.sha256(key.encode()).digest()
        size = self.options.large_bytes if "/large/" in key else self.options.bytes
        return (seed * (size // len(seed) + 1))[:size]

    def succeeded(self):
        now = time.monotonic()
        self.longest_gap = max(self.longest_gap, now - self.last_success)
        self.last_success = now
        self.requests += 1

    def keys(self, thread):
        for number in range(self.options.count) if self.options.count else itertools.count():
            yield f"{self.options.prefix}/{thread:02d}/{number:06d}"

    def large_keys(self):
        for number in itertools.count():
            yield f"{self.options.prefix}/large/{number % LARGE_OBJECTS}"

    def work(self, keys):
        for key in keys:
            if self.stop.is_set():
                return
            try:
                self.client.put_object(Bucket=self.options.bucket, Key=key, Body=self.content(key))
                with self.lock:
                    self.acknowledged.add(key)
                    self.succeeded()
                whole = self.is_whole(key)
                with self.lock:
                    if whole:
                        self.succeeded()
                    else:
                        self.wrong.append(f"{time.strftime('%T')} {key}: other bytes than were put")
            except (BotoCoreError, ClientError) as e:
                with self.lock:
                    self.failures.append(f"{time.strftime('%T')} {key}: {e}")
            except Exception as e:
                with self.lock:
                    self.wrong.append(f"{time.strftime('%T')} {key}: {e!r}")

    def is_whole(self, key):
        body = self.client.get_object(Bucket=self.options.bucket, Key=key)["Body"].read()
        return body == self.content(key)

    def end(self):
        self.stopped = time.monotonic()
        self.stop.set()

    def run(self):
        signal.signal(signal.SIGTERM, lambda *_: self.end())
        all_keys = [self.keys(thread) for thread in range(self.options.threads)]
        if self.options.large_bytes:
            all_keys.append(self.large_keys())
        threads = [threading.Thread(target=self.work, args=(keys,)) for keys in all_keys]
        begun = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - begun
        if not self.acknowledged:
            self.wrong.append("no object was acknowledged")
        elif self.stopped and self.last_success < self.stopped - RECENT_SECONDS:
            self.wrong.append(f"nothing succeeded in the last {self.stopped - self.last_success:.0f} seconds")
        lost = self.lost()
        for line in self.failures[:10] + self.wrong[:10] + [f"lost: {key}" for key in lost[:10]]:
            print(line)
        print(
            f"load acknowledged={len(self.acknowledged)} requests={self.requests} seconds={seconds:.0f}"
            f" failed={len(self.failures)} wrong={len(self.wrong)} lost={len(lost)}"
            f" longest_gap_seconds={self.longest_gap:.1f}"
        )
        return 1 if lost or self.wrong else 2 if self.failures else 0

    def lost(self):
        """The acknowledged ones that are not listed or not whole, once the service answers again."""
        listed = self.patiently(self.listed)
        return [
            key for key in sorted(self.acknowledged) if key not in listed or not self.patiently(lambda key=key: self.is_whole(key))
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
    parser.add_argument("--large-bytes", type=int, default=0, help="size of the objects of one thread more; 0 for none")
    parser.add_argument("--mode", default="standard", help="how boto3 retries: legacy, standard or adaptive")
    parser.add_argument("--attempts", type=int, default=5, help="of each request, the first included")
    sys.exit(Load(parser.parse_args()).run())


main()
