package dev.tarn.cluster.control.local;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One applied command in the log: magic, payload length, CRC32C over what follows, the state
 * version that it led to, and the encoded command as payload.
 */
final class LogRecord {
  static final int HEADER_SIZE = 20;

  /** Far above the size of every valid command. */
  static final int PAYLOAD_BYTES_MAX = 1024 * 1024;

  private static final int MAGIC = 0x54435231;
  private static final int CRC_START = 12;

  private final long stateVersion;
  private final byte[] payload;

  LogRecord(long stateVersion, byte[] payload) {
    requireNonNull(payload, "payload is null");
    if (payload.length > PAYLOAD_BYTES_MAX) {
      throw new IllegalArgumentException(
          "command has " + payload.length + " bytes, at most " + PAYLOAD_BYTES_MAX);
    }
    this.stateVersion = stateVersion;
    this.payload = payload;
  }

  long stateVersion() {
    return stateVersion;
  }

  byte[] payload() {
    return payload;
  }

  int size() {
    return HEADER_SIZE + payload.length;
  }

  ByteBuffer encode() {
    ByteBuffer bytes = ByteBuffer.allocate(size());
    bytes.putInt(MAGIC).putInt(payload.length).putInt(0).putLong(stateVersion).put(payload);
    bytes.putInt(8, crc(bytes, 0, size()));
    return bytes.flip();
  }

  /** Decodes the record at this offset; null if there is no complete and valid one. */
  static @Nullable LogRecord decode(ByteBuffer log, int offset) {
    if (log.limit() - offset < HEADER_SIZE || log.getInt(offset) != MAGIC) {
      return null;
    }
    int length = log.getInt(offset + 4);
    if (length < 0 || length > PAYLOAD_BYTES_MAX || length > log.limit() - offset - HEADER_SIZE) {
      return null;
    }
    if (log.getInt(offset + 8) != crc(log, offset, HEADER_SIZE + length)) {
      return null;
    }
    byte[] payload = new byte[length];
    log.get(offset + HEADER_SIZE, payload);
    return new LogRecord(log.getLong(offset + CRC_START), payload);
  }

  private static int crc(ByteBuffer bytes, int offset, int size) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().limit(offset + size).position(offset + CRC_START));
    return (int) crc.getValue();
  }
}
