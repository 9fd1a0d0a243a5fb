package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.targetnode.store.StoreFigures;
import java.util.List;
import java.util.Optional;

/**
 * The status of a disk.
 *
 * @param id of the disk
 * @param outOfService why it is out of service; empty if it is in service
 * @param full whether it refuses bytes because only its reserve is free
 * @param damageAtStart one sentence for each damage that the start found
 * @param figures of the store; empty for a disk that could not be opened
 * @param held what it holds
 */
public record DiskStatus(
    DiskId id,
    Optional<String> outOfService,
    boolean full,
    List<String> damageAtStart,
    Optional<StoreFigures> figures,
    Held held) {
  /**
   * What a disk holds.
   *
   * @param primaryBytes of objects that are nowhere else
   * @param cachedBytes of objects that a backend has, too
   */
  public record Held(long primaryBytes, long cachedBytes) {
    /** Of a disk that could not be opened. */
    public static final Held UNKNOWN = new Held(0, 0);
  }

  public DiskStatus {
    requireNonNull(id, "id is null");
    requireNonNull(outOfService, "outOfService is null");
    damageAtStart = List.copyOf(requireNonNull(damageAtStart, "damageAtStart is null"));
    requireNonNull(figures, "figures is null");
    requireNonNull(held, "held is null");
  }
}
