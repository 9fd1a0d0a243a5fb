package dev.tarn.gateway.s3;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what all documents in memory have together: requests are many, and each may bring as much
 * as one document may have.
 */
final class DocumentMemory {
  /** How many documents of the greatest length there is room for. */
  private static final int LARGEST_DOCUMENTS_MAX = 4;

  private final int documentBytesMax;
  private final Semaphore bytes;

  DocumentMemory(int documentBytesMax) {
    this.documentBytesMax = documentBytesMax;
    this.bytes =
        new Semaphore(
            (int) Math.min(Integer.MAX_VALUE, (long) documentBytesMax * LARGEST_DOCUMENTS_MAX));
  }

  /**
   * Takes room for a document.
   *
   * @param declaredLength the length in the request's head, or null where it has none
   * @return the bytes taken, to be given back by {@link #release}
   * @throws S3Exception SlowDown if there is no room now
   */
  int reserve(@Nullable String declaredLength) {
    int wanted = documentBytesMax;
    try {
      if (declaredLength != null) {
        wanted = Math.clamp(Long.parseLong(declaredLength), 0, documentBytesMax);
      }
    } catch (NumberFormatException e) {
      // As of a length that is not known.
    }
    if (!bytes.tryAcquire(wanted)) {
      throw S3Exception.of(S3ErrorCode.SLOW_DOWN);
    }
    return wanted;
  }

  /** Gives room back. */
  void release(int reserved) {
    bytes.release(reserved);
  }
}
