package dev.tarn.standalone;

import static java.util.stream.Collectors.toSet;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.profile.TargetsTraffic;
import dev.tarn.gateway.route.OwnerTickets;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.route.ReadTickets.ReadPlace;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.targetnode.upkeep.Upkeep;
import dev.tarn.transport.relay.HttpTarget;
import dev.tarn.transport.relay.KnownTargets;
import dev.tarn.transport.relay.RelayClient;
import dev.tarn.transport.relay.RelayLimits;
import dev.tarn.transport.relay.TargetReports;
import dev.tarn.transport.tls.MemberTls;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The targets in the newest cluster map, each in its own process. */
final class RemoteTargets implements Targets {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteTargets.class);

  private final CurrentMap map = new CurrentMap();
  private final Vertx vertx = Vertx.vertx();
  private final Capabilities capabilities;
  private final RelayClient transport;
  private final Map<TargetAddress, ObjectTarget> targets = new ConcurrentHashMap<>();
  private final ControlPlane control;
  private final ControlPlane.Watch watch;
  private final Upkeep upkeep = new Upkeep("tarn-reports", () -> false);
  private final RemoteReports reports;
  private final ReadTickets tickets;
  private final MemberTls tls;

  /**
   * Follows the map of this control plane.
   *
   * @param tls of this gateway
   */
  RemoteTargets(TarnConfig config, ControlPlane control, Capabilities capabilities, MemberTls tls) {
    this.control = control;
    this.capabilities = capabilities;
    this.tls = tls;
    KnownTargets known = new Members();
    this.transport = new RelayClient(vertx, limits(config), known);
    this.tickets =
        config.cluster().directReads()
            ? new OwnerTickets(
                map,
                (bucket, key) -> control.state().keysOf(bucket, key),
                this::readPlace,
                this::isAway,
                capabilities)
            : ReadTickets.NONE;
    TargetReports asking = new TargetReports(vertx, capabilities, known);
    this.reports = new RemoteReports(this::members, asking::report, asking::scrub, asking::traffic);
    this.upkeep.start(reports.asking(), Duration.ofSeconds(1));
    this.watch = control.watch(state -> state.map().ifPresent(this::follow));
  }

  /** Takes over a newer map. Calls in flight end at the target where they began. */
  private void follow(ClusterMap newest) {
    try {
      if (map.offer(newest)) {
        LOG.info(
            "cluster map of epoch {} with {} targets", newest.epoch(), newest.targets().size());
        Set<TargetAddress> addresses =
            newest.targets().stream().map(RemoteTargets::addressOf).collect(toSet());
        targets.clear();
        transport.keepOnly(addresses);
      }
    } catch (IllegalArgumentException e) {
      LOG.error(
          "{}; the cluster map contradicts the previous one, so this gateway continues with the"
              + " previous one",
          e.getMessage());
    }
  }

  private List<MapTarget> members() {
    return map.get().map(ClusterMap::targets).orElse(List.of());
  }

  static TargetAddress addressOf(MapTarget member) {
    return member.addresses().get(0);
  }

  /**
   * The limits of connections to targets. They allow for the pauses that a gateway grants its
   * clients.
   */
  static RelayLimits limits(TarnConfig config) {
    long pauseMs = config.gateway().limits().progressPeriodMs();
    long waitMs = config.gateway().limits().targetWaitMsMax();
    return RelayLimits.DEFAULT
        .forClientsThatPause(Duration.ofMillis(pauseMs))
        .withTargetWait(Duration.ofMillis(waitMs));
  }

  @Override
  public CurrentMap map() {
    return map;
  }

  @Override
  public ObjectTarget target(MapTarget member) {
    TargetAddress address = addressOf(member);
    ObjectTarget known = targets.get(address);
    return known != null
        ? known
        : targets.computeIfAbsent(address, added -> new HttpTarget(transport, added, capabilities));
  }

  /** The read address of this target; empty if clients have to read through gateways. */
  private Optional<ReadPlace> readPlace(MapTarget member) {
    AnnouncedTarget announced = control.state().announced(member.id());
    if (announced == null || !announced.tls()) {
      return Optional.of(ReadPlace.plain(addressOf(member)));
    }
    return announced.readAddress().map(address -> ReadPlace.secured(address, tls.authorities()));
  }

  /** The members by their addresses. */
  private final class Members implements KnownTargets {
    /**
     * The TLS of connections to an address; empty if the member there takes calls in the clear. The
     * announcements of former members do not count.
     *
     * @throws IllegalStateException if no member has announced this address
     */
    @Override
    public Optional<MemberTls> tlsAt(TargetAddress address) {
      ControlState state = control.state();
      List<AnnouncedTarget> there =
          members().stream()
              .map(member -> state.announced(member.id()))
              .filter(Objects::nonNull)
              .filter(announced -> announced.addresses().contains(address))
              .toList();
      if (there.isEmpty()) {
        throw new IllegalStateException("no member of the cluster has announced this address");
      }
      return there.stream().anyMatch(AnnouncedTarget::tls) ? Optional.of(tls) : Optional.empty();
    }

    @Override
    public String nameOf(TargetAddress address) {
      return members().stream()
          .filter(member -> addressOf(member).equals(address))
          .findFirst()
          .map(member -> "target " + member.id())
          .orElse("a former target");
    }
  }

  private boolean isAway(MapTarget member) {
    return transport.isAway(addressOf(member));
  }

  @Override
  public ReadTickets tickets() {
    return tickets;
  }

  @Override
  public ControlPlane control() {
    return control;
  }

  /** Starts and reports scrubs; each target scrubs its own disks. */
  @Override
  public Scrubbing scrubs() {
    return reports;
  }

  @Override
  public List<NodeStatus.Target> status() {
    return reports.status();
  }

  @Override
  public TargetsTraffic traffic(Optional<BucketId> bucket) {
    return reports.traffic(bucket);
  }

  @Override
  public Supplier<String> scrape(PrometheusMeterRegistry metrics) {
    Gauge.builder("tarn.targets.silent", transport::silentTargets)
        .description("Targets that answer neither calls nor probes")
        .register(metrics);
    FunctionCounter.builder("tarn.targets.silences", transport, RelayClient::silences)
        .description("How often a target was found to answer neither calls nor probes")
        .register(metrics);
    Gauge.builder("tarn.targets.waiting.calls", transport::waitingCalls)
        .description("Calls that wait for a target that is away or silent")
        .register(metrics);
    return metrics::scrape;
  }

  @Override
  public void close() {
    watch.close();
    upkeep.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
