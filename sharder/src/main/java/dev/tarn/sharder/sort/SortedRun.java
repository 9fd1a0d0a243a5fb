package dev.tarn.sharder.sort;

import dev.tarn.shard.TemporaryFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Reads a sorted run from a file; each record follows its length. */
final class SortedRun implements SortedRecords {
  private final TemporaryFile file;
  private final long end;
  private long position;
  private byte[] array;
  private int filled;
  private int offset;
  private int length;

  /**
   * @param bufferLength the length of each read in bytes
   */
  SortedRun(TemporaryFile file, long start, long end, int bufferLength) {
    this.file = file;
    this.position = start;
    this.end = end;
    this.array = new byte[(int) Math.min(bufferLength, end - start)];
  }

  @Override
  public boolean next() throws IOException {
    int start = offset + length;
    if (start == filled && position == end) {
      return false;
    }
    start = have(start, Integer.BYTES);
    length = ByteBuffer.wrap(array).getInt(start);
    offset = have(start, Integer.BYTES + length) + Integer.BYTES;
    return true;
  }

  /** Makes a number of bytes available; returns their start in the array. */
  private int have(int start, int wanted) throws IOException {
    if (filled - start >= wanted) {
      return start;
    }
    byte[] target = wanted > array.length ? new byte[wanted] : array;
    System.arraycopy(array, start, target, 0, filled - start);
    filled -= start;
    array = target;
    ByteBuffer room =
        ByteBuffer.wrap(array, filled, (int) Math.min(array.length - filled, end - position));
    int more = room.remaining();
    file.read(position, room);
    position += more;
    filled += more;
    if (filled < wanted) {
      throw new EOFException("the temporary file of a sort ends in a record");
    }
    return 0;
  }

  @Override
  public byte[] array() {
    return array;
  }

  @Override
  public int offset() {
    return offset;
  }

  @Override
  public int length() {
    return length;
  }

  int compareTo(SortedRun other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }
}
