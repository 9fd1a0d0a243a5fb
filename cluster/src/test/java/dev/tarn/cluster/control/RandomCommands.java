package dev.tarn.cluster.control;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    return switch (random.nextInt(13)) {
      case 0, 1 -> new Command.CreateBucket(timeMs, name("bucket"), name("user"), settings());
      case 2 -> new Command.SetBucket(timeMs, name("bucket"), bucketId(), settings());
      case 3 -> new Command.DeleteBucket(timeMs, name("bucket"), bucketId());
      case 4 -> createUser(timeMs);
      case 5 -> new Command.DeleteUser(timeMs, name("user"));
      case 6 ->
          new Command.CreateAccessKey(
              timeMs, new AccessKey(name("key"), "secret", name("user"), timeMs));
      case 7 -> new Command.DeleteAccessKey(timeMs, name("key"));
      case 8, 9 -> new Command.AnnounceTarget(timeMs, announced());
      case 12 -> new Command.Restore(timeMs, random.nextInt(500));
      case 10 -> new Command.ForgetTarget(timeMs, target());
      default ->
          random.nextInt(20) == 0
              ? new Command.NameCluster(timeMs, name("cluster"))
              : new Command.SetMembers(timeMs, Set.of(target()));
    };
  }

  private Command createUser(long timeMs) {
    String name = name("user");
    return new Command.CreateUser(timeMs, new User(name, name, random.nextBoolean()));
  }

  private Optional<BucketId> bucketId() {
    return random.nextBoolean()
        ? Optional.empty()
        : Optional.of(new BucketId(random.nextInt(1, 2 * NAMES)));
  }

  private TargetId target() {
    return new TargetId(name("target"));
  }

  private AnnouncedTarget announced() {
    TargetId id = target();
    return new AnnouncedTarget(
        id,
        List.of(new TargetAddress("fd00::1", random.nextInt(1, 1 << 16))),
        List.of(
            new AnnouncedTarget.Disk(new DiskId(id + "-a"), random.nextLong(1L << 50)),
            new AnnouncedTarget.Disk(new DiskId(id + "-" + random.nextInt(3)), 0)));
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
