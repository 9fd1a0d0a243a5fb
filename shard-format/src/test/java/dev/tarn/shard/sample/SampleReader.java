package dev.tarn.shard.sample;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a shard's samples in order. It holds one sample and the reader's bounded buffer; the bytes
 * of samples from memory are views of it.
 *
 * <p>Not for use by several threads at once. Closing it closes the archive.
 */
public final class SampleReader implements Closeable {
  /** A sample beyond this is a mistake more often than a wish. */
  public static final long DEFAULT_MAXIMUM_SAMPLE_SIZE = 1L << 30;

  private final String url;
  private final TarReader archive;
  private final long maximumSampleSize;
  private final SampleGrouping grouping;

  /** The member that ended the last sample: the first of the next. */
  private @Nullable TarMember pending;

  private boolean started;

  /**
   * @param url the shard's name in samples and in messages
   */
  public SampleReader(String url, TarReader archive) {
    this(url, archive, DEFAULT_MAXIMUM_SAMPLE_SIZE);
  }

  /**
   * @param url the shard's name in samples and in messages
   * @param maximumSampleSize how many bytes a sample may have, which bounds the memory used
   */
  public SampleReader(String url, TarReader archive, long maximumSampleSize) {
    this.url = requireNonNull(url, "url is null");
    this.archive = requireNonNull(archive, "archive is null");
    this.maximumSampleSize = maximumSampleSize;
    this.grouping = new SampleGrouping(url);
  }

  /**
   * The next sample, or null at the shard's end.
   *
   * @throws ShardFormatException if the shard is corrupt or cut short, a sample has the same
   *     extension twice, or it is larger than the bound
   */
  public @Nullable Sample next() throws IOException {
    if (!started) {
      started = true;
      pending = nextOfSample();
    }
    TarMember member = pending;
    if (member == null) {
      return null;
    }
    Map<String, ByteBuffer> members = new LinkedHashMap<>();
    String key = grouping.key();
    long size = 0;
    do {
      size += member.size();
      if (member.size() > maximumSampleSize || size > maximumSampleSize) {
        throw tooLarge(key, member, size);
      }
      members.put(grouping.extension(), archive.readData());
      member = nextOfSample();
    } while (member != null && grouping.key().equals(key));
    pending = member;
    return new Sample(key, url, members);
  }

  private @Nullable TarMember nextOfSample() throws IOException {
    while (true) {
      TarMember member = archive.next();
      if (member == null || grouping.add(member) != SampleGrouping.Role.OUTSIDE) {
        return member;
      }
    }
  }

  private ShardFormatException tooLarge(String key, TarMember member, long size) {
    return new ShardFormatException(
        url,
        member.headerOffset(),
        "sample "
            + MemberNames.printable(key)
            + " has at least "
            + size
            + " bytes; this reader takes samples of at most "
            + maximumSampleSize);
  }

  @Override
  public void close() throws IOException {
    archive.close();
  }
}
