package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.object.BucketId;
import java.util.List;
import java.util.Optional;

/**
 * A target's report of its status to gateways.
 *
 * @param targetId of the target
 * @param disks all disks of the target
 * @param scrub the present or last scrub; empty if there was none since the start
 * @param stored what the target holds; empty for a target of a release that does not count it
 */
public record TargetReport(
    String targetId, List<Disk> disks, Optional<Scrub> scrub, Optional<Stored> stored) {
  /** The greatest size of an encoded report in bytes. */
  public static final int BYTES_MAX = 5 << 20;

  private static final int DISKS_MAX = 256;
  private static final int LINES_MAX = 10_000;

  /** The greatest number of cached buckets of a disk in a report. */
  public static final int CACHED_BUCKETS_MAX = 100;

  /** The greatest number of buckets in a report: those with the most bytes. */
  public static final int BUCKETS_MAX = 10_000;

  public TargetReport {
    requireNonNull(targetId, "targetId is null");
    disks = List.copyOf(requireNonNull(disks, "disks is null"));
    requireNonNull(scrub, "scrub is null");
    requireNonNull(stored, "stored is null");
  }

  /**
   * A disk.
   *
   * @param id stored on the disk
   * @param state "in service", or the reason why not
   * @param capacityBytes of its file system
   * @param freeBytes that data may take: without the reserve
   * @param use what takes the rest
   * @param cached the buckets of which the cache has most, at most {@link #CACHED_BUCKETS_MAX}
   */
  public record Disk(
      String id,
      String state,
      long capacityBytes,
      long freeBytes,
      DiskUse use,
      List<CachedBucket> cached) {
    public Disk {
      requireNonNull(id, "id is null");
      requireNonNull(state, "state is null");
      requireNonNull(use, "use is null");
      cached = List.copyOf(requireNonNull(cached, "cached is null"));
    }

    private static final Codec<Disk> CODEC =
        Codec.of(
            "disk",
            (out, disk) ->
                out.text(1, disk.id)
                    .text(2, disk.state)
                    .number(3, disk.capacityBytes)
                    .number(4, disk.freeBytes)
                    .message(5, DiskUse.CODEC, disk.use)
                    .messages(6, CachedBucket.CODEC, disk.cached),
            in ->
                new Disk(
                    in.text(1),
                    in.text(2),
                    in.number(3),
                    in.number(4),
                    in.optionalMessage(5, DiskUse.CODEC).orElse(DiskUse.UNKNOWN),
                    in.messages(6, CachedBucket.CODEC, CACHED_BUCKETS_MAX)));
  }

  /** The bytes that the cache of a disk has of a bucket. */
  public record CachedBucket(BucketId bucket, long bytes) {
    public CachedBucket {
      requireNonNull(bucket, "bucket is null");
    }

    private static final Codec<CachedBucket> CODEC =
        Codec.of(
            "cached bucket",
            (out, cached) -> out.number(1, cached.bucket.value()).number(2, cached.bytes),
            in -> new CachedBucket(new BucketId(in.number(1)), in.number(2)));
  }

  /**
   * The content of a disk, and the counts of its cache since the start of the target.
   *
   * @param primaryBytes of objects that are nowhere else
   * @param cachedBytes of objects that a backend has, too
   * @param evictedForRoomBytes cached bytes that left for primary ones
   * @param evictedForBetterBytes cached bytes that left for others of a greater value
   * @param refused how many units were read and not kept, since none on the disk had less value
   * @param wantedAgain how often a unit that had left was read
   * @param evictedForSharesBytes cached bytes that left because their bucket had too many
   */
  public record DiskUse(
      long primaryBytes,
      long cachedBytes,
      long evictedForRoomBytes,
      long evictedForBetterBytes,
      long refused,
      long wantedAgain,
      long evictedForSharesBytes) {
    /** The use of a disk that could not be opened, or whose target does not tell it. */
    public static final DiskUse UNKNOWN = new DiskUse(0, 0, 0, 0, 0, 0, 0);

    private static final Codec<DiskUse> CODEC =
        Codec.of(
            "disk use",
            (out, use) ->
                out.number(1, use.primaryBytes)
                    .number(2, use.cachedBytes)
                    .number(3, use.evictedForRoomBytes)
                    .number(4, use.evictedForBetterBytes)
                    .number(5, use.refused)
                    .number(6, use.wantedAgain)
                    .number(7, use.evictedForSharesBytes),
            in ->
                new DiskUse(
                    in.number(1),
                    in.number(2),
                    in.number(3),
                    in.number(4),
                    in.number(5),
                    in.number(6),
                    in.number(7, 0)));
  }

  /**
   * The result of a scrub so far.
   *
   * @param running whether it is in progress
   * @param startedMs in milliseconds since 1970
   * @param objects the number checked
   * @param bytes the number read
   * @param corrupt the first corrupt objects, named for people
   * @param corruptCount the number of corrupt objects
   * @param unchecked what the scrub skipped, and why
   */
  public record Scrub(
      boolean running,
      long startedMs,
      long objects,
      long bytes,
      List<String> corrupt,
      long corruptCount,
      List<String> unchecked) {
    public Scrub {
      corrupt = List.copyOf(requireNonNull(corrupt, "corrupt is null"));
      unchecked = List.copyOf(requireNonNull(unchecked, "unchecked is null"));
    }

    private static final Codec<Scrub> CODEC =
        Codec.of(
            "scrub",
            (out, scrub) ->
                out.flag(1, scrub.running)
                    .number(2, scrub.startedMs)
                    .number(3, scrub.objects)
                    .number(4, scrub.bytes)
                    .texts(5, scrub.corrupt)
                    .number(6, scrub.corruptCount)
                    .texts(7, scrub.unchecked),
            in ->
                new Scrub(
                    in.flag(1),
                    in.number(2),
                    in.number(3),
                    in.number(4),
                    in.texts(5, LINES_MAX),
                    in.number(6),
                    in.texts(7, LINES_MAX)));
  }

  /**
   * What was read of a cached bucket in some time.
   *
   * @param hits reads whose bytes were all on the target
   * @param misses reads that needed bytes of the backend
   * @param hitBytes that were served from the disks
   * @param fetchedBytes that were read from the backend
   * @param fetches requests to the backend for bytes
   * @param fetchErrors those that failed
   * @param fetchMicros the time until the backend's answers began, the sum of all fetches
   * @param slowestFetchMicros the longest of these times
   * @param busiestReads the most reads within 10 s
   * @param busiestBytes the most bytes, served and fetched, within 10 s
   * @param seconds for which these counts are; 0 for the time since the start
   */
  public record Traffic(
      long hits,
      long misses,
      long hitBytes,
      long fetchedBytes,
      long fetches,
      long fetchErrors,
      long fetchMicros,
      long slowestFetchMicros,
      long busiestReads,
      long busiestBytes,
      long seconds) {
    /** No reads. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * That of two targets. What is most within 10 s is the sum of both, so it is an upper bound.
     */
    public Traffic plus(Traffic other) {
      return new Traffic(
          hits + other.hits,
          misses + other.misses,
          hitBytes + other.hitBytes,
          fetchedBytes + other.fetchedBytes,
          fetches + other.fetches,
          fetchErrors + other.fetchErrors,
          fetchMicros + other.fetchMicros,
          Math.max(slowestFetchMicros, other.slowestFetchMicros),
          busiestReads + other.busiestReads,
          busiestBytes + other.busiestBytes,
          Math.max(seconds, other.seconds));
    }

    /** That of this time and of a later time. */
    Traffic then(Traffic later) {
      long reads = Math.max(busiestReads, later.busiestReads);
      long bytes = Math.max(busiestBytes, later.busiestBytes);
      return plus(later).with(reads, bytes, seconds + later.seconds);
    }

    /** The same counts for another time. */
    Traffic over(long newSeconds) {
      return with(busiestReads, busiestBytes, newSeconds);
    }

    private Traffic with(long reads, long bytes, long newSeconds) {
      return new Traffic(
          hits,
          misses,
          hitBytes,
          fetchedBytes,
          fetches,
          fetchErrors,
          fetchMicros,
          slowestFetchMicros,
          reads,
          bytes,
          newSeconds);
    }

    static final Codec<Traffic> CODEC =
        Codec.of(
            "traffic",
            (out, traffic) ->
                out.number(1, traffic.hits)
                    .number(2, traffic.misses)
                    .number(3, traffic.hitBytes)
                    .number(4, traffic.fetchedBytes)
                    .number(5, traffic.fetches)
                    .number(6, traffic.fetchErrors)
                    .number(7, traffic.fetchMicros)
                    .number(8, traffic.slowestFetchMicros)
                    .number(9, traffic.busiestReads)
                    .number(10, traffic.busiestBytes)
                    .number(11, traffic.seconds),
            in ->
                new Traffic(
                    in.number(1),
                    in.number(2),
                    in.number(3),
                    in.number(4),
                    in.number(5, 0),
                    in.number(6, 0),
                    in.number(7, 0),
                    in.number(8, 0),
                    in.number(9, 0),
                    in.number(10, 0),
                    in.number(11, 0)));
  }

  /**
   * The cached bytes of a bucket that have left the disks of a target since its start.
   *
   * @param forRoom for primary data
   * @param forBetter for other cached data of a greater value
   * @param forShares because the bucket had too many
   * @param dropped because they were changed, deleted, damaged, or evicted by hand
   * @param unread those of all that had been asked for only once
   */
  public record Left(long forRoom, long forBetter, long forShares, long dropped, long unread) {
    /** Nothing. */
    public static final Left NONE = new Left(0, 0, 0, 0, 0);

    /** The sum of two. */
    public Left plus(Left other) {
      return new Left(
          forRoom + other.forRoom,
          forBetter + other.forBetter,
          forShares + other.forShares,
          dropped + other.dropped,
          unread + other.unread);
    }

    private static final Codec<Left> CODEC =
        Codec.of(
            "left",
            (out, left) ->
                out.number(1, left.forRoom)
                    .number(2, left.forBetter)
                    .number(3, left.forShares)
                    .number(4, left.dropped)
                    .number(5, left.unread),
            in -> new Left(in.number(1), in.number(2), in.number(3), in.number(4), in.number(5)));
  }

  /**
   * The usage of a bucket on a target.
   *
   * @param objects the number of versions; delete markers do not count
   * @param bytes of these versions that are on the target's disks
   * @param ofMinute what was read in the last minute; of cached buckets only
   * @param ofHour what was read in the last hour; of cached buckets only
   * @param sinceStart what was read since the start; of cached buckets only
   * @param left what has left the cache
   */
  public record Usage(
      BucketId bucket,
      long objects,
      long bytes,
      Traffic ofMinute,
      Traffic ofHour,
      Traffic sinceStart,
      Left left) {
    public Usage {
      requireNonNull(bucket, "bucket is null");
      requireNonNull(ofMinute, "ofMinute is null");
      requireNonNull(ofHour, "ofHour is null");
      requireNonNull(sinceStart, "sinceStart is null");
      requireNonNull(left, "left is null");
    }

    /** The usage of a bucket of which nothing was read. */
    public Usage(BucketId bucket, long objects, long bytes) {
      this(bucket, objects, bytes, Traffic.NONE, Traffic.NONE, Traffic.NONE, Left.NONE);
    }

    /** The sum of two reports of the same bucket. */
    public Usage plus(Usage other) {
      return new Usage(
          bucket,
          objects + other.objects,
          bytes + other.bytes,
          ofMinute.plus(other.ofMinute),
          ofHour.plus(other.ofHour),
          sinceStart.plus(other.sinceStart),
          left.plus(other.left));
    }

    private static final Codec<Usage> CODEC =
        Codec.of(
            "usage",
            (out, usage) ->
                out.number(1, usage.bucket.value())
                    .number(2, usage.objects)
                    .number(3, usage.bytes)
                    .message(4, Traffic.CODEC, read(usage.ofMinute))
                    .message(5, Traffic.CODEC, read(usage.ofHour))
                    .message(6, Traffic.CODEC, read(usage.sinceStart))
                    .message(
                        7,
                        Left.CODEC,
                        Optional.of(usage.left).filter(some -> !some.equals(Left.NONE))),
            in ->
                new Usage(
                    new BucketId(in.number(1)),
                    in.number(2),
                    in.number(3),
                    in.optionalMessage(4, Traffic.CODEC).orElse(Traffic.NONE),
                    in.optionalMessage(5, Traffic.CODEC).orElse(Traffic.NONE),
                    in.optionalMessage(6, Traffic.CODEC).orElse(Traffic.NONE),
                    in.optionalMessage(7, Left.CODEC).orElse(Left.NONE)));

    private static Optional<Traffic> read(Traffic traffic) {
      return Optional.of(traffic).filter(some -> !some.equals(Traffic.NONE));
    }
  }

  /**
   * The content of a target's disks in service, and the hits and misses of its cache.
   *
   * @param objects of all buckets
   * @param bytes of all buckets
   * @param buckets those with the most bytes, at most {@link #BUCKETS_MAX}
   * @param cacheHits reads of cached buckets since the start whose bytes were all on the target
   * @param cacheMisses reads of cached buckets since the start that needed the backend
   * @param cachePassed units and small objects since the start that were not cached, because a disk
   *     had no room for them
   * @param cachePassedLastMs when that last happened, in milliseconds since 1970; 0 if never
   */
  public record Stored(
      long objects,
      long bytes,
      List<Usage> buckets,
      long cacheHits,
      long cacheMisses,
      long cachePassed,
      long cachePassedLastMs) {
    public Stored {
      buckets = List.copyOf(requireNonNull(buckets, "buckets is null"));
    }

    private static final Codec<Stored> CODEC =
        Codec.of(
            "stored",
            (out, stored) ->
                out.number(1, stored.objects)
                    .number(2, stored.bytes)
                    .messages(3, Usage.CODEC, stored.buckets)
                    .number(4, stored.cacheHits)
                    .number(5, stored.cacheMisses)
                    .number(6, stored.cachePassed)
                    .number(7, stored.cachePassedLastMs),
            in ->
                new Stored(
                    in.number(1),
                    in.number(2),
                    in.messages(3, Usage.CODEC, BUCKETS_MAX),
                    in.number(4),
                    in.number(5),
                    in.number(6),
                    in.number(7)));
  }

  private static final Codec<TargetReport> CODEC =
      Codec.of(
          "target report",
          (out, report) ->
              out.text(1, report.targetId)
                  .messages(2, Disk.CODEC, report.disks)
                  .message(3, Scrub.CODEC, report.scrub)
                  .message(4, Stored.CODEC, report.stored),
          in ->
              new TargetReport(
                  in.text(1),
                  in.messages(2, Disk.CODEC, DISKS_MAX),
                  in.optionalMessage(3, Scrub.CODEC),
                  in.optionalMessage(4, Stored.CODEC)));

  /** Encodes the report as a message. */
  public byte[] encode() {
    return WireMessage.encode(CODEC, this);
  }

  /** Decodes the bytes of {@link #encode}. */
  public static TargetReport decode(byte[] bytes) throws WireException {
    return WireMessage.decode(bytes, "target report", CODEC);
  }
}
