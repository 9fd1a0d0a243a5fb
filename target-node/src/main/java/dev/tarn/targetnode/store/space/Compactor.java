package dev.tarn.targetnode.store.space;

import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.log.ScanListener;
import dev.tarn.targetnode.store.log.Segment;
import dev.tarn.targetnode.store.record.LogEntryCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees segments that are mostly dead: copies their valid records to the end of the log, and
 * removes the segments.
 *
 * <p>Each copy is a commit like any other, which checks that the record is still valid. No other
 * change can therefore come in between. The copies and the index are made durable before the
 * segment is removed. A crash can therefore not leave an index that points into a removed segment,
 * nor one that missed a tombstone removed with its segment. A segment with valid records that
 * cannot be read is kept for a repair.
 */
public final class Compactor {
  private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);
  private static final int RECORDS_UNDERWAY_MAX = 64;

  /** A segment of at least one part in this many of its maximum length may be ended early. */
  private static final int SEALED_EARLY_FROM = 4;

  private final DiskStore store;

  public Compactor(DiskStore store) {
    this.store = store;
  }

  /**
   * Frees segments until few enough bytes are dead; returns the number of segments removed.
   *
   * @param segmentsMax the greatest number of segments that are removed
   */
  public int compact(int segmentsMax) throws IOException {
    int removed = 0;
    sealIfMostlyDead();
    Optional<Segment> victim = victim();
    while (removed < segmentsMax && victim.isPresent() && compact(victim.orElseThrow())) {
      removed++;
      victim = victim();
    }
    return removed;
  }

  /**
   * Ends the segment being written if it is large enough and mostly dead. On a disk with few writes
   * it would otherwise stay open for long.
   */
  private void sealIfMostlyDead() throws IOException {
    var last = store.log().segments().lastEntry();
    if (last == null) {
      return;
    }
    Segment appending = last.getValue();
    long large = store.settings().log().segmentBytesMax() / SEALED_EARLY_FROM;
    if (appending.length() > large && appending.deadBytes() > appending.length() / 2) {
      store.log().sealEarly();
      settle(store.commit(view -> new Decision.Nothing<>(true), Durability.SYSTEM));
    }
  }

  /**
   * The segment to free next: a dead one, or the one with the greatest dead share if too much of
   * the log is dead. Dead bytes in the segment being written count too, because they take space
   * until that segment is full.
   */
  private Optional<Segment> victim() {
    long total = 0;
    long dead = 0;
    List<Segment> sealed = new ArrayList<>();
    long appending = store.log().segments().isEmpty() ? 0 : store.log().segments().lastKey();
    for (Segment segment : store.log().segments().values()) {
      if (!segment.kept()) {
        total += segment.length();
        dead += segment.deadBytes();
      }
      if (segment.number() < appending && !segment.kept() && segment.deadBytes() > 0) {
        sealed.add(segment);
      }
    }
    Optional<Segment> deadest = sealed.stream().max(Comparator.comparingDouble(Compactor::ratio));
    boolean due = dead > total * store.settings().deadRatioMax();
    return deadest.filter(segment -> segment.liveBytes() == 0 || due);
  }

  private static double ratio(Segment segment) {
    return (double) segment.deadBytes() / Math.max(1, segment.length());
  }

  /** Compacts a segment; returns whether it was removed. */
  private boolean compact(Segment segment) throws IOException {
    Copying copying = new Copying();
    store.log().scan(Log.firstIn(segment.number()), copying);
    copying.await();
    settle(store.commit(view -> new Decision.Nothing<>(true), Durability.CHECKPOINT));
    if (copying.failure != null) {
      throw copying.failure;
    }
    if (segment.liveBytes() != 0) {
      segment.keep();
      LOG.error(
          "Segment {} of {} has {} bytes of valid records that cannot be read; it is kept. A scrub"
              + " names the objects",
          segment.number(),
          store.disk().description(),
          segment.liveBytes());
      return false;
    }
    store.log().remove(segment.number());
    return true;
  }

  private static <T> void settle(CompletionStage<CommitResult<T>> commit) throws IOException {
    CommitResult<T> result = commit.toCompletableFuture().join();
    if (!(result instanceof CommitResult.Committed<T>)) {
      throw new IOException("compaction could not commit: " + result);
    }
  }

  /** Copies the valid records of a scan, several commits at a time. */
  private final class Copying implements ScanListener {
    private final List<CompletableFuture<CommitResult<Boolean>>> underway = new ArrayList<>();
    private @Nullable IOException failure;

    @Override
    public void record(RecordLocation location, long sequence, byte[] bytes, boolean intact) {
      if (failure != null || !intact) {
        return;
      }
      try {
        ByteBuffer payload = ByteBuffer.allocate(location.payloadLength());
        store.log().readPayload(location, payload);
        Change<Boolean> change =
            new Relocation(LogEntryCodec.decode(bytes), bytes, location, payload, store.log());
        underway.add(store.commit(change, Durability.SYSTEM).toCompletableFuture());
        if (underway.size() >= RECORDS_UNDERWAY_MAX) {
          await();
        }
      } catch (IOException e) {
        failure = e;
      }
    }

    void await() {
      for (CompletableFuture<CommitResult<Boolean>> commit : underway) {
        try {
          settle(commit);
        } catch (IOException e) {
          failure = e;
        }
      }
      underway.clear();
    }
  }
}
