package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.targetnode.store.DiskStore;
import java.util.Optional;

/**
 * A disk of this node. A disk that is out of service stays in the list, so that placement does not
 * change.
 */
public sealed interface NodeDisk {
  /** The disk's identity. */
  DiskId id();

  /** Why the disk is out of service; empty if it is in service. */
  Optional<Failure> refusal();

  /** A disk that was opened. */
  record Opened(DiskStore store) implements NodeDisk {
    public Opened {
      requireNonNull(store, "store is null");
    }

    @Override
    public DiskId id() {
      return store.id();
    }

    @Override
    public Optional<Failure> refusal() {
      return store.health().refusal();
    }
  }

  /**
   * A disk that could not be opened.
   *
   * @param reason a sentence for the person on call
   */
  record Failed(DiskId id, String reason) implements NodeDisk {
    public Failed {
      requireNonNull(id, "id is null");
      requireNonNull(reason, "reason is null");
    }

    @Override
    public Optional<Failure> refusal() {
      return Optional.of(new Failure.Unavailable(reason));
    }
  }
}
