package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.crash.KeyVersions.Version;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes keys of a bucket of its own whose versioning is enabled and suspended in turn: puts,
 * uploads, copies, tags, delete markers, and deletes of versions. Each key must hold the versions
 * that {@link KeyVersions} says, or those that an operation would have left that failed.
 */
final class VersionWriter implements DiskWriter {
  private static final int KEYS = 4;
  private static final int VERSIONS_MAX = 7;
  private static final int WITHOUT_VERSIONS = 15;

  private final BucketId bucket;
  private final Random random;
  private final Map<String, List<KeyVersions>> possible = new HashMap<>();
  private volatile @Nullable Throwable failure;
  private int operations;
  private int acknowledged;

  VersionWriter(BucketId bucket, long seed) {
    this.bucket = bucket;
    this.random = new Random(seed);
    for (int i = 0; i < KEYS; i++) {
      possible.put("key/" + i, new ArrayList<>(List.of(KeyVersions.NONE)));
    }
  }

  @Override
  public int check(OneDisk node, String when) {
    Calls calls = node.calls(bucket);
    int looked = 0;
    for (Map.Entry<String, List<KeyVersions>> key : possible.entrySet()) {
      Optional<KeyVersions> found = find(calls, key.getKey(), 1 + random.nextInt(4));
      if (found.isEmpty()) {
        return looked;
      }
      looked++;
      KeyVersions shown = found.orElseThrow();
      assertThat(key.getValue().stream().anyMatch(state -> state.matches(shown)))
          .as("%s/%s in %s has %s, may have %s", bucket, key.getKey(), when, shown, key.getValue())
          .isTrue();
      assertCurrent(calls, key.getKey(), shown.newest());
      key.setValue(new ArrayList<>(List.of(shown)));
    }
    return looked;
  }

  /** The versions and their bytes as the target shows them; empty if it does not serve. */
  static Optional<KeyVersions> find(Calls calls, String key, int pageSize) {
    Outcome<List<VersionEntry>> listed = calls.versions(key, pageSize);
    if (!(listed instanceof Outcome.Success<List<VersionEntry>> entries)) {
      assertUnavailable(listed);
      return Optional.empty();
    }
    List<Version> versions = new ArrayList<>();
    for (VersionEntry entry : entries.value()) {
      assertThat(entry.latest()).as("%s of %s", entry, key).isEqualTo(versions.isEmpty());
      String id = entry.versionText();
      if (entry.deleteMarker()) {
        versions.add(new Version(Optional.of(id), Optional.empty(), ""));
        continue;
      }
      Outcome<byte[]> bytes = calls.get(key, id);
      Outcome<ObjectMetadata> metadata = calls.head(key, id);
      if (!(bytes instanceof Outcome.Success<byte[]> content)
          || !(metadata instanceof Outcome.Success<ObjectMetadata> head)) {
        assertUnavailable(bytes instanceof Outcome.Failed<byte[]> ? bytes : metadata);
        return Optional.empty();
      }
      String tag = head.value().attributes().tags().getOrDefault("tag", "");
      versions.add(new Version(Optional.of(id), Optional.of(content.value()), tag));
    }
    return Optional.of(new KeyVersions(versions));
  }

  private static void assertUnavailable(Outcome<?> outcome) {
    assertThat(((Outcome.Failed<?>) outcome).failure()).isInstanceOf(Failure.Unavailable.class);
  }

  /** The key without a version shows what is newest. */
  static void assertCurrent(Calls calls, String key, Optional<Version> newest) {
    Outcome<byte[]> current = calls.get(key);
    Optional<byte[]> content = newest.flatMap(Version::content);
    if (current instanceof Outcome.Success<byte[]> success) {
      assertThat(success.value()).as(key).isEqualTo(content.orElse(null));
    } else if (!(((Outcome.Failed<byte[]>) current).failure() instanceof Failure.Unavailable)) {
      assertThat(((Outcome.Failed<byte[]>) current).failure())
          .isEqualTo(new Failure.NoSuchKey(newest.flatMap(Version::id)));
      assertThat(content).isEmpty();
    }
  }

  @Override
  public void write(OneDisk node, SimulatedDisk disk) {
    try {
      while (!disk.isDead()) {
        step(node);
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }

  @Override
  public int acknowledged() {
    return acknowledged;
  }

  @Override
  public void rethrow() {
    if (failure != null) {
      throw new AssertionError("the writer of " + bucket + " failed", failure);
    }
  }

  private void step(OneDisk node) {
    Calls calls = node.calls(bucket);
    String key = "key/" + random.nextInt(KEYS);
    Versioning versioning =
        operations++ < WITHOUT_VERSIONS
            ? Versioning.OFF
            : random.nextInt(3) == 0 ? Versioning.SUSPENDED : Versioning.ENABLED;
    node.setVersioning(bucket, versioning);
    List<KeyVersions> states = possible.getOrDefault(key, List.of());
    if (states.size() > 1) {
      return;
    }
    KeyVersions state = states.getFirst();
    if (state.versions().size() >= VERSIONS_MAX) {
      deleteVersion(calls, key, state);
      return;
    }
    byte[] bytes = new byte[random.nextInt(random.nextInt(3) == 0 ? 20_000 : 3000)];
    random.nextBytes(bytes);
    switch (random.nextInt(8)) {
      case 0 -> delete(calls, key, versioning);
      case 1 -> deleteVersion(calls, key, state);
      case 2 -> copy(calls, key, state, versioning);
      case 3 -> tag(calls, key, state);
      case 4 -> put(key, versioning, bytes, () -> multipart(calls, key, bytes));
      default -> put(key, versioning, bytes, () -> calls.put(key, bytes));
    }
  }

  private void put(
      String key,
      Versioning versioning,
      byte[] bytes,
      Supplier<Outcome<ObjectMetadata>> operation) {
    attempt(
        key,
        operation.get(),
        (state, made) ->
            state.with(versioning, made.map(ObjectMetadata::versionText), Optional.of(bytes)));
  }

  private void delete(Calls calls, String key, Versioning versioning) {
    attempt(
        key,
        calls.delete(key),
        (state, made) ->
            versioning == Versioning.OFF
                ? new KeyVersions(List.of())
                : state.with(
                    versioning, made.map(deleted -> deleted.versionText()), Optional.empty()));
  }

  private void deleteVersion(Calls calls, String key, KeyVersions state) {
    choose(state, version -> true)
        .flatMap(Version::id)
        .ifPresent(id -> attempt(key, calls.delete(key, id), (before, made) -> before.without(id)));
  }

  private void tag(Calls calls, String key, KeyVersions state) {
    String tag = Integer.toString(random.nextInt(1000));
    choose(state, version -> version.content().isPresent())
        .flatMap(Version::id)
        .ifPresent(id ->
            attempt(
                key,
                calls.setTags(key, id, Map.of("tag", tag)),
                (before, made) -> before.tagged(id, tag)));
  }

  /** Copies a version of one key to another, with its tag. */
  private void copy(Calls calls, String from, KeyVersions state, Versioning versioning) {
    String to = "key/" + random.nextInt(KEYS);
    Optional<Version> source = choose(state, version -> version.content().isPresent());
    if (source.isEmpty() || possible.getOrDefault(to, List.of()).size() > 1) {
      return;
    }
    Version version = source.orElseThrow();
    attempt(
        to,
        calls.copy(from, version.id().orElseThrow(), to),
        (before, made) -> {
          Optional<String> id = made.map(ObjectMetadata::versionText);
          List<Version> after =
              new ArrayList<>(before.with(versioning, id, version.content()).versions());
          Version copied = after.removeFirst();
          after.addFirst(new Version(copied.id(), copied.content(), version.tag()));
          return new KeyVersions(after);
        });
  }

  private Optional<Version> choose(KeyVersions state, Predicate<Version> wanted) {
    List<Version> versions = state.versions().stream().filter(wanted).toList();
    return versions.isEmpty()
        ? Optional.empty()
        : Optional.of(versions.get(random.nextInt(versions.size())));
  }

  private static Outcome<ObjectMetadata> multipart(Calls calls, String key, byte[] bytes) {
    return calls
        .create(key)
        .then(upload ->
            calls
                .putPart(key, upload, 3, bytes)
                .then((ObjectPart part) -> calls.complete(key, upload, List.of(part))));
  }

  /** Notes what an operation has left, or may have left where it failed. */
  private <T> void attempt(
      String key, Outcome<T> outcome, BiFunction<KeyVersions, Optional<T>, KeyVersions> result) {
    List<KeyVersions> states = possible.getOrDefault(key, List.of());
    KeyVersions before = states.getFirst();
    if (outcome instanceof Outcome.Success<T> success) {
      acknowledged++;
      states.set(0, result.apply(before, Optional.of(success.value())));
    } else {
      assertThat(((Outcome.Failed<T>) outcome).failure().category())
          .as("%s of %s", outcome, key)
          .isNotIn(Failure.Category.CALLER, Failure.Category.MISSING, Failure.Category.CONFLICT);
      states.add(result.apply(before, Optional.empty()));
    }
  }
}
