package dev.tarn.shard.compression;

import dev.tarn.shard.BulkInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Inflates all members of a gzip stream as one.
 *
 * <p>The JDK's own stream uses {@code available()} to detect another member. If the network has not
 * delivered the next member yet, that stream ends after half a shard, without an error. This stream
 * reads to the end. Zeros after the last member are padding.
 */
public final class GzipStream extends BulkInputStream {
  /** Receives the offsets where reading can start. */
  @FunctionalInterface
  public interface Members {
    /**
     * Called when a gzip member begins.
     *
     * @param offset of its first byte in the inflated stream
     * @param storedOffset of its header in the stored stream
     */
    void begin(long offset, long storedOffset);
  }

  private static final int BUFFER_SIZE = 64 * 1024;
  private static final int DEFLATE = 8;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int FLAGS_RESERVED = 0xe0;

  private final InputStream compressed;
  private final Members members;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[BUFFER_SIZE];
  private int start;
  private int end;

  /** The offset of the buffer's end in the stored stream, and the number of inflated bytes. */
  private long storedEnd;

  private long inflated;
  private boolean inMember;
  private boolean ended;
  private boolean closed;

  /**
   * @param compressed closed with this stream
   */
  public GzipStream(InputStream compressed) {
    this(compressed, (offset, storedOffset) -> {});
  }

  /**
   * @param compressed closed with this stream
   * @param members receives each gzip member, in order
   */
  public GzipStream(InputStream compressed, Members members) {
    this.compressed = compressed;
    this.members = members;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      if (!inMember) {
        beginMember();
      } else {
        int count = inflate(target, offset, length);
        if (count > 0) {
          return count;
        }
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws IOException {
    int count;
    try {
      count = inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw new ZipException("the gzip data is corrupt: " + e.getMessage());
    }
    crc.update(target, offset, count);
    inflated += count;
    if (inflater.finished()) {
      start = end - inflater.getRemaining();
      endMember();
    } else if (count == 0) {
      if (inflater.needsDictionary()) {
        throw new ZipException("the gzip data asks for a dictionary, which gzip does not have");
      }
      start = end;
      if (!fill()) {
        throw cutShort();
      }
      inflater.setInput(buffer, start, end - start);
    }
    return count;
  }

  private void beginMember() throws IOException {
    int first = nextOrEnd();
    while (first == 0) {
      first = nextOrEnd();
    }
    if (first < 0) {
      ended = true;
      return;
    }
    members.begin(inflated, storedEnd - (end - start) - 1);
    if (first != 0x1f || next() != 0x8b || next() != DEFLATE) {
      throw new ZipException("the bytes after the gzip data are neither gzip nor padding");
    }
    int flags = next();
    if ((flags & FLAGS_RESERVED) != 0) {
      throw new ZipException("the gzip header sets the reserved flags " + (flags & FLAGS_RESERVED));
    }
    skip(6);
    if ((flags & FLAG_EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    for (int flag : new int[] {FLAG_NAME, FLAG_COMMENT}) {
      while ((flags & flag) != 0 && next() != 0) {
        // up to the NUL that ends the text
      }
    }
    if ((flags & FLAG_HEADER_CRC) != 0) {
      skip(2);
    }
    crc.reset();
    inflater.reset();
    inflater.setInput(buffer, start, end - start);
    inMember = true;
  }

  private void endMember() throws IOException {
    long statedCrc = nextInt();
    long statedSize = nextInt();
    if (statedCrc != crc.getValue()) {
      throw new ZipException("the gzip data is corrupt: its CRC32 differs from the one at its end");
    }
    if (statedSize != (inflater.getBytesWritten() & 0xffff_ffffL)) {
      throw new ZipException(
          "the gzip data is corrupt: its length differs from the one at its end");
    }
    inMember = false;
  }

  private long nextInt() throws IOException {
    return next() | next() << 8 | next() << 16 | (long) next() << 24;
  }

  private void skip(int length) throws IOException {
    for (int i = 0; i < length; i++) {
      next();
    }
  }

  private int next() throws IOException {
    int next = nextOrEnd();
    if (next < 0) {
      throw cutShort();
    }
    return next;
  }

  private int nextOrEnd() throws IOException {
    return start < end || fill() ? buffer[start++] & 0xff : -1;
  }

  private boolean fill() throws IOException {
    int read = compressed.read(buffer);
    start = 0;
    end = Math.max(0, read);
    storedEnd += end;
    return read >= 0;
  }

  private static EOFException cutShort() {
    return new EOFException("the gzip data is cut short");
  }

  @Override
  public void close() throws IOException {
    closed = true;
    inflater.end();
    compressed.close();
  }
}
