package dev.tarn.targetnode.cache;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The backend's answer ended before all bytes of a unit had arrived. */
final class TruncatedUnitException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  TruncatedUnitException(long receivedBytes, long lengthBytes, @Nullable Throwable cause) {
    super(
        "the backend's answer ended after " + receivedBytes + " of " + lengthBytes + " bytes",
        cause);
  }
}
