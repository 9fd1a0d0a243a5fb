package dev.tarn.cluster.codec;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a sealed type: the tag of the alternative, which readers must know, then its fields.
 */
public final class Union {
  /** Reading looks an alternative up in an array of this length at most. */
  private static final int TAG_MAX = 1000;

  private Union() {}

  /**
   * One of the types that a sealed type permits.
   *
   * @param tag 1 to {@link #TAG_MAX}; never gets a second meaning
   */
  public record Alternative<T>(int tag, Class<T> type, Codec<T> codec) {
    public Alternative {
      if (tag < 1 || tag > TAG_MAX) {
        throw new IllegalArgumentException(
            type.getSimpleName() + " has the tag " + tag + ", must be 1 to " + TAG_MAX);
      }
    }
  }

  /** An alternative. */
  public static <T> Alternative<T> alternative(
      int tag, Class<T> type, Codec.Writer<T> writer, Codec.Reader<T> reader) {
    return new Alternative<>(tag, type, Codec.of(type.getSimpleName(), writer, reader));
  }

  /** An alternative without fields. */
  public static <T> Alternative<T> alternative(int tag, T only) {
    @SuppressWarnings("unchecked") // the class of a T
    Class<T> type = (Class<T>) only.getClass();
    return alternative(tag, type, (out, value) -> {}, in -> only);
  }

  /**
   * The codec of a sealed type.
   *
   * @param alternatives all types that it permits
   * @throws IllegalArgumentException if one is missing, or two have the same tag
   */
  public static <T> Codec<T> of(Class<T> type, List<Alternative<? extends T>> alternatives) {
    int tagMax = alternatives.stream().mapToInt(Alternative::tag).max().orElse(0);
    @SuppressWarnings({"unchecked", "rawtypes"}) // there are no arrays of generic types
    @Nullable Alternative<? extends T>[] byTag = new Alternative[tagMax + 1];
    Map<Class<?>, Alternative<? extends T>> byType = new HashMap<>();
    for (Alternative<? extends T> alternative : alternatives) {
      if (byTag[alternative.tag()] != null || byType.put(alternative.type(), alternative) != null) {
        throw new IllegalArgumentException(
            type.getSimpleName()
                + " has the tag "
                + alternative.tag()
                + " or the type "
                + alternative.type().getSimpleName()
                + " twice");
      }
      byTag[alternative.tag()] = alternative;
    }
    requireAll(type, byType);
    return Codec.of(
        type.getSimpleName(),
        (out, value) -> write(out, byType.get(value.getClass()), value),
        in -> {
          int tag = in.nextTag();
          Alternative<? extends T> alternative = tag < byTag.length ? byTag[tag] : null;
          if (alternative == null) {
            throw in.malformed("alternative " + tag + " is not known to this release");
          }
          return in.message(tag, alternative.codec());
        });
  }

  private static <T> void write(
      FieldWriter out, @Nullable Alternative<T> alternative, Object value) {
    if (alternative == null) {
      throw new IllegalArgumentException("no alternative for " + value.getClass().getName());
    }
    int tag = alternative.tag();
    out.required(tag).message(tag, alternative.codec(), alternative.type().cast(value));
  }

  private static void requireAll(Class<?> sealed, Map<Class<?>, ?> byType) {
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        requireAll(permitted, byType);
      } else if (!byType.containsKey(permitted)) {
        throw new IllegalArgumentException(
            sealed.getSimpleName() + " has no codec for " + permitted.getName());
      }
    }
  }
}
