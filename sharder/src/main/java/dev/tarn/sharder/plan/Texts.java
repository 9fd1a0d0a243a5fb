package dev.tarn.sharder.plan;

import java.util.Locale;

/** Choices as they are written on the command line and in plans. */
final class Texts {
  private Texts() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  static <E extends Enum<E>> E parse(Class<E> type, String text) {
    return Enum.valueOf(type, text.toUpperCase(Locale.ROOT));
  }
}
