package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import org.jspecify.annotations.Nullable;

/** Numbers in queries and documents. */
public final class Numbers {
  /** The maximum number of entries in a page, as in S3. */
  public static final int PAGE_MAX = 1000;

  private Numbers() {}

  /**
   * The number of entries that a page may have: the requested number, up to {@link #PAGE_MAX}.
   *
   * @throws S3Exception InvalidArgument if it is not a number of 0 or more
   */
  public static int pageSize(String name, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      return PAGE_MAX;
    }
    return (int) Math.min(PAGE_MAX, atLeastZero(name, value));
  }

  /**
   * Parses a number of 0 or more that fits an int.
   *
   * @throws S3Exception InvalidArgument
   */
  public static long atLeastZero(String name, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw invalid(
        name, value, "Provided " + name + " must be an integer between 0 and 2147483647.");
  }

  /**
   * Parses the size of an object in bytes.
   *
   * @throws S3Exception InvalidArgument
   */
  public static long sizeBytes(String name, String value) {
    try {
      long size = Long.parseLong(value.strip());
      if (size >= 0) {
        return size;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a negative number.
    }
    throw invalid(name, value, "The object size must be a number of 0 or more.");
  }

  /**
   * Parses a part number.
   *
   * @throws S3Exception InvalidArgument
   */
  public static int partNumber(String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= ObjectPart.NUMBER_MAX) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of range.
    }
    throw invalid(
        "partNumber",
        value,
        "Part number must be an integer between 1 and " + ObjectPart.NUMBER_MAX + ", inclusive.");
  }

  /** The error for an invalid argument. */
  public static S3Exception invalid(String name, String value, String message) {
    return S3Exception.of(S3ErrorCode.INVALID_ARGUMENT, message)
        .with("ArgumentName", name)
        .with("ArgumentValue", value);
  }
}
