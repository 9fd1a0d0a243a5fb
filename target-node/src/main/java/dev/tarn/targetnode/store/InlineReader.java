package dev.tarn.targetnode.store;

import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.log.Log;
import dev.tarn.targetnode.store.log.RecordLocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads payloads out of the log and verifies them, every time. */
final class InlineReader {
  private final Log log;

  InlineReader(Log log) {
    this.log = log;
  }

  /**
   * Reads a payload if that needs no wait.
   *
   * @param destination direct, with room for the payload; filled and flipped
   */
  boolean readNow(RecordLocation at, ByteBuffer destination) throws IOException {
    OpenFile open = log.holdNow(at.segment());
    if (open == null) {
      return false;
    }
    try {
      destination.clear().limit(at.payloadLength());
      if (!open.file().readNow(destination, at.payloadOffset())) {
        return false;
      }
      verify(at, destination.flip());
      return true;
    } finally {
      open.release();
    }
  }

  /**
   * Reads a payload; blocks.
   *
   * @throws java.nio.file.NoSuchFileException if the segment is gone: the record has been moved
   */
  void read(RecordLocation at, ByteBuffer destination) throws IOException {
    OpenFile open = log.hold(at.segment());
    try {
      destination.clear().limit(at.payloadLength());
      open.file().read(destination, at.payloadOffset());
      verify(at, destination.flip());
    } finally {
      open.release();
    }
  }

  private static void verify(RecordLocation at, ByteBuffer payload)
      throws UnreadableFormatException {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    if ((int) crc.getValue() != at.payloadCrc()) {
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          "segment "
              + at.segment()
              + " has a record at "
              + at.offset()
              + " whose checksum does not hold");
    }
  }
}
