package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All objects and uploads, the bytes they take, and the clock of commits. Guarded by a lock. */
final class MemoryState {
  static final Failure FULL = new Failure.OutOfSpace("The memory of this target is full.");

  private final Map<BucketId, NavigableMap<ObjectKey, MemoryVersions>> objects = new HashMap<>();
  private final Map<BucketId, NavigableMap<UploadName, OpenUpload>> uploads = new HashMap<>();
  private final Function<BucketId, Versioning> versioning;
  private final InstantSource clock;
  private final long capacityBytes;
  private long usedBytes;
  private long lastClockMs;
  private int sequence;

  MemoryState(Function<BucketId, Versioning> versioning, InstantSource clock, long capacityBytes) {
    if (capacityBytes < 0) {
      throw new IllegalArgumentException("capacity is " + capacityBytes + " bytes");
    }
    this.versioning = versioning;
    this.clock = clock;
    this.capacityBytes = capacityBytes;
  }

  NavigableMap<ObjectKey, MemoryVersions> objects(BucketId bucket) {
    return objects.computeIfAbsent(bucket, id -> new TreeMap<>());
  }

  NavigableMap<UploadName, OpenUpload> uploads(BucketId bucket) {
    return uploads.computeIfAbsent(bucket, id -> new TreeMap<>());
  }

  /** What a bucket does with the versions before a write. */
  Versioning versioning(CallScope scope) {
    return versioning.apply(scope.bucket());
  }

  /** The versions of a key; empty if there are none. */
  Optional<MemoryVersions> versions(ObjectName name) {
    return Optional.ofNullable(objects(name.bucket()).get(name.key()));
  }

  /** The newest version, or null where there is none or it is a delete marker. */
  @Nullable StoredObject present(ObjectName name) {
    return versions(name)
        .map(MemoryVersions::newest)
        .filter(newest -> !newest.metadata().deleteMarker())
        .orElse(null);
  }

  /** The object of a version, or the newest; a delete marker is none. */
  Outcome<StoredObject> find(ObjectName name, Optional<String> version) {
    Optional<StoredObject> found =
        versions(name)
            .flatMap(versions ->
                version.isPresent()
                    ? versions.find(version.orElseThrow())
                    : Optional.of(versions.newest()));
    if (found.isEmpty()) {
      return Outcome.failed(
          version.isPresent() ? new Failure.NoSuchVersion() : new Failure.NoSuchKey());
    }
    ObjectMetadata metadata = found.orElseThrow().metadata();
    if (metadata.deleteMarker()) {
      return Outcome.failed(
          version.isPresent()
              ? new Failure.VersionIsDeleteMarker(metadata.versionText(), metadata.modifiedMs())
              : new Failure.NoSuchKey(Optional.of(metadata.versionText())));
    }
    return Outcome.success(found.orElseThrow());
  }

  /** Makes this a version of its object; a null version takes the place of the one there is. */
  void store(StoredObject object) {
    ObjectName name = object.metadata().name();
    objects(name.bucket()).computeIfAbsent(name.key(), key -> new MemoryVersions()).put(object);
  }

  /** Removes a version of a key, and the key with its last one. */
  void remove(ObjectName name, StoredObject object) {
    MemoryVersions versions = versions(name).orElseThrow();
    versions.remove(object);
    if (versions.isEmpty()) {
      objects(name.bucket()).remove(name.key());
    }
    free(object.bytes().length);
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
