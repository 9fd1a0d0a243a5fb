package dev.tarn.cluster.map;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;

/**
 * The hash that places objects: XXH64 of the key's bytes, with the bucket id as seed. It must never
 * change, because every stored object would then be looked up elsewhere. Test vectors pin it.
 */
final class PlacementHash {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private PlacementHash() {}

  static long ofKey(BucketId bucket, ObjectKey key) {
    return xxh64(key, bucket.value());
  }

  /** The hash of a member's id. The seed separates a target and a disk with the same id. */
  static long ofMember(String id, long seed) {
    return xxh64(ObjectKey.of(id.getBytes(UTF_8)), seed);
  }

  /** The hash of a key and a member, before weights: well mixed, and different for each member. */
  static long attraction(long keyHash, long memberHash) {
    return avalanche(keyHash ^ memberHash);
  }

  static long xxh64(ObjectKey input, long seed) {
    int length = input.length();
    int at = 0;
    long hash;
    if (length >= 32) {
      long lane1 = seed + PRIME_1 + PRIME_2;
      long lane2 = seed + PRIME_2;
      long lane3 = seed;
      long lane4 = seed - PRIME_1;
      for (; at <= length - 32; at += 32) {
        lane1 = round(lane1, longAt(input, at));
        lane2 = round(lane2, longAt(input, at + 8));
        lane3 = round(lane3, longAt(input, at + 16));
        lane4 = round(lane4, longAt(input, at + 24));
      }
      hash =
          Long.rotateLeft(lane1, 1)
              + Long.rotateLeft(lane2, 7)
              + Long.rotateLeft(lane3, 12)
              + Long.rotateLeft(lane4, 18);
      hash = merge(merge(merge(merge(hash, lane1), lane2), lane3), lane4);
    } else {
      hash = seed + PRIME_5;
    }
    return avalanche(tail(hash + length, input, at));
  }

  private static long tail(long start, ObjectKey input, int from) {
    int length = input.length();
    int at = from;
    long hash = start;
    for (; at <= length - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, longAt(input, at)), 27) * PRIME_1 + PRIME_4;
    }
    if (at <= length - 4) {
      hash = Long.rotateLeft(hash ^ (intAt(input, at) * PRIME_1), 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < length; at++) {
      hash = Long.rotateLeft(hash ^ ((input.byteAt(at) & 0xFF) * PRIME_5), 11) * PRIME_1;
    }
    return hash;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long avalanche(long input) {
    long hash = (input ^ (input >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long longAt(ObjectKey input, int at) {
    return intAt(input, at) | intAt(input, at + 4) << 32;
  }

  private static long intAt(ObjectKey input, int at) {
    return (input.byteAt(at) & 0xFFL)
        | (input.byteAt(at + 1) & 0xFFL) << 8
        | (input.byteAt(at + 2) & 0xFFL) << 16
        | (input.byteAt(at + 3) & 0xFFL) << 24;
  }
}
