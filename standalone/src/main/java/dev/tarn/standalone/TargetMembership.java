package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.membership.ClusterView;
import dev.tarn.targetnode.membership.Member;
import dev.tarn.targetnode.membership.OutConfirmation;
import dev.tarn.targetnode.membership.SlotHandover;
import dev.tarn.targetnode.upkeep.Job;
import dev.tarn.targetnode.upkeep.Upkeep;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Announces the target of this process to its cluster and tells whether the target is ready. */
final class TargetMembership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TargetMembership.class);
  private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "0:0:0:0:0:0:0:0");

  private final TargetId id;
  private final Member own;
  private final TargetNode node;
  private final ControlPlane control;
  private final Upkeep upkeep = new Upkeep("tarn-announce", () -> false);
  private final Upkeep handover = new Upkeep("tarn-handover", () -> false);
  private final List<ControlPlane.Watch> watches = new CopyOnWriteArrayList<>();
  private final InstantSource clock;
  private final SlotHandover slots;
  private volatile @Nullable Announcer announcer;

  /** The membership of a target that does not serve yet. */
  TargetMembership(TargetId id, TargetNode node, ControlPlane control, InstantSource clock) {
    this.id = requireNonNull(id, "id is null");
    this.node = requireNonNull(node, "node is null");
    this.control = requireNonNull(control, "control is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.own =
        new Member(
            id, node.disks().all().stream().map(NodeDisk::id).collect(Collectors.toSet()), control);
    this.slots =
        new SlotHandover(own, control, node.gate(), node.disks()::primarySlotsInUse, clock);
    slots.begin();
  }

  /** The cluster view by which calls are accepted or rejected. */
  ClusterView view() {
    return node.view();
  }

  /**
   * The host at which gateways reach this target.
   *
   * @param advertised HOST:PORT of the configuration; without it {@code host} is used
   * @param host the configured host of the internal listener
   * @throws StartFailure if nothing is advertised and the host means any address
   */
  static String host(Optional<String> advertised, String host) throws StartFailure {
    if (advertised.isPresent()) {
      return TargetAddress.parse(advertised.orElseThrow()).host();
    }
    if (ANY_ADDRESS.contains(host)) {
      throw new StartFailure(
          "this target listens on "
              + host
              + ", an address that gateways cannot use; set cluster.advertise to"
              + " HOST:PORT");
    }
    return host;
  }

  /**
   * The address at which gateways reach this target.
   *
   * @param port the port that the internal listener listens on
   * @throws StartFailure as {@link #host} does
   */
  static TargetAddress address(Optional<String> advertised, String host, int port)
      throws StartFailure {
    return advertised.isPresent()
        ? TargetAddress.parse(advertised.orElseThrow())
        : new TargetAddress(host(advertised, host), port);
  }

  /**
   * Starts to announce this target at this address to the control plane.
   *
   * @param readAddress of the direct reads of a target with TLS; empty for a target without TLS
   */
  void announce(TargetAddress address, Optional<TargetAddress> readAddress) {
    AnnouncedTarget announced =
        new AnnouncedTarget(
            id,
            List.of(address),
            node.disks().all().stream()
                .map(disk -> new AnnouncedTarget.Disk(disk.id(), capacityBytes(disk)))
                .toList(),
            readAddress.isPresent(),
            readAddress);
    announcer = new Announcer(control, announced, clock).start(upkeep::start);
    follow(slots, handover);
    follow(new OutConfirmation(own, control, clock), upkeep);
  }

  /** Runs a job at each change of the map. */
  private void follow(Job job, Upkeep thread) {
    Runnable wake = thread.start(job, Job.UNTIL_WOKEN);
    AtomicLong known = new AtomicLong();
    watches.add(
        control.watch(state -> {
          long epoch = state.map().map(ClusterMap::epoch).orElse(0L);
          if (known.getAndSet(epoch) != epoch) {
            wake.run();
          }
        }));
  }

  /** The size of the disk's file system; 0 if it cannot be read. */
  private static long capacityBytes(NodeDisk disk) {
    if (!(disk instanceof NodeDisk.Opened opened)) {
      return 0;
    }
    try {
      opened.store().measure();
      return opened.store().room().totalBytes();
    } catch (IOException e) {
      LOG.warn("reading the capacity of disk {} failed: {}", disk.id(), FailureHandler.message(e));
      return 0;
    }
  }

  /**
   * Why this target is not ready; empty if it is ready. A ready target has a control state and a
   * disk in service, and is announced or in the cluster map. An announced target need not be in the
   * map.
   */
  Optional<String> notReady() {
    if (control.state().version() == 0) {
      return Optional.of("no state of the control plane has arrived yet");
    }
    if (node.disks().all().stream().allMatch(disk -> disk.refusal().isPresent())) {
      return Optional.of("no disk is in service");
    }
    boolean listed = control.state().map().flatMap(map -> map.target(id)).isPresent();
    if (listed && view().refusal().isPresent()) {
      return view().refusal().map(Failure::message);
    }
    Announcer announcing = announcer;
    return announcing == null
        ? Optional.of("this target has not announced itself yet")
        : announcing.problem();
  }

  @Override
  public void close() {
    Announcer announcing = announcer;
    if (announcing != null) {
      announcing.close();
    }
    watches.forEach(ControlPlane.Watch::close);
    upkeep.close();
    handover.close();
  }
}
