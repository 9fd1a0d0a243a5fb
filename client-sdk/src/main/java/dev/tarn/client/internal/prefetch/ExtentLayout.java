package dev.tarn.client.internal.prefetch;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardRestarts;
import dev.tarn.shard.order.SampleRun;
import java.util.ArrayList;
import java.util.List;

/**
 * The spans of an extent's bytes: for each run, from the data of its first member to the end of its
 * last one. In a compressed shard these are all restarts that hold the run.
 *
 * @param stored spans of the stored file to fetch, ascending
 * @param uncompressed the same spans in the uncompressed shard
 */
public record ExtentLayout(List<ByteSpan> stored, List<ByteSpan> uncompressed) {
  /**
   * Consecutive bytes.
   *
   * @param start offset of the first
   * @param end offset after the last
   */
  public record ByteSpan(long start, long end) {}

  /** Copies the lists. */
  public ExtentLayout {
    stored = List.copyOf(stored);
    uncompressed = List.copyOf(uncompressed);
  }

  /** The layout of a whole shard with {@code length} stored bytes. */
  static ExtentLayout whole(long length) {
    return new ExtentLayout(
        List.of(new ByteSpan(0, length)), List.of(new ByteSpan(0, Long.MAX_VALUE)));
  }

  /**
   * The layout of parts of a shard, by its index.
   *
   * @throws ShardFormatException if the index's offsets are not ascending within the shard
   */
  static ExtentLayout of(Extent extent, ShardIndex index, Gaps gaps) throws ShardFormatException {
    return index.restarts().isPresent()
        ? compressed(extent, index, index.restarts().orElseThrow())
        : plain(extent, index, gaps);
  }

  private static ExtentLayout plain(Extent extent, ShardIndex index, Gaps gaps)
      throws ShardFormatException {
    List<ByteSpan> spans = new ArrayList<>();
    long end = 0;
    for (SampleRun run : extent.runs()) {
      ByteSpan next = bytes(run, extent, index, end);
      end = next.end();
      int last = spans.size() - 1;
      if (last >= 0 && gaps.isRead(next.start() - spans.get(last).end())) {
        spans.set(last, new ByteSpan(spans.get(last).start(), next.end()));
      } else {
        spans.add(next);
      }
    }
    return new ExtentLayout(spans, spans);
  }

  private static ExtentLayout compressed(Extent extent, ShardIndex index, ShardRestarts restarts)
      throws ShardFormatException {
    List<ByteSpan> stored = new ArrayList<>();
    List<ByteSpan> uncompressed = new ArrayList<>();
    int end = -1;
    long read = 0;
    for (SampleRun run : extent.runs()) {
      ByteSpan bytes = bytes(run, extent, index, read);
      read = bytes.end();
      int first = restarts.before(bytes.start());
      int behind = restarts.before(Math.max(bytes.start(), bytes.end() - 1)) + 1;
      boolean isLast = behind == restarts.count();
      long storedEnd = isLast ? restarts.storedLength() : restarts.storedOffset(behind);
      long uncompressedEnd = isLast ? index.shardLength() : restarts.offset(behind);
      int last = stored.size() - 1;
      if (last >= 0 && first <= end) {
        stored.set(last, new ByteSpan(stored.get(last).start(), storedEnd));
        uncompressed.set(last, new ByteSpan(uncompressed.get(last).start(), uncompressedEnd));
      } else {
        stored.add(new ByteSpan(restarts.storedOffset(first), storedEnd));
        uncompressed.add(new ByteSpan(restarts.offset(first), uncompressedEnd));
      }
      end = behind;
    }
    return new ExtentLayout(stored, uncompressed);
  }

  /**
   * The bytes of a run.
   *
   * @param behind end of the run before it
   */
  private static ByteSpan bytes(SampleRun run, Extent extent, ShardIndex index, long behind)
      throws ShardFormatException {
    int first = index.sampleStart(run.from());
    int last = index.sampleStart(run.to()) - 1;
    if (first < 0 || last < first || last >= index.memberCount()) {
      throw new ShardFormatException(
          extent.shard().url().printable(),
          behind,
          "its index is corrupt: samples %d to %d have the members %d to %d of %d"
              .formatted(run.from(), run.to(), first, last, index.memberCount()));
    }
    long start = index.memberOffset(first);
    long end = index.memberOffset(last) + index.memberSize(last);
    if (start < behind || end < start || end > index.shardLength()) {
      throw new ShardFormatException(
          extent.shard().url().printable(),
          behind,
          "its index is corrupt: samples %d to %d have the bytes %d to %d of %d"
              .formatted(run.from(), run.to(), start, end, index.shardLength()));
    }
    return new ByteSpan(start, end);
  }
}
