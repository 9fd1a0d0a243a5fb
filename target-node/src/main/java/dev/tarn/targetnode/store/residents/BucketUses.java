package dev.tarn.targetnode.store.residents;

import dev.tarn.cluster.object.BucketId;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The use of each bucket; entries name it by a number. Safe for use by many threads. */
final class BucketUses {
  /** A key that is followed takes about 100 bytes of the heap. */
  private static final int KEYS_MAX = 1 << 17;

  private static final int KEYS_OF_BUCKET_MIN = 64;
  private static final int KEYS_OF_BUCKET_MAX = 4096;

  /** The number of the bucket of entries whose bucket is not known. */
  static final int UNKNOWN = 0;

  private final ConcurrentHashMap<BucketId, BucketUse> byId = new ConcurrentHashMap<>();
  private volatile BucketUse[] byNumber = {new BucketUse(UNKNOWN, () -> 0)};

  BucketUse of(BucketId bucket) {
    BucketUse known = byId.get(bucket);
    return known != null ? known : byId.computeIfAbsent(bucket, id -> add());
  }

  private synchronized BucketUse add() {
    BucketUse[] present = byNumber;
    BucketUse added = new BucketUse(present.length, this::keysMax);
    BucketUse[] all = Arrays.copyOf(present, present.length + 1);
    all[present.length] = added;
    byNumber = all;
    return added;
  }

  /** Writes each bucket with its number. */
  void writeTo(DataOutput out, int now) throws IOException {
    List<Map.Entry<BucketId, BucketUse>> all = List.copyOf(byId.entrySet());
    out.writeInt(all.size());
    for (Map.Entry<BucketId, BucketUse> bucket : all) {
      out.writeInt(bucket.getValue().number());
      out.writeLong(bucket.getKey().value());
      bucket.getValue().writeTo(out, now);
    }
  }

  /** Reads the buckets; returns what number each has now, by the number that it had. */
  Map<Integer, Integer> readFrom(DataInput in, int now) throws IOException {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      int number = in.readInt();
      BucketUse use = of(new BucketId(in.readLong()));
      use.readFrom(in, now);
      numbers.put(number, use.number());
    }
    return numbers;
  }

  /** All buckets that were ever used. */
  Map<BucketId, BucketUse> all() {
    return Collections.unmodifiableMap(byId);
  }

  /** How many keys of each bucket are followed. */
  private int keysMax() {
    return Math.clamp(KEYS_MAX / byNumber.length, KEYS_OF_BUCKET_MIN, KEYS_OF_BUCKET_MAX);
  }

  /** The bytes of the residents of each bucket. */
  Map<BucketId, Long> bytes() {
    Map<BucketId, Long> all = new HashMap<>();
    byId.forEach((bucket, use) -> all.put(bucket, use.bytes()));
    all.values().removeIf(bytes -> bytes == 0);
    return all;
  }

  BucketUse of(int number) {
    return byNumber[number];
  }
}
