package dev.tarn.benchmarks.suite;

import com.sun.management.ThreadMXBean;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.MessageSeal;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlCodec;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.ControlListener;
import dev.tarn.cluster.control.remote.HttpControlTransport;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Rendezvous;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The cluster map of 200 targets: what a look-up costs, how evenly it spreads, and how fast 220
 * members have a change of it.
 */
final class MapBenchmark implements Benchmark {
  private static final int TARGETS = 200;
  private static final int GATEWAYS = 20;
  private static final String BENCH = "map";
  private static final String SECRET = "a secret of benchmarks and of no value";
  private static final double NANOS_PER_MS = 1e6;
  private static final Duration KNOWN_MAX = Duration.ofMinutes(1);
  private static final BucketId BUCKET = new BucketId(7);
  private static final List<ObjectKey> KEYS =
      IntStream.range(0, 4096)
          .mapToObj(i -> ObjectKey.of("train/shard-%06d.tar".formatted(i)))
          .toList();

  @Override
  public void run(Run run) throws IOException {
    ClusterMap map = ClusterMap.first(targets(TARGETS));
    lookUps(run, map);
    double imbalance =
        IntStream.of(3, 5, 20, 64, TARGETS)
            .mapToDouble(MapBenchmark::imbalance)
            .max()
            .orElseThrow();
    report(run, "imbalance of 3 to 200 targets", imbalance, 0, "%", new Goal.AtMost(5));
    ClusterMap more = map.adding(targets(TARGETS + 1).getLast(), 1);
    double moved =
        IntStream.range(0, Slot.COUNT)
            .filter(slot ->
                !map.slots().all().get(slot).owner().equals(more.slots().all().get(slot).owner()))
            .count();
    report(
        run,
        "slots moved by a new target",
        moved,
        Slot.COUNT / (TARGETS + 1.0),
        "slots",
        new Goal.RatioAtMost(1.1));
    travel(run);
  }

  private static void lookUps(Run run, ClusterMap map) {
    Placement placement = new Placement(map);
    Rendezvous<MapTarget> hashing = Rendezvous.amongTargets(map.targets());
    LookUp bySlot = key -> placement.of(Slot.Keys.PRIMARY, BUCKET, key).target();
    LookUp byScores = key -> hashing.winner(Slot.of(BUCKET, key));
    int rounds = run.effort().rounds();
    double[] slots = new double[rounds];
    double[] scores = new double[rounds];
    for (int round = -1; round < rounds; round++) {
      double slot = nanos(bySlot, run.effort().count(2_000, 20));
      double score = nanos(byScores, run.effort().count(20, 1));
      if (round >= 0) {
        slots[round] = slot;
        scores[round] = score;
      }
    }
    report(run, "look-up, beside HRW", median(slots), median(scores), "ns", new Goal.AtMost(30));
    report(run, "allocated by a look-up", allocated(bySlot), 0, "bytes", new Goal.AtMost(0));
  }

  /** Finds the target of a key. */
  private interface LookUp {
    MapTarget of(ObjectKey key);
  }

  private static double nanos(LookUp lookUp, int passes) {
    long began = System.nanoTime();
    int found = 0;
    for (int pass = 0; pass < passes; pass++) {
      for (ObjectKey key : KEYS) {
        found += lookUp.of(key).disks().size();
      }
    }
    long took = System.nanoTime() - began;
    if (found != passes * KEYS.size()) {
      throw new IllegalStateException("found " + found + " disks");
    }
    return (double) took / found;
  }

  private static double allocated(LookUp lookUp) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int passes = 100;
    long before = threads.getCurrentThreadAllocatedBytes();
    nanos(lookUp, passes);
    // Less than one byte for each look-up is the measurement itself.
    return Math.floor(
        (double) (threads.getCurrentThreadAllocatedBytes() - before) / passes / KEYS.size());
  }

  /** By how many percent a target has more or less than its share. */
  private static double imbalance(int count) {
    ClusterMap map = ClusterMap.first(targets(count));
    double share = (double) Slot.COUNT / count;
    return map.targets().stream()
        .mapToInt(target -> map.slots().count(slot -> slot.home().target().equals(target.id())))
        .mapToDouble(slots -> 100 * Math.abs(slots / share - 1))
        .max()
        .orElseThrow();
  }

  /** How large a map is, and how long a change takes to all members of a control node. */
  private static void travel(Run run) throws IOException {
    Path secret = Files.writeString(run.scratch().resolve("secret"), SECRET);
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Path folder = Files.createDirectory(run.scratch().resolve("control"));
    List<String> options =
        List.of(
            "--role",
            "control",
            "--data",
            folder.resolve("data").toString(),
            "--set",
            "cluster.secret-file=" + secret);
    List<RemoteControlPlane> members = new ArrayList<>();
    try (TarnServer control = TarnServer.start(run.home(), folder, options)) {
      InetSocketAddress address = control.address();
      URI url = URI.create("http://" + address.getHostString() + ":" + address.getPort());
      HttpControlTransport transport = new HttpControlTransport(url, Optional.empty());
      MessageSeal seal =
          new MessageSeal(
              ClusterSecrets.of(SECRET.getBytes(StandardCharsets.US_ASCII)),
              InstantSource.system());
      for (int number = 0; number < TARGETS + GATEWAYS; number++) {
        members.add(
            RemoteControlPlane.open(
                run.scratch().resolve("member-" + number),
                number < TARGETS ? Audience.TARGET : Audience.GATEWAY,
                transport,
                seal,
                new Silent()));
      }
      ControlPlane first = members.getFirst();
      announced(TARGETS + 1).forEach(target -> apply(first, new Command.AnnounceTarget(1, target)));
      apply(
          first,
          new Command.SetMembers(
              1, targets(TARGETS).stream().map(MapTarget::id).collect(Collectors.toSet())));
      awaitEpoch(members, 1);
      int rounds = run.effort().rounds();
      double[] tookMs = new double[rounds];
      long before = first.state().version();
      TargetId added = new TargetId("target-200");
      apply(first, new Command.AddTarget(1, added));
      for (int round = 0; round < rounds; round++) {
        long epoch = first.state().map().orElseThrow().epoch() + 1;
        before = first.state().version();
        long began = System.nanoTime();
        apply(first, round % 2 == 0 ? new Command.TakeOut(1, added) : new Command.TakeIn(1, added));
        awaitEpoch(members, epoch);
        tookMs[round] = (System.nanoTime() - began) / NANOS_PER_MS;
      }
      double bytes = ControlCodec.CHANGE.encode(first.state().since(before)).length;
      report(run, "map of 200 targets", bytes / 1024, 0, "KiB", new Goal.AtMost(200));
      report(run, "220 members have a change", median(tookMs), 0, "ms", new Goal.AtMost(1000));
    } finally {
      members.forEach(RemoteControlPlane::close);
    }
  }

  private static void awaitEpoch(List<RemoteControlPlane> members, long epoch) throws IOException {
    CountDownLatch lacking = new CountDownLatch(members.size());
    List<ControlPlane.Watch> watches = new ArrayList<>();
    for (RemoteControlPlane member : members) {
      boolean[] counted = new boolean[1];
      watches.add(
          member.watch(state -> {
            if (!counted[0] && state.map().map(ClusterMap::epoch).orElse(0L) >= epoch) {
              counted[0] = true;
              lacking.countDown();
            }
          }));
    }
    try {
      if (!lacking.await(KNOWN_MAX.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(lacking.getCount() + " members do not know map epoch " + epoch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while members learnt of a map", e);
    } finally {
      watches.forEach(ControlPlane.Watch::close);
    }
  }

  private static void apply(ControlPlane plane, Command command) {
    CommandOutcome outcome = plane.submit(command).toCompletableFuture().join();
    if (!(outcome instanceof CommandOutcome.Applied)) {
      throw new IllegalStateException(command + " was not applied: " + outcome);
    }
  }

  /** Ignores what happens to the connection: a member that lacks a change shows it. */
  private static final class Silent implements ControlListener {
    @Override
    public void away(String reason) {}

    @Override
    public void followed() {}

    @Override
    public void forgot(Exception reason, Path unreadable) {}

    @Override
    public void notKept(Exception reason) {}
  }

  private static List<MapTarget> targets(int count) {
    return announced(count).stream().map(AnnouncedTarget::inMap).toList();
  }

  private static List<AnnouncedTarget> announced(int count) {
    return IntStream.range(0, count)
        .mapToObj(i ->
            new AnnouncedTarget(
                new TargetId("target-%03d".formatted(i)),
                List.of(new TargetAddress("target-%03d.tarn.svc".formatted(i), 9400)),
                List.of(
                    new AnnouncedTarget.Disk(
                        new DiskId("00000000-0000-4000-8000-%012d".formatted(i)), 1L << 42))))
        .toList();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void report(
      Run run, String name, double ours, double yardstick, String unit, Goal goal) {
    run.report().add(new Cell(BENCH, name, ours, yardstick, unit, Optional.of(goal)));
  }
}
