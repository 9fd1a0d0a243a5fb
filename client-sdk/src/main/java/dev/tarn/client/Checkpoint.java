package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The progress of an epoch: the samples that its consumers have received, without those that were
 * read ahead. Its size depends on the number of ranks, not on the progress.
 *
 * <p>The checkpoint of a rank resumes that rank. {@link #merge} joins the checkpoints of all ranks
 * into one, which any number of ranks can resume: samples that were delivered are not repeated, and
 * every other sample comes once. Immutable.
 */
public final class Checkpoint {
  private final EpochName epoch;
  private final Positions left;
  private final Optional<Progress> progress;

  /**
   * The positions that one rank has received.
   *
   * @param assignment the positions of the rank
   * @param delivered how many of its positions it has received, from the first on without a gap
   * @param beyond numbers after {@code delivered} that it has received out of order
   */
  record Progress(Assignment assignment, long delivered, Positions beyond) {
    Progress {
      requireNonNull(assignment, "assignment is null");
      requireNonNull(beyond, "beyond is null");
      if (delivered < 0 || delivered > assignment.length()) {
        throw new IllegalArgumentException(
            "%d samples of %d were delivered".formatted(delivered, assignment.length()));
      }
      if (beyond.count() > 0
          && (beyond.get(0) <= delivered
              || beyond.get(beyond.count() - 1) >= assignment.length())) {
        throw new IllegalArgumentException(
            "samples %s of %d were delivered out of turn, after %d"
                .formatted(beyond, assignment.length(), delivered));
      }
    }

    /** The progress of a rank that has received nothing. */
    static Progress begin(Assignment assignment) {
      return new Progress(assignment, 0, Positions.NONE);
    }

    /** The numbers of the samples that remain. */
    Positions numbers() {
      List<Span> spans = new ArrayList<>();
      long from = delivered;
      for (Span received : beyond.spans()) {
        spans.add(new Span(from, received.from()));
        from = received.to();
      }
      if (from < assignment.length()) {
        spans.add(new Span(from, assignment.length()));
      }
      return Positions.of(spans);
    }

    /** The remaining positions that belong to this rank alone. */
    Positions left() {
      Positions own = assignment.own();
      return Positions.union(
          numbers().spans().stream()
              .filter(span -> span.from() < own.count())
              .map(span -> own.slice(span.from(), Math.min(span.to(), own.count())))
              .toList());
    }
  }

  private Checkpoint(EpochName epoch, Positions left, Optional<Progress> progress) {
    this.epoch = epoch;
    this.left = left;
    this.progress = progress;
    if (left.count() > 0 && left.get(left.count() - 1) >= epoch.length()) {
      throw new IllegalArgumentException(
          "position %d of an epoch of %d".formatted(left.get(left.count() - 1), epoch.length()));
    }
  }

  /** A checkpoint of one rank. */
  static Checkpoint of(EpochName epoch, Progress progress) {
    return new Checkpoint(epoch, progress.assignment().positions(), Optional.of(progress));
  }

  /** A checkpoint of all ranks: the positions that remain of an epoch. */
  static Checkpoint of(EpochName epoch, Positions left) {
    return new Checkpoint(epoch, left, Optional.empty());
  }

  /**
   * Parses a checkpoint.
   *
   * @throws IllegalArgumentException if the text is not a checkpoint, or of an unknown version
   */
  public static Checkpoint parse(String json) {
    return CheckpointJson.parse(requireNonNull(json, "json is null"));
  }

  /** The checkpoint as JSON, in ASCII; {@link #parse} reads it back. */
  public String toJson() {
    return CheckpointJson.write(this);
  }

  /**
   * Joins the checkpoints of all ranks into one that any number of ranks can resume.
   *
   * @throws IllegalArgumentException if a rank's checkpoint is missing or given twice, or if they
   *     are not of one epoch and one run
   */
  public static Checkpoint merge(Collection<Checkpoint> all) {
    List<Checkpoint> parts = List.copyOf(all);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("no checkpoints to merge, expected those of all ranks");
    }
    Checkpoint first = parts.get(0);
    if (first.progress.isEmpty()) {
      if (parts.size() > 1) {
        throw mergedAlready();
      }
      return first;
    }
    Assignment assignment = first.progress.orElseThrow().assignment();
    List<Positions> left = new ArrayList<>(List.of(assignment.dropped()));
    BitSet ranks = new BitSet();
    for (Checkpoint part : parts) {
      Progress progress = part.progress.orElseThrow(Checkpoint::mergedAlready);
      int rank = progress.assignment().rank();
      part.epoch.requireSame(first.epoch, "the checkpoint of rank " + rank);
      if (!progress
          .assignment()
          .equals(
              new Assignment(
                  assignment.positions(), rank, assignment.ranks(), assignment.padded()))) {
        throw new IllegalArgumentException(
            "the checkpoint of rank %d is not of the same run as that of rank %d: %d ranks, not %d"
                    .formatted(
                        rank, assignment.rank(), progress.assignment().ranks(), assignment.ranks())
                + ", or they resumed from different checkpoints");
      }
      if (ranks.get(rank)) {
        throw new IllegalArgumentException(
            "rank %d has two checkpoints, expected one of each of the %d ranks"
                .formatted(rank, assignment.ranks()));
      }
      ranks.set(rank);
      left.add(progress.left());
    }
    int missing = ranks.nextClearBit(0);
    if (missing < assignment.ranks()) {
      throw new IllegalArgumentException(
          "rank %d of %d has no checkpoint; give the checkpoints of all ranks"
              .formatted(missing, assignment.ranks()));
    }
    return of(first.epoch, Positions.union(left));
  }

  private static IllegalArgumentException mergedAlready() {
    return new IllegalArgumentException(
        "one of the checkpoints is already merged; resume from it alone, or merge only checkpoints"
            + " that ranks made after they resumed from it");
  }

  /** The number of the epoch. */
  public long epoch() {
    return epoch.epoch();
  }

  /** How many samples remain: of the rank, or of all ranks in a merged checkpoint. */
  public long remaining() {
    return progress
        .map(part -> part.assignment().length() - part.delivered() - part.beyond().count())
        .orElse(left.count());
  }

  /** The name of the epoch, which gives its positions their meaning. */
  EpochName name() {
    return epoch;
  }

  /** The positions that this run assigned to ranks; of a merged checkpoint, those to assign. */
  Positions left() {
    return left;
  }

  /** The progress of the rank; empty in a merged checkpoint. */
  Optional<Progress> progress() {
    return progress;
  }

  /**
   * The progress from which a rank resumes.
   *
   * @param padded as in {@link Assignment}
   * @throws IllegalArgumentException if this is the checkpoint of another rank
   */
  Progress resume(int rank, int ranks, boolean padded) {
    if (progress.isEmpty()) {
      return Progress.begin(new Assignment(left, rank, ranks, padded));
    }
    Progress made = progress.orElseThrow();
    if (made.assignment().rank() == rank
        && made.assignment().ranks() == ranks
        && made.assignment().padded() == padded) {
      return made;
    }
    if (made.assignment().ranks() == 1) {
      return merge(List.of(this)).resume(rank, ranks, padded);
    }
    throw new IllegalArgumentException(
        "the checkpoint is that of rank %d of %d, not of rank %d of %d: merge those of all ranks"
            .formatted(made.assignment().rank(), made.assignment().ranks(), rank, ranks));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Checkpoint checkpoint
        && epoch.equals(checkpoint.epoch)
        && left.equals(checkpoint.left)
        && progress.equals(checkpoint.progress);
  }

  @Override
  public int hashCode() {
    return epoch.hashCode() * 31 + left.hashCode();
  }

  @Override
  public String toString() {
    return toJson();
  }
}
