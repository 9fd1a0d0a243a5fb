package dev.tarn.client.decode;

import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** Converts values to the types that callers request. */
final class Conversions {
  private Conversions() {}

  /**
   * The value as a type, which may be primitive; null if it is of another type, or would lose
   * precision.
   */
  static <T> @Nullable T convert(@Nullable Object value, Class<T> type) {
    @SuppressWarnings("unchecked") // int.class is a Class<Integer>, too
    Class<T> reference = (Class<T>) MethodType.methodType(type).wrap().returnType();
    Object converted = value instanceof Long number ? number(number, reference) : value;
    return reference.isInstance(converted) ? reference.cast(converted) : null;
  }

  private static Number number(long value, Class<?> type) {
    if (type == Integer.class && value == (int) value) {
      return (int) value;
    }
    if (type == Short.class && value == (short) value) {
      return (short) value;
    }
    if (type == Byte.class && value == (byte) value) {
      return (byte) value;
    }
    if (type == Double.class && value == (long) (double) value && value != Long.MAX_VALUE) {
      return (double) value;
    }
    if (type == Float.class && value == (long) (float) value && value != Long.MAX_VALUE) {
      return (float) value;
    }
    return value;
  }
}
