package dev.tarn.client.decode;

import java.io.EOFException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads one MessagePack value (github.com/msgpack/msgpack/blob/master/spec.md).
 *
 * <p>Written here because msgpack-core calls methods that a later Java will not have. Lengths are
 * checked against the remaining bytes before memory is allocated: each element of a list takes at
 * least one byte, each entry of a map two.
 */
final class MessagePackReader {
  private static final int TIMESTAMP = -1;

  private final ByteBuffer data;

  MessagePackReader(ByteBuffer data) {
    this.data = data;
  }

  /** Reads the value, behind which nothing may follow. */
  @Nullable Object read() throws IOException {
    Object value = value(0);
    if (data.hasRemaining()) {
      throw new IOException(
          "%d bytes follow the value at byte %d".formatted(data.remaining(), data.position()));
    }
    return value;
  }

  private @Nullable Object value(int depth) throws IOException {
    if (depth > Values.DEPTH_MAX) {
      throw new IOException("nests deeper than " + Values.DEPTH_MAX);
    }
    int head = Byte.toUnsignedInt(take(1).get());
    if (head < 0x80 || head >= 0xe0) {
      return (long) (byte) head;
    }
    if (head < 0x90) {
      return map(head & 0x0f, depth);
    }
    if (head < 0xa0) {
      return list(head & 0x0f, depth);
    }
    if (head < 0xc0) {
      return Texts.text(take(head & 0x1f));
    }
    return switch (head) {
      case 0xc0 -> null;
      case 0xc2 -> false;
      case 0xc3 -> true;
      case 0xc4, 0xc5, 0xc6 -> bytes(length(head - 0xc4));
      case 0xc7, 0xc8, 0xc9 -> extension(length(head - 0xc7));
      case 0xca -> (double) take(Float.BYTES).getFloat();
      case 0xcb -> take(Double.BYTES).getDouble();
      case 0xcc, 0xcd, 0xce -> length(head - 0xcc);
      case 0xcf -> unsigned(take(Long.BYTES).getLong());
      case 0xd0 -> (long) take(Byte.BYTES).get();
      case 0xd1 -> (long) take(Short.BYTES).getShort();
      case 0xd2 -> (long) take(Integer.BYTES).getInt();
      case 0xd3 -> take(Long.BYTES).getLong();
      case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8 -> extension(1L << (head - 0xd4));
      case 0xd9, 0xda, 0xdb -> Texts.text(take(length(head - 0xd9)));
      case 0xdc, 0xdd -> list(length(head - 0xdc + 1), depth);
      case 0xde, 0xdf -> map(length(head - 0xde + 1), depth);
      default -> throw new IOException("no value begins at byte %d".formatted(data.position() - 1));
    };
  }

  /** An unsigned number of {@code 1 << logBytes} bytes, four at most. */
  private long length(int logBytes) throws IOException {
    ByteBuffer bytes = take(1L << logBytes);
    return switch (logBytes) {
      case 0 -> Byte.toUnsignedLong(bytes.get());
      case 1 -> Short.toUnsignedLong(bytes.getShort());
      default -> Integer.toUnsignedLong(bytes.getInt());
    };
  }

  private static Number unsigned(long value) {
    return value >= 0 ? (Number) value : new BigInteger(Long.toUnsignedString(value));
  }

  private List<@Nullable Object> list(long length, int depth) throws IOException {
    require(length);
    List<@Nullable Object> list = new ArrayList<>();
    for (long i = 0; i < length; i++) {
      list.add(value(depth + 1));
    }
    return Collections.unmodifiableList(list);
  }

  private Map<@Nullable Object, @Nullable Object> map(long length, int depth) throws IOException {
    require(2 * length);
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (long i = 0; i < length; i++) {
      Object key = value(depth + 1);
      if (key instanceof byte[] || key instanceof List || key instanceof Map) {
        throw new IOException("a map has a key that is neither text nor a number");
      }
      map.put(key, value(depth + 1));
    }
    return Collections.unmodifiableMap(map);
  }

  private byte[] bytes(long length) throws IOException {
    ByteBuffer taken = take(length);
    byte[] bytes = new byte[taken.remaining()];
    taken.get(bytes);
    return bytes;
  }

  private Object extension(long length) throws IOException {
    byte type = take(1).get();
    ByteBuffer content = ByteBuffer.wrap(bytes(length));
    return type == TIMESTAMP ? timestamp(content) : new MessagePackExtension(type, content.array());
  }

  private static Instant timestamp(ByteBuffer content) throws IOException {
    try {
      switch (content.remaining()) {
        case Integer.BYTES -> {
          return Instant.ofEpochSecond(Integer.toUnsignedLong(content.getInt()));
        }
        case Long.BYTES -> {
          long both = content.getLong();
          return Instant.ofEpochSecond(both & 0x3_ffff_ffffL, both >>> 34);
        }
        case Integer.BYTES + Long.BYTES -> {
          int nanos = content.getInt();
          return Instant.ofEpochSecond(content.getLong(), Integer.toUnsignedLong(nanos));
        }
        default -> throw new IOException(content.remaining() + " bytes are not a timestamp");
      }
    } catch (DateTimeException | ArithmeticException e) {
      throw new IOException("a timestamp is out of range", e);
    }
  }

  private ByteBuffer take(long length) throws EOFException {
    require(length);
    ByteBuffer taken = data.slice(data.position(), (int) length);
    data.position(data.position() + (int) length);
    return taken;
  }

  private void require(long length) throws EOFException {
    if (length > data.remaining()) {
      throw new EOFException(
          "%d bytes at least are needed at byte %d, %d are left"
              .formatted(length, data.position(), data.remaining()));
    }
  }
}
