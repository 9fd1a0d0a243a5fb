package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.profile.TargetsTraffic;
import dev.tarn.targetnode.upkeep.Job;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Merges the reports of all targets of a cluster for the admin API. The methods block. */
final class RemoteReports implements Scrubbing {
  private static final String IN_SERVICE = "in service";
  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final Duration TRAFFIC_WAIT = Duration.ofSeconds(2);

  private final Supplier<List<MapTarget>> members;
  private final Function<TargetAddress, CompletionStage<TargetReport>> ask;
  private final Function<TargetAddress, CompletionStage<TargetReport>> scrub;
  private final BiFunction<TargetAddress, Optional<BucketId>, CompletionStage<TrafficHistory>>
      traffic;
  private final Map<TargetId, NodeStatus.LastReport> lastReports = new ConcurrentHashMap<>();
  private volatile Start lastStart = new Start(System.currentTimeMillis(), Map.of());

  /**
   * Creates the reports of a cluster's targets.
   *
   * @param members the current targets
   * @param ask requests the report of a target
   * @param scrub starts a scrub on a target
   * @param traffic requests what was read of cached buckets on a target
   */
  RemoteReports(
      Supplier<List<MapTarget>> members,
      Function<TargetAddress, CompletionStage<TargetReport>> ask,
      Function<TargetAddress, CompletionStage<TargetReport>> scrub,
      BiFunction<TargetAddress, Optional<BucketId>, CompletionStage<TrafficHistory>> traffic) {
    this.members = requireNonNull(members, "members is null");
    this.ask = requireNonNull(ask, "ask is null");
    this.scrub = requireNonNull(scrub, "scrub is null");
    this.traffic = requireNonNull(traffic, "traffic is null");
  }

  /** The report of one target, or the reason why there is none. */
  private record Said(Optional<TargetReport> report, String silence) {}

  /**
   * The last scrub that this process started.
   *
   * @param atMs when, in milliseconds since 1970; before the first scrub, when this object was made
   * @param silences the targets that did not confirm the start, with the reason
   */
  private record Start(long atMs, Map<TargetId, String> silences) {}

  @Override
  public void start() {
    long atMs = System.currentTimeMillis();
    Map<TargetId, String> silences = new LinkedHashMap<>();
    all(scrub)
        .forEach((member, said) -> {
          if (said.report().isEmpty()) {
            silences.put(member.id(), said.silence());
          }
        });
    lastStart = new Start(atMs, Map.copyOf(silences));
  }

  @Override
  public Optional<Report> report() {
    Start last = lastStart;
    Map<MapTarget, Said> all = all(ask);
    boolean noneHasARound =
        all.values().stream()
            .allMatch(said -> said.report().filter(each -> each.scrub().isEmpty()).isPresent());
    if (noneHasARound && last.silences().isEmpty()) {
      return Optional.empty();
    }
    Merged merged = new Merged(last);
    all.forEach(merged::add);
    return Optional.of(merged.report());
  }

  /** The status of each target. */
  List<NodeStatus.Target> status() {
    List<NodeStatus.Target> targets = new ArrayList<>();
    all(ask)
        .forEach((member, said) ->
            targets.add(
                new NodeStatus.Target(
                    member.id().value(),
                    RemoteTargets.addressOf(member).toString(),
                    state(member, said),
                    said.report().stream()
                        .flatMap(report -> report.disks().stream())
                        .map(RemoteReports::disk)
                        .toList(),
                    said.report().flatMap(TargetReport::stored),
                    Optional.ofNullable(lastReports.get(member.id())))));
    return targets;
  }

  /** The reads of cached buckets on all targets in service. Waits less than for a report. */
  TargetsTraffic traffic(Optional<BucketId> bucket) {
    Map<MapTarget, CompletableFuture<TrafficHistory>> asked = new LinkedHashMap<>();
    for (MapTarget member : members.get()) {
      if (member.state() == MemberState.IN_SERVICE) {
        asked.put(
            member,
            traffic
                .apply(RemoteTargets.addressOf(member), bucket)
                .toCompletableFuture()
                .orTimeout(TRAFFIC_WAIT.toMillis(), TimeUnit.MILLISECONDS));
      }
    }
    TrafficHistory sum = TrafficHistory.NONE;
    List<String> silent = new ArrayList<>();
    for (Map.Entry<MapTarget, CompletableFuture<TrafficHistory>> each : asked.entrySet()) {
      try {
        sum = sum.plus(each.getValue().join());
      } catch (CompletionException e) {
        Throwable cause = e.getCause();
        String reason =
            cause instanceof TimeoutException || cause == null
                ? "it gave no answer within " + TRAFFIC_WAIT.toSeconds() + " s"
                : String.valueOf(cause.getMessage());
        silent.add(each.getKey().id().value() + ": " + reason);
      }
    }
    return new TargetsTraffic(sum, silent);
  }

  /** Asks all targets for what they hold, so that it is known when one of them is lost. */
  private static final class Asking implements Job {
    private final RemoteReports reports;

    Asking(RemoteReports reports) {
      this.reports = reports;
    }

    @Override
    public String name() {
      return "reports of the targets";
    }

    @Override
    public Duration interval() {
      return INTERVAL;
    }

    @Override
    public boolean step() {
      reports.status();
      return false;
    }
  }

  /** The job that asks all targets from time to time. */
  Job asking() {
    return new Asking(this);
  }

  static NodeStatus.Disk disk(TargetReport.Disk disk) {
    return new NodeStatus.Disk(
        disk.id(),
        "",
        disk.state(),
        disk.capacityBytes(),
        disk.freeBytes(),
        disk.use(),
        disk.cached());
  }

  private static String state(MapTarget member, Said said) {
    if (member.state() != MemberState.IN_SERVICE) {
      return "out of service";
    }
    return said.report().isPresent() ? IN_SERVICE : said.silence();
  }

  /** Calls all targets at once: the wait is one timeout, however many do not answer. */
  private Map<MapTarget, Said> all(
      Function<TargetAddress, CompletionStage<TargetReport>> question) {
    Map<MapTarget, CompletableFuture<Said>> asked = new LinkedHashMap<>();
    for (MapTarget member : members.get()) {
      asked.put(
          member,
          question
              .apply(RemoteTargets.addressOf(member))
              .handle((report, failure) ->
                  failure == null
                      ? said(member, report)
                      : silent(String.valueOf(failure.getMessage())))
              .toCompletableFuture());
    }
    Map<MapTarget, Said> answers = new LinkedHashMap<>();
    asked.forEach((member, said) -> answers.put(member, said.join()));
    return answers;
  }

  private static Said silent(String reason) {
    return new Said(Optional.empty(), "does not answer: " + reason);
  }

  private Said said(MapTarget member, TargetReport report) {
    boolean isMeant = report.targetId().equals(member.id().value());
    if (isMeant) {
      report
          .stored()
          .ifPresent(stored ->
              lastReports.put(
                  member.id(), new NodeStatus.LastReport(stored, System.currentTimeMillis())));
    }
    return isMeant
        ? new Said(Optional.of(report), "")
        : new Said(
            Optional.empty(),
            "the process at this address is " + report.targetId() + "; the map must say the same");
  }

  /** The scrub reports of all targets, merged into one. */
  private static final class Merged {
    private final Start last;
    private boolean running;
    private long startedMs = Long.MAX_VALUE;
    private boolean isAnyFound;
    private long objects;
    private long bytes;
    private long corruptCount;
    private final List<String> corrupt = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();

    Merged(Start last) {
      this.last = last;
    }

    /** A target that did not confirm the start may still report an earlier scrub. */
    void add(MapTarget member, Said said) {
      String target = member.id().value();
      Optional<TargetReport.Scrub> scrub = said.report().flatMap(TargetReport::scrub);
      String silence = last.silences().get(member.id());
      if (silence != null) {
        unchecked.add("target " + target + ": " + silence);
      } else if (said.report().isEmpty()) {
        unchecked.add("target " + target + ": " + said.silence());
      } else if (scrub.isEmpty()) {
        unchecked.add("target " + target + ": no round since its start");
      }
      scrub.ifPresent(found -> add(target, found));
    }

    private void add(String target, TargetReport.Scrub found) {
      isAnyFound = true;
      running |= found.running();
      startedMs = Math.min(startedMs, found.startedMs());
      objects += found.objects();
      bytes += found.bytes();
      corruptCount += found.corruptCount();
      found.corrupt().forEach(each -> corrupt.add("target " + target + ": " + each));
      found.unchecked().forEach(each -> unchecked.add("target " + target + ": " + each));
    }

    Report report() {
      return new Report(
          running,
          isAnyFound ? startedMs : last.atMs(),
          objects,
          bytes,
          corrupt,
          corruptCount,
          unchecked);
    }
  }
}
