#!/usr/bin/env python3
"""Writes placement-vectors.txt: the placement of keys, computed apart from the Java code.

A line: bucket id, key in hexadecimal, XXH64 of the key, target by equal weights, target by weights
1 2 3 4 5, disk by weights 100 100 50.
"""
import math
import random
import sys

M = (1 << 64) - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                      0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotl(x, r):
    return ((x << r) | (x >> (64 - r))) & M


def rnd(acc, x):
    return rotl((acc + x * P2) & M, 31) * P1 & M


def avalanche(h):
    h = (h ^ (h >> 33)) * P2 & M
    h = (h ^ (h >> 29)) * P3 & M
    return h ^ (h >> 32)


def xxh64(data, seed):
    n, i = len(data), 0
    if n >= 32:
        v = [(seed + P1 + P2) & M, (seed + P2) & M, seed, (seed - P1) & M]
        while i <= n - 32:
            for lane in range(4):
                v[lane] = rnd(v[lane], int.from_bytes(data[i:i + 8], "little"))
                i += 8
        h = (rotl(v[0], 1) + rotl(v[1], 7) + rotl(v[2], 12) + rotl(v[3], 18)) & M
        for lane in v:
            h = ((h ^ rnd(0, lane)) * P1 + P4) & M
    else:
        h = (seed + P5) & M
    h = (h + n) & M
    while i <= n - 8:
        h = (rotl(h ^ rnd(0, int.from_bytes(data[i:i + 8], "little")), 27) * P1 + P4) & M
        i += 8
    if i <= n - 4:
        h = (rotl(h ^ int.from_bytes(data[i:i + 4], "little") * P1 & M, 23) * P2 + P3) & M
        i += 4
    while i < n:
        h = rotl(h ^ data[i] * P5 & M, 11) * P1 & M
        i += 1
    return avalanche(h)


def winner(key_hash, members, seed):
    def score(member):
        name, weight = member
        h = avalanche(key_hash ^ xxh64(name.encode(), seed))
        return weight / -math.log(((h >> 12) + 0.5) / 2 ** 52), h
    return max(sorted(members), key=score)[0]


assert xxh64(b"", 0) == 0xEF46DB3751D8E999
assert xxh64(b"Nobody inspects the spammish repetition", 0) == 0xFBCEA83C8A378BF1

targets = [f"target-{i}" for i in range(1, 6)]
disks = [("disk-a", 100), ("disk-b", 100), ("disk-c", 50)]
random.seed(1)
keys = ["a", "shard-000000.tar", "photos/2024/été.jpg", "\U00010000/\uffff", "x" * 31, "x" * 32,
        "x" * 33, "k" * 1024]
keys += ["".join(random.choice("abcdefghij/0123456789-_.") for _ in range(random.randint(1, 120)))
         for _ in range(120)]
with open(sys.argv[1], "w", encoding="ascii") as out:
    for key in keys:
        bucket = random.choice([1, 2, 77, (1 << 63) - 1])
        data = key.encode()
        h = xxh64(data, bucket)
        out.write(" ".join([
            str(bucket), data.hex(), f"{h:016x}",
            winner(h, [(t, 1) for t in targets], 1),
            winner(h, [(t, i + 1) for i, t in enumerate(targets)], 1),
            winner(h, disks, 2)]) + "\n")
