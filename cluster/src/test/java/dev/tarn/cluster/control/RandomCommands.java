package dev.tarn.cluster.control;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** A seeded stream of commands over few names, so that many of them contradict the state. */
public final class RandomCommands {
  private static final int NAMES = 12;

  private final SplittableRandom random;

  public RandomCommands(long seed) {
    random = new SplittableRandom(seed);
  }

  public Command next() {
    long timeMs = random.nextLong(1L << 41);
    return switch (random.nextInt(8)) {
      case 0, 1 -> new Command.CreateBucket(timeMs, name("bucket"), name("user"), settings());
      case 2 -> new Command.SetBucket(timeMs, name("bucket"), settings());
      case 3 -> new Command.DeleteBucket(timeMs, name("bucket"));
      case 4 -> createUser(timeMs);
      case 5 -> new Command.DeleteUser(timeMs, name("user"));
      case 6 ->
          new Command.CreateAccessKey(
              timeMs, new AccessKey(name("key"), "secret", name("user"), timeMs));
      default -> new Command.DeleteAccessKey(timeMs, name("key"));
    };
  }

  private Command createUser(long timeMs) {
    String name = name("user");
    return new Command.CreateUser(timeMs, new User(name, name, random.nextBoolean()));
  }

  private String name(String kind) {
    return kind + "-" + random.nextInt(NAMES);
  }

  private BucketSettings settings() {
    return new BucketSettings(
        random.nextBoolean() ? BucketSettings.Durability.FSYNC : BucketSettings.Durability.OS,
        random.nextBoolean() ? BucketSettings.Verify.SCRUB : BucketSettings.Verify.ALWAYS,
        random.nextBoolean() ? Optional.empty() : Optional.of(backend()),
        freshness(),
        random.nextBoolean());
  }

  private Freshness freshness() {
    return switch (random.nextInt(3)) {
      case 0 -> Freshness.IMMUTABLE;
      case 1 -> Freshness.REVALIDATE;
      default -> Freshness.ttl(Duration.ofMillis(random.nextLong(1, 1_000_000)));
    };
  }

  private BackendSettings backend() {
    boolean anonymous = random.nextBoolean();
    return new BackendSettings(
        random.nextBoolean() ? Optional.empty() : Optional.of(URI.create("http://[::1]:9000")),
        "eu-central-1",
        "backend",
        "préfix/",
        anonymous ? "" : "AKIA",
        anonymous ? "" : "secret");
  }
}
