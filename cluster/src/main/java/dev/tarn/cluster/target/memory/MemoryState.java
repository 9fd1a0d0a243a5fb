package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All objects and uploads, the bytes they take, and the clock of commits. Guarded by a lock. */
final class MemoryState {
  static final String NULL_VERSION = "null";
  static final Failure FULL = new Failure.OutOfSpace("The memory of this target is full.");

  private final Map<BucketId, NavigableMap<ObjectKey, StoredObject>> objects = new HashMap<>();
  private final Map<BucketId, NavigableMap<UploadName, OpenUpload>> uploads = new HashMap<>();
  private final InstantSource clock;
  private final long capacityBytes;
  private long usedBytes;
  private long lastClockMs;
  private int sequence;

  MemoryState(InstantSource clock, long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException("capacity is " + capacityBytes + " bytes");
    }
    this.clock = clock;
    this.capacityBytes = capacityBytes;
  }

  NavigableMap<ObjectKey, StoredObject> objects(BucketId bucket) {
    return objects.computeIfAbsent(bucket, id -> new TreeMap<>());
  }

  NavigableMap<UploadName, OpenUpload> uploads(BucketId bucket) {
    return uploads.computeIfAbsent(bucket, id -> new TreeMap<>());
  }

  @Nullable StoredObject present(ObjectName name) {
    return objects(name.bucket()).get(name.key());
  }

  Outcome<StoredObject> find(ObjectName name, Optional<String> version) {
    StoredObject stored = present(name);
    if (version.isPresent() && !isVersion(stored, version.orElseThrow())) {
      return Outcome.failed(new Failure.NoSuchVersion());
    }
    return stored == null ? Outcome.failed(new Failure.NoSuchKey(false)) : Outcome.success(stored);
  }

  static boolean isVersion(@Nullable StoredObject stored, String version) {
    return stored != null
        && (version.equals(NULL_VERSION) || version.equals(stored.metadata().version().text()));
  }

  /** Takes this many bytes in exchange for those, if there is room. */
  boolean exchange(long freedBytes, long takenBytes) {
    if (usedBytes - freedBytes + takenBytes > capacityBytes) {
      return false;
    }
    usedBytes += takenBytes - freedBytes;
    return true;
  }

  void take(long bytes) {
    usedBytes += bytes;
  }

  void free(long bytes) {
    usedBytes -= bytes;
  }

  long roomBytes() {
    return capacityBytes - usedBytes;
  }

  long nowMs() {
    return clock.millis();
  }

  /** A version greater than any before it. */
  ObjectVersion nextVersion(CallScope scope) {
    long nowMs = nowMs();
    if (nowMs > lastClockMs) {
      lastClockMs = nowMs;
      sequence = 0;
    } else {
      sequence++;
    }
    return new ObjectVersion(scope.mapEpoch(), lastClockMs, sequence);
  }
}
