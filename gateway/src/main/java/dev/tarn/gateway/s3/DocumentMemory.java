package dev.tarn.gateway.s3;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of all documents together. Many requests may run at the same time, and each may
 * have a document of the maximum length.
 */
final class DocumentMemory {
  /** How many documents of the maximum length fit. */
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
   * Reserves memory for a document.
   *
   * @param declaredLength the length in the request's head; null if there is none
   * @return the number of reserved bytes, to be given back with {@link #release}
   * @throws S3Exception SlowDown if too little memory is free now
   */
  int reserve(@Nullable String declaredLength) {
    int wanted = documentBytesMax;
    try {
      if (declaredLength != null) {
        wanted = Math.clamp(Long.parseLong(declaredLength), 0, documentBytesMax);
      }
    } catch (NumberFormatException e) {
      // Treated like an unknown length.
    }
    if (!bytes.tryAcquire(wanted)) {
      throw S3Exception.of(S3ErrorCode.SLOW_DOWN);
    }
    return wanted;
  }

  /** Gives reserved memory back. */
  void release(int reserved) {
    bytes.release(reserved);
  }
}
