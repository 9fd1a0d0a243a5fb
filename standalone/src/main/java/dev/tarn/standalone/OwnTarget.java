package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.profile.TargetsTraffic;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.LocalMap;
import dev.tarn.standalone.node.NodeIdentity;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.cache.BucketTraffic;
import dev.tarn.targetnode.cache.CacheMeters;
import dev.tarn.targetnode.lifecycle.Lifecycle;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.targetnode.membership.Member;
import dev.tarn.targetnode.store.index.BucketUsage;
import dev.tarn.targetnode.upkeep.Upkeep;
import dev.tarn.transport.server.TargetAdministration;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The target node of this process. It either owns every object or is a member of a cluster. */
final class OwnTarget implements Targets {
  private static final String IN_SERVICE = "in service";

  private final TargetId id;
  private final TargetNode node;
  private final CurrentMap map;
  private final ControlPlane control;
  private final Scrubs scrubs;
  private final Lifecycle lifecycle;
  private final Upkeep upkeep = new Upkeep("tarn-upkeep", () -> false);

  private OwnTarget(
      TargetId id, TargetNode node, CurrentMap map, ControlPlane control, Lifecycle lifecycle) {
    this.control = control;
    this.id = id;
    this.node = node;
    this.map = map;
    this.scrubs = new Scrubs(node);
    this.lifecycle = lifecycle;
    upkeep.start(lifecycle, Duration.ZERO);
  }

  /** Opens the target of a process that has all roles and owns every object. */
  static OwnTarget open(
      TarnConfig config, DataFolder data, ControlPlane control, MeterRegistry registry)
      throws StartFailure {
    requireNonNull(control, "control is null");
    TargetId id = NodeIdentity.of(data);
    LocalMap stored = LocalMap.read(data);
    AtomicLong epoch = new AtomicLong(stored.epoch());
    ClusterView view = ClusterView.of(control, epoch::get);
    TargetNode node = openNode(config, data, view::mapEpoch, disks -> view, registry);
    try {
      ClusterMap map =
          stored.with(id, node.disks().all().stream().map(NodeDisk::id).sorted().toList());
      epoch.set(map.epoch());
      return new OwnTarget(
          id, node, new CurrentMap(map), control, lifecycle(config, node, control, registry));
    } catch (StartFailure e) {
      try {
        node.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /**
   * Opens a target that follows this control plane. The cluster map may not list the target yet.
   */
  static OwnTarget openMember(
      TarnConfig config, DataFolder data, ControlPlane control, MeterRegistry registry)
      throws StartFailure {
    TargetId id = NodeIdentity.ofMember(data, config.cluster().targetId());
    TargetNode node =
        openNode(
            config,
            data,
            () -> Member.mapEpoch(control),
            disks -> new Member(id, disks, control),
            registry);
    return new OwnTarget(
        id, node, new CurrentMap(), control, lifecycle(config, node, control, registry));
  }

  private static Lifecycle lifecycle(
      TarnConfig config, TargetNode node, ControlPlane control, MeterRegistry registry) {
    return new Lifecycle(
        node.target(),
        control,
        node.view(),
        Clock.systemUTC(),
        config.target().lifecyclePeriod(),
        registry);
  }

  private static TargetNode openNode(
      TarnConfig config,
      DataFolder data,
      LongSupplier mapEpoch,
      Function<Set<DiskId>, ClusterView> viewOfDisks,
      MeterRegistry registry)
      throws StartFailure {
    List<Path> disks = config.disks().isEmpty() ? List.of(data.defaultDisk()) : config.disks();
    try {
      TargetNodeConfig nodeConfig = config.target().forNode(data.node(), disks);
      return TargetNode.open(nodeConfig, mapEpoch, viewOfDisks, registry);
    } catch (IllegalArgumentException e) {
      throw new StartFailure("target: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new StartFailure(FailureHandler.message(e), e);
    }
  }

  NodeCalls target() {
    return node.target();
  }

  @Override
  public ObjectTarget target(MapTarget ignored) {
    return target();
  }

  @Override
  public ReadTickets tickets() {
    return ReadTickets.NONE;
  }

  @Override
  public ControlPlane control() {
    return control;
  }

  @Override
  public CurrentMap map() {
    return map;
  }

  /** The membership of a target that was opened as a member. */
  TargetMembership membership(InstantSource clock) {
    return new TargetMembership(id, node, control, clock);
  }

  @Override
  public Supplier<String> scrape(PrometheusMeterRegistry metrics) {
    return () -> {
      node.measure();
      return metrics.scrape();
    };
  }

  @Override
  public Scrubs scrubs() {
    return scrubs;
  }

  @Override
  public List<NodeStatus.Target> status() {
    try {
      List<NodeStatus.Disk> disks = node.report().stream().map(RemoteReports::disk).toList();
      return List.of(
          new NodeStatus.Target(id.value(), "", IN_SERVICE, disks, Optional.of(stored())));
    } catch (IOException e) {
      String state = "status unknown: " + e.getMessage();
      return List.of(new NodeStatus.Target(id.value(), "", state, List.of(), Optional.empty()));
    }
  }

  @Override
  public TargetsTraffic traffic(Optional<BucketId> bucket) {
    return new TargetsTraffic(history(bucket), List.of());
  }

  private TrafficHistory history(Optional<BucketId> bucket) {
    return node.traffic().entrySet().stream()
        .filter(entry -> bucket.isEmpty() || bucket.orElseThrow().equals(entry.getKey()))
        .map(entry -> entry.getValue().history(System.currentTimeMillis()))
        .reduce(TrafficHistory.NONE, TrafficHistory::plus);
  }

  private TargetReport.Stored stored() throws IOException {
    Map<BucketId, BucketUsage> usage = new HashMap<>(node.usage());
    Map<BucketId, BucketTraffic> traffic = node.traffic();
    Map<BucketId, TargetReport.Left> left = node.leftOfBuckets();
    traffic.keySet().forEach(bucket -> usage.putIfAbsent(bucket, BucketUsage.NONE));
    BucketUsage all = usage.values().stream().reduce(BucketUsage.NONE, BucketUsage::plus);
    List<TargetReport.Usage> largest =
        usage.entrySet().stream()
            .map(entry ->
                usage(
                    entry.getKey(),
                    entry.getValue(),
                    traffic.get(entry.getKey()),
                    left.getOrDefault(entry.getKey(), TargetReport.Left.NONE)))
            .sorted(Comparator.comparingLong(TargetReport.Usage::bytes).reversed())
            .limit(TargetReport.BUCKETS_MAX)
            .toList();
    CacheMeters cache = node.cacheMeters();
    return new TargetReport.Stored(
        all.objects(),
        all.bytes(),
        largest,
        cache.hits(),
        cache.misses(),
        cache.passedForRoom(),
        cache.passedForRoomLastMs());
  }

  private static TargetReport.Usage usage(
      BucketId bucket, BucketUsage held, @Nullable BucketTraffic traffic, TargetReport.Left left) {
    return new TargetReport.Usage(
        bucket,
        held.objects(),
        held.bytes(),
        traffic == null ? TargetReport.Traffic.NONE : traffic.ofLast(Duration.ofMinutes(1)),
        traffic == null ? TargetReport.Traffic.NONE : traffic.ofLast(Duration.ofHours(1)),
        traffic == null ? TargetReport.Traffic.NONE : traffic.sinceStart(),
        left);
  }

  /** The administrative calls of gateways: report the status, start a scrub. */
  TargetAdministration administration() {
    return new TargetAdministration() {
      @Override
      public TargetReport report() throws IOException {
        return new TargetReport(
            id.value(),
            node.report(),
            scrubs.report().map(OwnTarget::inReport),
            Optional.of(stored()));
      }

      @Override
      public TargetReport scrub() throws IOException {
        scrubs.start();
        return report();
      }

      @Override
      public TrafficHistory traffic(Optional<BucketId> bucket) {
        return history(bucket);
      }
    };
  }

  private static TargetReport.Scrub inReport(Scrubbing.Report report) {
    return new TargetReport.Scrub(
        report.running(),
        report.startedMs(),
        report.objects(),
        report.bytes(),
        report.corrupt(),
        report.corruptCount(),
        report.unchecked());
  }

  @Override
  public void close() throws IOException {
    scrubs.close();
    lifecycle.close();
    upkeep.close();
    node.close();
  }
}
