package dev.tarn.cluster.control;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectLock;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
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
    return switch (random.nextInt(20)) {
      case 0, 1 -> new Command.CreateBucket(timeMs, name("bucket"), name("user"), settings());
      case 2 -> new Command.SetBucket(timeMs, name("bucket"), bucketId(), settings(), deletion());
      case 3 ->
          new Command.DeleteBucket(
              timeMs, name("bucket"), bucketId(), random.nextBoolean() ? 0 : deletion());
      case 4 -> createUser(timeMs);
      case 5 -> new Command.DeleteUser(timeMs, name("user"));
      case 6 ->
          new Command.CreateAccessKey(
              timeMs, new AccessKey(name("key"), "the secret", name("user"), timeMs));
      case 7 -> new Command.DeleteAccessKey(timeMs, name("key"));
      case 8, 9 -> new Command.AnnounceTarget(timeMs, announced());
      case 12 -> new Command.Restore(timeMs, random.nextInt(500));
      case 10 -> new Command.ForgetTarget(timeMs, target());
      case 13, 14, 15 ->
          new Command.ConfigureBucket(
              timeMs, name("bucket"), new BucketId(random.nextInt(1, 2 * NAMES)), change());
      case 16 ->
          new Command.BeginDeletion(
              timeMs, name("bucket"), new BucketId(random.nextInt(1, 2 * NAMES)));
      case 17 ->
          new Command.KeepBucket(
              timeMs, name("bucket"), new BucketId(random.nextInt(1, 2 * NAMES)), deletion());
      case 18 -> mapChange(timeMs);
      case 19 -> new Command.SwitchAccessKey(timeMs, name("key"), random.nextBoolean());
      default ->
          random.nextInt(20) == 0
              ? new Command.NameCluster(timeMs, name("cluster"))
              : new Command.SetMembers(timeMs, Set.of(target()));
    };
  }

  private Command mapChange(long timeMs) {
    return switch (random.nextInt(6)) {
      case 0 -> new Command.AddTarget(timeMs, target());
      case 1 -> new Command.TakeOut(timeMs, target());
      case 2 -> new Command.TakeIn(timeMs, target());
      case 3 -> new Command.ConfirmOut(timeMs, target(), random.nextInt(1, 50));
      case 4 ->
          new Command.GiveSlots(
              timeMs, target(), Map.of(random.nextInt(Slot.COUNT), random.nextLong(1, 50)));
      default -> new Command.RemoveTarget(timeMs, target());
    };
  }

  private Command createUser(long timeMs) {
    String name = name("user");
    return new Command.CreateUser(timeMs, new User(name, name, random.nextBoolean()));
  }

  private long deletion() {
    return random.nextInt(1, 500);
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
    boolean tls = random.nextBoolean();
    return new AnnouncedTarget(
        id,
        List.of(address()),
        List.of(
            new AnnouncedTarget.Disk(new DiskId(id + "-a"), random.nextLong(1L << 50)),
            new AnnouncedTarget.Disk(
                new DiskId(id + "-" + random.nextInt(3)), random.nextInt(4) == 0 ? 0 : 1L << 40)),
        tls,
        tls && random.nextBoolean() ? Optional.of(address()) : Optional.empty());
  }

  private TargetAddress address() {
    return new TargetAddress("fd00::1", random.nextInt(1, 1 << 16));
  }

  private String name(String kind) {
    return kind + "-" + random.nextInt(NAMES);
  }

  private BucketSettings settings() {
    return BucketSettings.SCHEMA.with(
        BucketSettings.PRIMARY
            .with(
                random.nextBoolean()
                    ? BucketSettings.Durability.FSYNC
                    : BucketSettings.Durability.OS)
            .with(random.nextBoolean() ? BucketSettings.Verify.SCRUB : BucketSettings.Verify.ALWAYS)
            .withBackend(random.nextBoolean() ? Optional.empty() : Optional.of(backend()))
            .with(freshness())
            .with(
                random.nextBoolean()
                    ? BucketSettings.Listing.COMPLETE
                    : BucketSettings.Listing.PARTIAL)
            .withAnonymousRead(random.nextBoolean()),
        Map.of(
            "hide-backend",
            random.nextBoolean(),
            "cache-min",
            new CacheBound(random.nextInt(3)),
            "cache-max",
            new CacheBound(3L * random.nextInt(2)),
            "cache-rules",
            random.nextBoolean()
                ? CacheRules.NONE
                : new CacheRules(
                    List.of(
                        new CacheRule("", CacheRule.Mode.BYPASS, Optional.empty()),
                        new CacheRule("a%b c", CacheRule.Mode.PIN, Optional.of(freshness()))))));
  }

  /** A change of a part of a bucket's configuration. */
  BucketChange change() {
    return switch (random.nextInt(9)) {
      case 6 ->
          new BucketChange.SetPublicAccessBlock(
              random.nextBoolean()
                  ? Optional.empty()
                  : Optional.of(
                      new AccessControls.PublicAccessBlock(
                          random.nextBoolean(),
                          random.nextBoolean(),
                          random.nextBoolean(),
                          random.nextBoolean())));
      case 7 ->
          new BucketChange.SetOwnership(
              random.nextBoolean()
                  ? Optional.empty()
                  : Optional.of(
                      List.of(AccessControls.ObjectOwnership.values()).get(random.nextInt(3))));
      case 8 ->
          new BucketChange.SetObjectLock(
              new ObjectLockRule(
                  random.nextBoolean()
                      ? Optional.empty()
                      : Optional.of(
                          new ObjectLockRule.DefaultRetention(
                              ObjectLock.Mode.CODES.get(random.nextInt(2)),
                              1 + random.nextInt(100),
                              ObjectLockRule.Unit.CODES.get(random.nextInt(2))))));
      case 0 ->
          new BucketChange.SetVersioning(
              random.nextBoolean() ? Versioning.ENABLED : Versioning.SUSPENDED);
      case 1 ->
          new BucketChange.SetAcl(
              AccessList.PRIVATE
                  .with(one(AccessList.Permission.values()), name("user"))
                  .with(one(AccessList.Permission.values()), AccessList.EVERYBODY));
      case 2 -> new BucketChange.SetTags(Map.of(name("tag"), name("value"), "é", ""));
      case 3 -> new BucketChange.SetCors(random.nextBoolean() ? List.of() : List.of(corsRule()));
      case 4 ->
          new BucketChange.SetLifecycle(
              random.nextBoolean() ? List.of() : List.of(lifecycleRule(), lifecycleRule()));
      default ->
          new BucketChange.SetPolicy(
              random.nextBoolean() ? Optional.empty() : Optional.of("{\"é\": " + name("p") + "}"));
    };
  }

  private AccessList.Permission one(AccessList.Permission... permissions) {
    return permissions[random.nextInt(permissions.length)];
  }

  private CorsRule corsRule() {
    return new CorsRule(
        name("rule"),
        List.of("https://*.example.org", "*"),
        List.of("GET", "PUT"),
        random.nextBoolean() ? List.of() : List.of("x-*"),
        random.nextBoolean() ? List.of() : List.of("etag", "x-é"),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(3600)));
  }

  private LifecycleRule lifecycleRule() {
    boolean bySize = random.nextBoolean();
    boolean byTag = random.nextBoolean();
    LifecycleRule.Filter filter =
        new LifecycleRule.Filter(
            name("prefix"),
            byTag ? Map.of(name("tag"), "v") : Map.of(),
            bySize ? OptionalLong.of(random.nextInt(100)) : OptionalLong.empty(),
            bySize ? OptionalLong.of(random.nextInt(200, 300)) : OptionalLong.empty(),
            !bySize && !byTag && random.nextBoolean());
    Optional<LifecycleRule.Expiration> expiration =
        switch (random.nextInt(4)) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of(new LifecycleRule.AfterDays(random.nextInt(1, 400)));
          case 2 -> Optional.of(new LifecycleRule.OnDate(86_400_000L * random.nextInt(30_000)));
          default -> Optional.of(new LifecycleRule.OfLoneDeleteMarkers());
        };
    return new LifecycleRule(
        name("rule"),
        random.nextBoolean(),
        filter,
        expiration,
        expiration.isEmpty() || random.nextBoolean()
            ? OptionalInt.of(random.nextInt(1, 400))
            : OptionalInt.empty(),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(1, 100)),
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(1, 100)));
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
