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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

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
  private volatile Function<BucketId, CacheShare> shares = bucket -> CacheShare.ANY;

  BucketUses() {
    new BucketCache(NO_BUCKET, this::add); // Its use is the first, UNKNOWN.
  }

  /** What a bucket has. */
  BucketCache cache(BucketId bucket) {
    BucketCache known = byId.get(bucket);
    return known != null ? known : byId.computeIfAbsent(bucket, this::added);
  }

  private BucketCache added(BucketId bucket) {
    BucketCache added = new BucketCache(bucket, this::add);
    added.setShare(shares.apply(bucket));
    return added;
  }

  /** Sets what each bucket may have, also those that are added later. */
  void setShares(Function<BucketId, CacheShare> given) {
    shares = given;
    byId.forEach((bucket, cache) -> cache.setShare(given.apply(bucket)));
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
      BucketUse use = present == null ? add(cache) : present;
      cache.setPinned(use);
      return use;
    }
  }

  private synchronized BucketUse add(BucketCache cache) {
    BucketUse[] present = byNumber;
    BucketUse added = new BucketUse(present.length, cache, this::keysMax);
    BucketUse[] all = Arrays.copyOf(present, present.length + 1);
    all[present.length] = added;
    byNumber = all;
    return added;
  }

  /** Writes each use with its number. */
  void writeTo(DataOutput out, int now) throws IOException {
    BucketUse[] all = byNumber;
    List<BucketUse> current =
        Arrays.stream(all).skip(UNKNOWN + 1).filter(BucketUses::isCurrent).toList();
    out.writeInt(current.size());
    for (BucketUse use : current) {
      out.writeInt(use.number());
      out.writeLong(use.cache().id().value());
      out.writeBoolean(use == use.cache().pinned());
      use.writeTo(out, now);
    }
  }

  /** Whether entries have this use, or may get it. */
  private static boolean isCurrent(BucketUse use) {
    BucketCache cache = use.cache();
    boolean isGone = !cache.mayHave(1) && cache.bytes() == 0;
    return !isGone && (use == cache.normal() || use == cache.pinned());
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
