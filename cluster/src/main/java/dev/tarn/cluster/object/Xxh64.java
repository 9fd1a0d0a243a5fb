package dev.tarn.cluster.object;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * XXH64, a hash that is fast and well mixed, but not safe against somebody who looks for
 * collisions.
 */
public final class Xxh64 {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, LITTLE_ENDIAN);
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;

  private Xxh64() {}

  /** The hash of these bytes. */
  public static long of(byte[] input, long seed) {
    int length = input.length;
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

  /** The last step: every bit of the input affects every bit of the result. */
  public static long avalanche(long input) {
    long hash = (input ^ (input >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }

  private static long tail(long start, byte[] input, int from) {
    int length = input.length;
    int at = from;
    long hash = start;
    for (; at <= length - 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, longAt(input, at)), 27) * PRIME_1 + PRIME_4;
    }
    if (at <= length - 4) {
      long four = (int) INTS.get(input, at) & 0xFFFF_FFFFL;
      hash = Long.rotateLeft(hash ^ (four * PRIME_1), 23) * PRIME_2 + PRIME_3;
      at += 4;
    }
    for (; at < length; at++) {
      hash = Long.rotateLeft(hash ^ ((input[at] & 0xFF) * PRIME_5), 11) * PRIME_1;
    }
    return hash;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long lane) {
    return (hash ^ round(0, lane)) * PRIME_1 + PRIME_4;
  }

  private static long longAt(byte[] input, int at) {
    return (long) LONGS.get(input, at);
  }
}
