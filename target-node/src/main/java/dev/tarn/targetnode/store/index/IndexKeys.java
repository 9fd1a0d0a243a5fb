package dev.tarn.targetnode.store.index;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The keys of the index: one byte for the kind, then
 *
 * <ul>
 *   <li>objects: bucket id (8 bytes), the key escaped and terminated, the version descending (20);
 *   <li>uploads: bucket id, the key escaped and terminated, the upload's id;
 *   <li>parts: the upload's id, 0, the part's number (4);
 *   <li>references: the extent's id (8); the value is the number of records that name it;
 *   <li>live bytes: the segment's number (8);
 *   <li>position: nothing; the value is the log position that the index contains;
 *   <li>usage: the bucket's id (8); the value is what the bucket holds.
 * </ul>
 *
 * In a key, 0x00 is written as 0x00 0xFF, and the end as 0x00 0x00. The order of the bytes is
 * therefore the order of the keys, whatever follows. Versions are complemented, so the newest comes
 * first.
 */
final class IndexKeys {
  static final byte OBJECT = 1;
  static final byte UPLOAD = 2;
  static final byte PART = 3;
  static final byte REFERENCES = 4;
  static final byte LIVE_BYTES = 5;
  static final byte POSITION = 6;
  static final byte FORMAT = 7;
  static final byte USAGE = 8;
  static final int VERSION_LENGTH = 20;
  private static final int KEY_AT = 9;

  private IndexKeys() {}

  /** The prefix of all keys of a name. */
  static byte[] name(byte kind, ObjectName name) {
    ObjectKey key = name.key();
    int zeros = 0;
    for (int i = 0; i < key.length(); i++) {
      zeros += key.byteAt(i) == 0 ? 1 : 0;
    }
    byte[] bytes = new byte[KEY_AT + key.length() + zeros + 2];
    putBucket(bytes, kind, name.bucket());
    if (zeros == 0) {
      key.copyTo(bytes, KEY_AT);
      return bytes;
    }
    int at = KEY_AT;
    for (int i = 0; i < key.length(); i++) {
      byte next = key.byteAt(i);
      bytes[at++] = next;
      if (next == 0) {
        bytes[at++] = (byte) 0xFF;
      }
    }
    return bytes;
  }

  /** The prefix of all keys of a bucket's names that begin with {@code prefix}. */
  static byte[] prefix(byte kind, BucketId bucket, byte[] prefix) {
    var bytes = new ByteArrayOutputStream(KEY_AT + prefix.length);
    byte[] head = new byte[KEY_AT];
    putBucket(head, kind, bucket);
    bytes.writeBytes(head);
    for (byte next : prefix) {
      bytes.write(next);
      if (next == 0) {
        bytes.write(0xFF);
      }
    }
    return bytes.toByteArray();
  }

  static byte[] object(ObjectName name, ObjectVersion version) {
    byte[] head = name(OBJECT, name);
    return ByteBuffer.allocate(head.length + VERSION_LENGTH)
        .put(head)
        .putLong(~version.mapEpoch())
        .putLong(~version.clockMs())
        .putInt(~version.sequence())
        .array();
  }

  static byte[] upload(ObjectName name, String uploadId) {
    byte[] head = name(UPLOAD, name);
    byte[] id = uploadId.getBytes(UTF_8);
    return ByteBuffer.allocate(head.length + id.length).put(head).put(id).array();
  }

  /** The prefix of all keys of an upload's parts. */
  static byte[] parts(String uploadId) {
    byte[] id = uploadId.getBytes(UTF_8);
    return ByteBuffer.allocate(id.length + 2).put(PART).put(id).put((byte) 0).array();
  }

  static byte[] part(String uploadId, int number) {
    byte[] head = parts(uploadId);
    return ByteBuffer.allocate(head.length + 4).put(head).putInt(number).array();
  }

  static byte[] number(byte kind, long number) {
    return ByteBuffer.allocate(9).put(kind).putLong(number).array();
  }

  /** Whether {@code bytes} begins with {@code prefix}. */
  static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }

  /** The least key after all that begin with {@code prefix}, whose first byte must be small. */
  static byte[] behind(byte[] prefix) {
    byte[] bytes = prefix.clone();
    int at = bytes.length - 1;
    while (bytes[at] == (byte) 0xFF) {
      at--;
    }
    bytes[at]++;
    return Arrays.copyOf(bytes, at + 1);
  }

  /** The least key after all keys of a name; {@code prefix} is the name without its terminator. */
  static byte[] behindTerminated(byte[] prefix) {
    byte[] bytes = Arrays.copyOf(prefix, prefix.length + 2);
    bytes[prefix.length + 1] = 1;
    return bytes;
  }

  /** The bucket in the key of an object or upload. */
  static BucketId bucket(byte[] key) {
    return new BucketId(ByteBuffer.wrap(key).getLong(1));
  }

  /** The name in the key of an object or upload. */
  static ObjectName name(byte[] key) {
    byte[] name = new byte[key.length];
    int length = 0;
    int at = KEY_AT;
    while (key[at] != 0 || key[at + 1] != 0) {
      name[length++] = key[at];
      at += key[at] == 0 ? 2 : 1;
    }
    return new ObjectName(bucket(key), ObjectKey.of(Arrays.copyOf(name, length)));
  }

  private static void putBucket(byte[] bytes, byte kind, BucketId bucket) {
    ByteBuffer.wrap(bytes).put(kind).putLong(bucket.value());
  }
}
