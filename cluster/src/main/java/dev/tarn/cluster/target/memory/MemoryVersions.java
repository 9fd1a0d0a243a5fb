package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ObjectVersion;
import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The versions of one key, of which at most one is the null version. Guarded by a lock. */
final class MemoryVersions {
  private final NavigableMap<ObjectVersion, StoredObject> versions =
      new TreeMap<>(Comparator.reverseOrder());

  boolean isEmpty() {
    return versions.isEmpty();
  }

  /** The newest version, which may be a delete marker. */
  StoredObject newest() {
    return versions.firstEntry().getValue();
  }

  /** All versions, the newest first. */
  Collection<StoredObject> all() {
    return versions.values();
  }

  /** The versions that follow this one, there or not any more, the newest first. */
  Collection<StoredObject> following(String versionText) {
    Optional<ObjectVersion> version =
        find(versionText)
            .map(stored -> stored.metadata().version())
            .or(() -> ObjectVersion.ofText(versionText));
    return version.isPresent()
        ? versions.tailMap(version.orElseThrow(), false).values()
        : versions.values();
  }

  /** The version of this text, as S3 shows it or its own. */
  Optional<StoredObject> find(String versionText) {
    return versionText.equals(ObjectVersion.NULL_TEXT)
        ? nullVersion()
        : ObjectVersion.ofText(versionText).map(versions::get);
  }

  Optional<StoredObject> nullVersion() {
    return versions.values().stream().filter(stored -> stored.metadata().nullVersion()).findFirst();
  }

  void put(StoredObject stored) {
    if (stored.metadata().nullVersion()) {
      nullVersion().ifPresent(this::remove);
    }
    versions.put(stored.metadata().version(), stored);
  }

  void remove(StoredObject stored) {
    versions.remove(stored.metadata().version());
  }
}
