package dev.tarn.benchmarks.policy;

import java.util.Arrays;

/** The requests to a cache: references to entries, in the order of time. */
public final class Workload {
  private final String name;
  private final int[] sizes;
  private final byte[] buckets;
  private final long capacityBytes;
  private final int[] entries;
  private final long[] millis;
  private final int[] readBytes;

  private Workload(
      String name,
      int[] sizes,
      byte[] buckets,
      long capacityBytes,
      int[] entries,
      long[] millis,
      int[] readBytes) {
    this.name = name;
    this.sizes = sizes;
    this.buckets = buckets;
    this.capacityBytes = capacityBytes;
    this.entries = entries;
    this.millis = millis;
    this.readBytes = readBytes;
  }

  /** The name, for the report. */
  public String name() {
    return name;
  }

  /** The number of entries. */
  int entries() {
    return sizes.length;
  }

  /** The number of references. */
  public int references() {
    return entries.length;
  }

  /** The capacity of the cache. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** The entry of a reference. */
  public int entry(int reference) {
    return entries[reference];
  }

  /** The size of an entry in bytes. */
  public int size(int entry) {
    return sizes[entry];
  }

  /** The bucket of an entry, counted from 0. */
  public int bucket(int entry) {
    return buckets[entry];
  }

  /** The time of a reference in milliseconds. */
  public long millis(int reference) {
    return millis[reference];
  }

  /** How many bytes of the entry a reference reads. */
  int readBytes(int reference) {
    return readBytes[reference];
  }

  private static final int WRITE = -1;

  /** Whether a reference writes the entry. */
  public boolean isWrite(int reference) {
    return readBytes[reference] == WRITE;
  }

  static long sum(int[] sizes) {
    return Arrays.stream(sizes).asLongStream().sum();
  }

  /** Collects references in any order. */
  static final class Builder {
    private static final int INDEX_BITS = 23;

    private int[] entries = new int[1 << 16];
    private long[] millis = new long[1 << 16];
    private int[] readBytes = new int[1 << 16];
    private int count;

    /** Adds a read of some bytes of an entry. */
    void read(int entry, int bytes, long atMillis) {
      if (count == entries.length) {
        entries = Arrays.copyOf(entries, count * 2);
        millis = Arrays.copyOf(millis, count * 2);
        readBytes = Arrays.copyOf(readBytes, count * 2);
      }
      entries[count] = entry;
      millis[count] = atMillis;
      readBytes[count] = bytes;
      count++;
    }

    void write(int entry, long atMillis) {
      read(entry, WRITE, atMillis);
    }

    /** The references so far; those of the same time in the order in which they were added. */
    Workload build(String name, int[] sizes, byte[] buckets, long capacityBytes) {
      if (count >= 1 << INDEX_BITS) {
        throw new IllegalStateException(name + " has too many references: " + count);
      }
      long[] order = new long[count];
      for (int i = 0; i < count; i++) {
        order[i] = (millis[i] << INDEX_BITS) | i;
      }
      Arrays.sort(order);
      int[] sortedEntries = new int[count];
      long[] sortedMillis = new long[count];
      int[] sortedBytes = new int[count];
      for (int i = 0; i < count; i++) {
        int from = (int) (order[i] & ((1 << INDEX_BITS) - 1));
        sortedEntries[i] = entries[from];
        sortedMillis[i] = millis[from];
        sortedBytes[i] = readBytes[from];
      }
      return new Workload(
          name, sizes, buckets, capacityBytes, sortedEntries, sortedMillis, sortedBytes);
    }
  }
}
