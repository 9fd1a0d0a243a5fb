package dev.tarn.targetnode.store.residents;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectName;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
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

  /** The bucket of entries whose bucket is not known; no bucket has this id. */
  private static final BucketId NO_BUCKET = new BucketId(Long.MAX_VALUE);

  private final ConcurrentHashMap<BucketId, BucketCache> byId = new ConcurrentHashMap<>();
  private volatile BucketUse[] byNumber = {};

  BucketUses() {
    new BucketCache(NO_BUCKET, cache -> add(cache, false)); // Its use is the first, UNKNOWN.
  }

  /** What a bucket has. */
  BucketCache cache(BucketId bucket) {
    BucketCache known = byId.get(bucket);
    return known != null
        ? known
        : byId.computeIfAbsent(bucket, id -> new BucketCache(id, cache -> add(cache, false)));
  }

  /** How the entries of a bucket are used that are pinned like this one, or are not. */
  BucketUse of(ObjectName name) {
    BucketCache cache = cache(name.bucket());
    return cache.hasPins() && cache.share().pins(name.key()) ? pinned(cache) : cache.normal();
  }

  private BucketUse pinned(BucketCache cache) {
    BucketUse known = cache.pinned();
    if (known != null) {
      return known;
    }
    synchronized (this) {
      BucketUse present = cache.pinned();
      BucketUse use = present == null ? add(cache, true) : present;
      cache.setPinned(use);
      return use;
    }
  }

  private synchronized BucketUse add(BucketCache cache, boolean isOfPinned) {
    BucketUse[] present = byNumber;
    BucketUse added = new BucketUse(present.length, cache, isOfPinned, this::keysMax);
    BucketUse[] all = Arrays.copyOf(present, present.length + 1);
    all[present.length] = added;
    byNumber = all;
    return added;
  }

  /** Writes each use with its number. */
  void writeTo(DataOutput out, int now) throws IOException {
    BucketUse[] all = byNumber;
    out.writeInt(all.length - 1);
    for (int number = UNKNOWN + 1; number < all.length; number++) {
      out.writeInt(number);
      out.writeLong(all[number].cache().id().value());
      out.writeBoolean(all[number].isOfPinned());
      all[number].writeTo(out, now);
    }
  }

  /** Reads the uses; returns what number each has now, by the number that it had. */
  Map<Integer, Integer> readFrom(DataInput in, int now) throws IOException {
    Map<Integer, Integer> numbers = new HashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      int number = in.readInt();
      BucketCache cache = cache(new BucketId(in.readLong()));
      BucketUse use = in.readBoolean() ? pinned(cache) : cache.normal();
      use.readFrom(in, now);
      numbers.put(number, use.number());
    }
    return numbers;
  }

  /** All buckets that were ever used. */
  Collection<BucketCache> all() {
    return Collections.unmodifiableCollection(byId.values());
  }

  /** How many keys of each use are followed. */
  private int keysMax() {
    return Math.clamp(KEYS_MAX / byNumber.length, KEYS_OF_BUCKET_MIN, KEYS_OF_BUCKET_MAX);
  }

  /** The bytes of the residents of each bucket. */
  Map<BucketId, Long> bytes() {
    Map<BucketId, Long> all = new HashMap<>();
    byId.forEach((bucket, cache) -> all.put(bucket, cache.bytes()));
    all.values().removeIf(bytes -> bytes == 0);
    return all;
  }

  /** What has left of each bucket. */
  Map<BucketId, LeftBytes> left() {
    Map<BucketId, LeftBytes> all = new HashMap<>();
    byId.forEach((bucket, cache) -> all.put(bucket, cache.left()));
    return all;
  }

  BucketUse of(int number) {
    return byNumber[number];
  }
}
