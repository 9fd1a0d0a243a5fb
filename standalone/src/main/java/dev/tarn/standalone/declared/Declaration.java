package dev.tarn.standalone.declared;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The users, backends and buckets that must exist. Others may exist as well.
 *
 * @param users the users, who may hold key pairs and own buckets
 * @param backends the other S3 stores that buckets cache
 * @param buckets the buckets
 */
public record Declaration(
    List<DeclaredUser> users, List<DeclaredBackend> backends, List<DeclaredBucket> buckets) {
  /** The empty declaration. */
  public static final Declaration NOTHING = new Declaration(List.of(), List.of(), List.of());

  public Declaration {
    users = List.copyOf(users);
    backends = List.copyOf(backends);
    buckets = List.copyOf(buckets);
    namesOf("user", users, DeclaredUser::name);
    namesOf("bucket", buckets, DeclaredBucket::name);
    Set<String> backendNames = namesOf("backend", backends, DeclaredBackend::name);
    for (DeclaredBucket bucket : buckets) {
      if (bucket.backend().isPresent()
          && !backendNames.contains(bucket.backend().orElseThrow().name())) {
        throw new IllegalArgumentException(
            "the bucket %s caches the backend %s, which is not among the declared ones"
                .formatted(bucket.name(), bucket.backend().orElseThrow().name()));
      }
    }
  }

  /** The backend that a bucket of this declaration names. */
  DeclaredBackend backend(String name) {
    return backends.stream()
        .filter(backend -> backend.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static <T> Set<String> namesOf(String what, List<T> items, Function<T, String> name) {
    Set<String> names = new HashSet<>();
    for (T item : items) {
      if (!names.add(name.apply(item))) {
        throw new IllegalArgumentException(
            "the %s %s is declared twice".formatted(what, name.apply(item)));
      }
    }
    return names;
  }
}
