package dev.tarn.shard.tar;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive's members in order: ustar, PAX (POSIX 2001), GNU and the older formats.
 *
 * <p>In memory are one member's headers and a buffer of 64 KiB. From memory (a mapped file) and
 * from a file, only the headers are read, unless the data is requested.
 *
 * <p>Stricter than most readers: the two blocks of zeros at the end of an archive are required.
 * Members behind them are not read, as in other readers; see {@link #trailing} and {@link
 * #ignoringZeros}.
 *
 * <p>Not thread-safe. Closing it closes its source.
 */
public final class TarReader implements Closeable {
  private final String archive;
  private final TarInput input;
  private final MemberHeaders headers;

  /** The unread length of the current member's data, and of the padding after it, in bytes. */
  private long dataLeft;

  private int padding;
  private boolean ended;

  /**
   * The offset of the first byte behind the archive's end that is not zero; -1 if there is none.
   */
  private long trailingOffset = -1;

  private TarReader(String archive, TarInput input) {
    this.archive = requireNonNull(archive, "archive is null");
    this.input = input;
    this.headers = new MemberHeaders(archive, input);
  }

  /**
   * Reads a stream.
   *
   * @param archive its name in messages
   * @param stream uncompressed; see {@link dev.tarn.shard.compression.ShardStreams}
   */
  public static TarReader of(String archive, InputStream stream) {
    return new TarReader(archive, new StreamInput(requireNonNull(stream, "stream is null")));
  }

  /**
   * Reads a channel; a seekable one, such as a file, from its beginning.
   *
   * @param archive its name in messages
   * @param channel uncompressed and blocking
   */
  public static TarReader of(String archive, ReadableByteChannel channel) throws IOException {
    requireNonNull(channel, "channel is null");
    return channel instanceof SeekableByteChannel file
        ? new TarReader(archive, new SeekableInput(file))
        : of(archive, Channels.newInputStream(channel));
  }

  /**
   * Reads an archive in memory, from the buffer's position to its limit. Members' data is not
   * copied.
   *
   * @param archive its name in messages
   * @param bytes uncompressed; its position does not change
   */
  public static TarReader of(String archive, ByteBuffer bytes) {
    return new TarReader(archive, new BufferInput(requireNonNull(bytes, "bytes is null")));
  }

  /**
   * Reads an archive that arrives in buffers. Data within one buffer is not copied.
   *
   * @param archive its name in messages
   * @param buffers uncompressed
   */
  public static TarReader of(String archive, BufferSource buffers) {
    return new TarReader(
        archive, new BufferSequenceInput(requireNonNull(buffers, "buffers is null")));
  }

  /**
   * Makes this reader read on past the blocks of zeros that end an archive: all members of archives
   * that lie one behind the other become members of one.
   */
  public TarReader ignoringZeros() {
    headers.ignoreZeros();
    return this;
  }

  /**
   * Returns the error that bytes other than zeros follow the archive's end, such as a second
   * archive; null if only padding follows, or before {@link #next} has returned null. Of zeros in a
   * file or in memory, the first 16 MiB and the last 64 KiB are looked at.
   */
  public @Nullable ShardFormatException trailing() {
    if (trailingOffset < 0) {
      return null;
    }
    long offset = trailingOffset - trailingOffset % TarFormat.BLOCK;
    return new ShardFormatException(
        archive,
        offset,
        (input.position() - offset)
            + " bytes follow the archive's end, which readers ignore; if they are another archive,"
            + " sharder pack --ignore-zeros packs it too");
  }

  /**
   * Moves to the next member, and skips the unread data of the current one.
   *
   * @return null at the archive's end
   * @throws ShardFormatException if the archive is corrupt or truncated
   */
  public @Nullable TarMember next() throws IOException {
    if (ended) {
      return null;
    }
    skipRest();
    TarMember member = headers.next();
    if (member == null) {
      ended = true;
      trailingOffset = input.drain();
      return null;
    }
    dataLeft = member.size();
    padding = TarFormat.padding(member.size());
    return member;
  }

  /**
   * Reads some of the current member's data.
   *
   * @return the number of bytes; -1 at the end of the data
   * @throws ShardFormatException if the archive ends before the data
   */
  public int read(ByteBuffer target) throws IOException {
    if (dataLeft == 0) {
      return -1;
    }
    int limit = target.limit();
    if (target.remaining() > dataLeft) {
      target.limit(target.position() + (int) dataLeft);
    }
    int read = input.read(target);
    target.limit(limit);
    if (read < 0) {
      throw cutShort(dataLeft);
    }
    dataLeft -= read;
    return read;
  }

  /**
   * Returns the rest of the current member's data, in a buffer that the reader does not use again:
   * a view of an archive in memory, otherwise a copy.
   *
   * @throws ShardFormatException if the archive ends before the data
   * @throws IllegalStateException if the data is longer than a buffer can be
   */
  public ByteBuffer readData() throws IOException {
    if (dataLeft > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(dataLeft + " bytes do not fit a buffer: read them in pieces");
    }
    int length = (int) dataLeft;
    ByteBuffer data = input.read(length);
    dataLeft -= data.remaining();
    if (dataLeft > 0) {
      throw cutShort(dataLeft);
    }
    return data;
  }

  private void skipRest() throws IOException {
    long rest = dataLeft + padding;
    long before = input.position();
    if (rest > 0 && !input.skip(rest)) {
      throw cutShort(rest - (input.position() - before));
    }
    dataLeft = 0;
    padding = 0;
  }

  private ShardFormatException cutShort(long missing) {
    return new ShardFormatException(
        archive,
        input.position(),
        "the archive is cut short: at least " + missing + " bytes of a member are missing");
  }

  /** Returns the offset of the next byte that the reader will read. */
  public long position() {
    return input.position();
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
