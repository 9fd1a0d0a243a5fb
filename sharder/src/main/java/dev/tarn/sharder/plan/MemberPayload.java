package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.ByteCursor;
import dev.tarn.sharder.sort.GrowingBytes;
import dev.tarn.sharder.source.SourceFile;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The bytes that describe a member in a plan, besides its key and extension.
 *
 * <p>First the source's number (2 bytes), flags (1 byte) and the file's size (varint). Then the
 * optional fields whose flags are set. The file's stamp (8 bytes) comes first. Each other field
 * follows its length: the extension in its original case, the file's name, the path by which the
 * source reads it, and its content. A missing spelling, name or path equals the field before it.
 */
final class MemberPayload {
  /** This maximum leaves the sign bit of a {@link SampleRecord.SourcePosition} free. */
  static final int SOURCES_MAX = 0x7fff;

  /** Source number of a member of the dataset that the plan appends to. */
  static final int EXISTING = 0xffff;

  private static final int STAMPED = 1;
  private static final int SPELLED = 2;
  private static final int NAMED = 4;
  private static final int PATHED = 8;
  private static final int CONTENT = 16;

  private MemberPayload() {}

  /** Writes a member's payload. */
  static void put(GrowingBytes target, int source, MemberName member, SourceFile file) {
    boolean spelled = !member.isLowerCase();
    boolean named = !member.text().equals(file.name());
    boolean pathed = !file.path().equals(file.name());
    ByteBuffer content = file.content();
    target.putShort(source);
    target.put(
        (file.stamp() == 0 ? 0 : STAMPED)
            | (spelled ? SPELLED : 0)
            | (named ? NAMED : 0)
            | (pathed ? PATHED : 0)
            | (content == null ? 0 : CONTENT));
    target.putVarint(file.size());
    if (file.stamp() != 0) {
      target.putLong(file.stamp());
    }
    if (spelled) {
      target.putSized(member.spelledExtension());
    }
    if (named) {
      target.putSized(MemberNames.encode(file.name()));
    }
    if (pathed) {
      target.putSized(MemberNames.encode(file.path()));
    }
    if (content != null) {
      byte[] bytes = new byte[content.remaining()];
      content.duplicate().get(bytes);
      target.putSized(bytes);
    }
  }

  /** Writes the payload of a member of an existing dataset. */
  static void putExisting(GrowingBytes target, long size) {
    target.putShort(EXISTING);
    target.put(0);
    target.putVarint(size);
  }

  /** Returns the member that a payload describes. */
  static PlannedMember member(byte[] key, byte[] extension, ByteCursor payload) {
    int source = payload.takeShort();
    int flags = payload.take();
    long size = payload.takeVarint();
    long stamp = is(flags, STAMPED) ? payload.takeLong() : 0;
    byte[] spelled = is(flags, SPELLED) ? payload.takeSized() : extension;
    byte[] member = Arrays.copyOf(key, key.length + 1 + spelled.length);
    member[key.length] = '.';
    System.arraycopy(spelled, 0, member, key.length + 1, spelled.length);
    String name = MemberNames.decode(is(flags, NAMED) ? payload.takeSized() : member);
    String path = is(flags, PATHED) ? MemberNames.decode(payload.takeSized()) : name;
    ByteBuffer content = is(flags, CONTENT) ? ByteBuffer.wrap(payload.takeSized()) : null;
    SourceFile file = new SourceFile(name, path, size, stamp, content);
    return new PlannedMember(member, key.length, extension, source, file);
  }

  /** Returns the source's number in a payload. */
  static int source(byte[] payload) {
    return new ByteCursor(payload).takeShort();
  }

  /** Returns the file's size in a payload, in bytes. */
  static long size(ByteCursor payload) {
    payload.skip(Short.BYTES + 1);
    return payload.takeVarint();
  }

  /**
   * Returns whether a payload has the extension in its original case, because that is not lower.
   */
  static boolean isSpelled(byte[] payload) {
    return is(payload[Short.BYTES], SPELLED);
  }

  /** Returns the length in bytes of the original extension, which follows the key's dot. */
  static int spelledLength(byte[] extension, ByteCursor payload) {
    payload.skip(Short.BYTES);
    int flags = payload.take();
    if (!is(flags, SPELLED)) {
      return extension.length;
    }
    payload.takeVarint();
    payload.skip(is(flags, STAMPED) ? Long.BYTES : 0);
    return payload.takeLength();
  }

  /** Skips a payload. */
  static void skip(ByteCursor payload) {
    payload.skip(Short.BYTES);
    int flags = payload.take();
    payload.takeVarint();
    payload.skip(is(flags, STAMPED) ? Long.BYTES : 0);
    for (int flag = SPELLED; flag <= CONTENT; flag <<= 1) {
      payload.skip(is(flags, flag) ? payload.takeLength() : 0);
    }
  }

  private static boolean is(int flags, int flag) {
    return (flags & flag) != 0;
  }
}
