package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All members of a plan, of which there may be millions: a record of bytes each, one after the
 * other, in place of objects. A record is named by where it begins.
 *
 * <p>A record is the file's size (6 bytes), the lengths of its name and of its key (2 each) and
 * flags (1), then the member's name and, where the flags say so, the file's name, of the same
 * length (renaming only replaces characters), and the extension in lower case behind its length
 * (2). No record straddles two chunks, so that names can be compared where they lie.
 */
final class MemberTable {
  static final int LONGEST_NAME = 0xffff;
  static final long LARGEST_SIZE = (1L << 48) - 1;

  private static final int CHUNK_BITS = 20;
  private static final int CHUNK_LENGTH = 1 << CHUNK_BITS;
  private static final int CHUNKS = Integer.MAX_VALUE >>> CHUNK_BITS;

  private static final int NAME_LENGTH = 6;
  private static final int KEY_LENGTH = 8;
  private static final int FLAGS = 10;
  private static final int NAME = 11;
  private static final int RENAMED = 1;
  private static final int LOWERED = 2;

  private final List<ByteBuffer> chunks = new ArrayList<>();
  private ByteBuffer last = ByteBuffer.allocate(0);

  /**
   * Adds a member.
   *
   * @param member its bytes
   * @param keyLength how many of them are the key
   * @param extension what follows the dot, in lower case
   * @param file the file's name
   * @return where its record begins
   */
  int add(byte[] member, int keyLength, byte[] extension, byte[] file, long size)
      throws PlanException {
    boolean renamed = !Arrays.equals(member, file);
    int extensionStart = keyLength + 1;
    boolean lowered =
        !Arrays.equals(extension, 0, extension.length, member, extensionStart, member.length);
    int length =
        NAME
            + member.length
            + (renamed ? file.length : 0)
            + (lowered ? Short.BYTES + extension.length : 0);
    if (member.length > LONGEST_NAME || size > LARGEST_SIZE) {
      throw new PlanException(
          MemberNames.printable(MemberNames.decode(file))
              + ": a name has at most %d bytes, a file at most %d"
                  .formatted(LONGEST_NAME, LARGEST_SIZE));
    }
    ByteBuffer chunk = room(length);
    int start = chunk.position();
    chunk
        .putInt((int) (size >>> Short.SIZE))
        .putShort((short) size)
        .putShort((short) member.length)
        .putShort((short) keyLength)
        .put((byte) ((renamed ? RENAMED : 0) | (lowered ? LOWERED : 0)))
        .put(member);
    if (renamed) {
      chunk.put(file);
    }
    if (lowered) {
      chunk.putShort((short) extension.length).put(extension);
    }
    return (chunks.size() - 1) << CHUNK_BITS | start;
  }

  private ByteBuffer room(int length) throws PlanException {
    if (last.remaining() < length) {
      if (chunks.size() == CHUNKS) {
        throw new PlanException(
            "the names of the files exceed 2 GiB: pack them as several datasets");
      }
      last = ByteBuffer.allocate(CHUNK_LENGTH);
      chunks.add(last);
    }
    return last;
  }

  private byte[] chunk(int record) {
    return chunks.get(record >>> CHUNK_BITS).array();
  }

  private static int offset(int record) {
    return record & (CHUNK_LENGTH - 1);
  }

  private int unsignedShort(int record, int field) {
    return Short.toUnsignedInt(chunks.get(record >>> CHUNK_BITS).getShort(offset(record) + field));
  }

  private boolean is(int record, int flag) {
    return (chunk(record)[offset(record) + FLAGS] & flag) != 0;
  }

  long size(int record) {
    ByteBuffer chunk = chunks.get(record >>> CHUNK_BITS);
    return Integer.toUnsignedLong(chunk.getInt(offset(record))) << Short.SIZE
        | Short.toUnsignedLong(chunk.getShort(offset(record) + Integer.BYTES));
  }

  int nameLength(int record) {
    return unsignedShort(record, NAME_LENGTH);
  }

  int keyLength(int record) {
    return unsignedShort(record, KEY_LENGTH);
  }

  /** The member's name. */
  byte[] name(int record) {
    int start = offset(record) + NAME;
    return Arrays.copyOfRange(chunk(record), start, start + nameLength(record));
  }

  /** The file's name. */
  byte[] fileName(int record) {
    int length = nameLength(record);
    int start = offset(record) + NAME + (is(record, RENAMED) ? length : 0);
    return Arrays.copyOfRange(chunk(record), start, start + length);
  }

  /** The extension in lower case. */
  byte[] extension(int record) {
    int start = extensionStart(record);
    return Arrays.copyOfRange(chunk(record), start, start + extensionLength(record));
  }

  private int extensionStart(int record) {
    int length = nameLength(record);
    if (!is(record, LOWERED)) {
      return offset(record) + NAME + keyLength(record) + 1;
    }
    return offset(record) + NAME + (is(record, RENAMED) ? 2 * length : length) + Short.BYTES;
  }

  private int extensionLength(int record) {
    return is(record, LOWERED)
        ? unsignedShort(record, extensionStart(record) - offset(record) - Short.BYTES)
        : nameLength(record) - keyLength(record) - 1;
  }

  boolean haveSameKey(int left, int right) {
    int leftStart = offset(left) + NAME;
    int rightStart = offset(right) + NAME;
    return Arrays.equals(
        chunk(left),
        leftStart,
        leftStart + keyLength(left),
        chunk(right),
        rightStart,
        rightStart + keyLength(right));
  }

  boolean haveSameExtension(int left, int right) {
    return Arrays.equals(extension(left), extension(right));
  }

  /**
   * Eight bytes of the key as a number, the first in front; zeros behind its end. Names hold no
   * zeros, so numbers compare as the keys do.
   */
  long keyWord(int record, int from) {
    return word(chunk(record), offset(record) + NAME, keyLength(record), from);
  }

  /** Eight bytes of the extension in the same way. */
  long extensionWord(int record, int from) {
    return word(chunk(record), extensionStart(record), extensionLength(record), from);
  }

  private static long word(byte[] bytes, int start, int length, int from) {
    long word = 0;
    int end = Math.min(length, from + Long.BYTES);
    for (int i = from; i < end; i++) {
      word |= (bytes[start + i] & 0xffL) << (56 - 8 * (i - from));
    }
    return word;
  }
}
