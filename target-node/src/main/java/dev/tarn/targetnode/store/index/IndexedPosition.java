package dev.tarn.targetnode.store.index;

import dev.tarn.targetnode.store.log.LogPosition;
import java.nio.ByteBuffer;

/**
 * How far the index contains the log. It is written in one step with the entries that it describes.
 *
 * @param position the index contains all records before it
 * @param clockMs the greatest time of a version up to there, in milliseconds since 1970
 */
public record IndexedPosition(LogPosition position, long clockMs) {
  byte[] encode() {
    return ByteBuffer.allocate(32)
        .putLong(position.segment())
        .putLong(position.offset())
        .putLong(position.sequence())
        .putLong(clockMs)
        .array();
  }

  static IndexedPosition decode(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new IndexedPosition(
        new LogPosition(buffer.getLong(), buffer.getLong(), buffer.getLong()), buffer.getLong());
  }
}
