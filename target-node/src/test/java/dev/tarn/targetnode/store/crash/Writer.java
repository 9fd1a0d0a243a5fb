package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Writes its own keys, one operation after the other, and remembers what each key may hold: what
 * was last acknowledged, and what was tried since and failed.
 */
final class Writer implements DiskWriter {
  private static final int KEYS = 6;

  private final String name;
  private final Random random;
  private final Map<String, List<Optional<byte[]>>> possible = new HashMap<>();
  private volatile @Nullable Throwable failure;
  private int acknowledged;

  Writer(String name, long seed) {
    this.name = name;
    this.random = new Random(seed);
    for (int i = 0; i < KEYS; i++) {
      possible.put(name + "/" + i, new ArrayList<>(List.of(Optional.empty())));
    }
  }

  @Override
  public int check(OneDisk node, String when) {
    Calls calls = node.calls();
    int looked = 0;
    for (Map.Entry<String, List<Optional<byte[]>>> key : possible.entrySet()) {
      Outcome<byte[]> outcome = calls.get(key.getKey());
      if (outcome instanceof Outcome.Failed<byte[]> failed
          && failed.failure() instanceof Failure.Unavailable) {
        return looked;
      }
      looked++;
      Optional<byte[]> found = found(outcome, key.getKey() + " in " + when);
      assertThat(key.getValue().stream().anyMatch(held -> same(held, found)))
          .as(
              "%s in %s holds %s, may hold %s",
              key.getKey(),
              when,
              describe(found),
              key.getValue().stream().map(Writer::describe).toList())
          .isTrue();
      key.setValue(new ArrayList<>(List.of(found)));
    }
    return looked;
  }

  private static Optional<byte[]> found(Outcome<byte[]> outcome, String what) {
    return switch (outcome) {
      case Outcome.Success<byte[]> success -> Optional.of(success.value());
      case Outcome.Failed<byte[]> failed -> {
        assertThat(failed.failure()).as(what).isInstanceOf(Failure.NoSuchKey.class);
        yield Optional.empty();
      }
    };
  }

  private static boolean same(Optional<byte[]> one, Optional<byte[]> other) {
    return one.isPresent() == other.isPresent()
        && (one.isEmpty() || Arrays.equals(one.orElseThrow(), other.orElseThrow()));
  }

  private static String describe(Optional<byte[]> bytes) {
    return bytes.map(b -> b.length + " bytes #" + Arrays.hashCode(b)).orElse("nothing");
  }

  @Override
  public void write(OneDisk node, SimulatedDisk disk) {
    try {
      while (!disk.isDead()) {
        step(node.calls());
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
      throw new AssertionError(name + " failed", failure);
    }
  }

  private void step(Calls calls) {
    String key = name + "/" + random.nextInt(KEYS);
    byte[] bytes = new byte[random.nextInt(random.nextInt(3) == 0 ? 20_000 : 3000)];
    random.nextBytes(bytes);
    switch (random.nextInt(6)) {
      case 0 -> attempt(key, Optional.empty(), () -> calls.delete(key));
      case 1 -> attempt(key, Optional.of(bytes), () -> multipart(calls, key, bytes));
      case 2 -> copy(calls, key);
      default -> attempt(key, Optional.of(bytes), () -> calls.put(key, bytes));
    }
  }

  private void copy(Calls calls, String key) {
    String to = name + "/" + random.nextInt(KEYS);
    List<Optional<byte[]>> source = states(key);
    if (source.size() == 1 && source.getFirst().isPresent()) {
      attempt(to, source.getFirst(), () -> calls.copy(key, to));
    }
  }

  private List<Optional<byte[]>> states(String key) {
    return possible.getOrDefault(key, List.of());
  }

  private static Outcome<?> multipart(Calls calls, String key, byte[] bytes) {
    Outcome<String> upload = calls.create(key);
    if (!(upload instanceof Outcome.Success<String> created)) {
      return upload;
    }
    Outcome<ObjectPart> part = calls.putPart(key, created.value(), 3, bytes);
    if (!(part instanceof Outcome.Success<ObjectPart>)) {
      return part;
    }
    return calls.complete(key, created.value(), List.of(value(part)));
  }

  /** An operation on a target. */
  @FunctionalInterface
  private interface Operation {
    Outcome<?> run();
  }

  private void attempt(String key, Optional<byte[]> result, Operation operation) {
    List<Optional<byte[]>> states = states(key);
    states.add(result);
    if (operation.run() instanceof Outcome.Success<?>) {
      acknowledged++;
      states.clear();
      states.add(result);
    }
  }
}
