package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What the targets of a cluster tell of themselves, put together for the admin API. Blocks. */
final class RemoteReports implements Scrubbing {
  private static final String IN_SERVICE = "in service";

  private final List<MapTarget> members;
  private final Function<TargetAddress, CompletionStage<TargetReport>> ask;
  private final Function<TargetAddress, CompletionStage<TargetReport>> scrub;

  /**
   * Over these members.
   *
   * @param ask asks one how it fares
   * @param scrub tells one to scrub
   */
  RemoteReports(
      List<MapTarget> members,
      Function<TargetAddress, CompletionStage<TargetReport>> ask,
      Function<TargetAddress, CompletionStage<TargetReport>> scrub) {
    this.members = List.copyOf(members);
    this.ask = requireNonNull(ask, "ask is null");
    this.scrub = requireNonNull(scrub, "scrub is null");
  }

  /** What one member said, or why it is not known. */
  private record Said(Optional<TargetReport> report, String silence) {}

  @Override
  public void start() {
    all(scrub);
  }

  @Override
  public Optional<Report> report() {
    Map<MapTarget, Said> all = all(ask);
    if (all.values().stream()
        .allMatch(said -> said.report().flatMap(TargetReport::scrub).isEmpty())) {
      return Optional.empty();
    }
    Merged merged = new Merged();
    all.forEach((member, said) -> merged.add(member.id().value(), said));
    return Optional.of(merged.report());
  }

  /** How each target fares. */
  List<NodeStatus.Target> status() {
    List<NodeStatus.Target> targets = new ArrayList<>();
    all(ask)
        .forEach((member, said) ->
            targets.add(
                new NodeStatus.Target(
                    member.id().value(),
                    member.addresses().get(0).toString(),
                    state(member, said),
                    said.report().stream()
                        .flatMap(report -> report.disks().stream())
                        .map(RemoteReports::disk)
                        .toList())));
    return targets;
  }

  static NodeStatus.Disk disk(TargetReport.Disk disk) {
    return new NodeStatus.Disk(disk.id(), "", disk.state(), disk.capacityBytes(), disk.freeBytes());
  }

  private static String state(MapTarget member, Said said) {
    if (member.state() != MemberState.IN_SERVICE) {
      return "out of service";
    }
    return said.report().isPresent() ? IN_SERVICE : said.silence();
  }

  /** Asks all at once, so that those that do not answer cost their time once. */
  private Map<MapTarget, Said> all(
      Function<TargetAddress, CompletionStage<TargetReport>> question) {
    Map<MapTarget, CompletableFuture<Said>> asked = new LinkedHashMap<>();
    for (MapTarget member : members) {
      asked.put(
          member,
          question
              .apply(member.addresses().get(0))
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

  private static Said said(MapTarget member, TargetReport report) {
    return report.targetId().equals(member.id().value())
        ? new Said(Optional.of(report), "")
        : new Said(
            Optional.empty(),
            "the process at this address is " + report.targetId() + "; the map must say the same");
  }

  /** The rounds of all targets as one. */
  private static final class Merged {
    private boolean running;
    private long startedMs = Long.MAX_VALUE;
    private long objects;
    private long bytes;
    private long corruptCount;
    private final List<String> corrupt = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();

    void add(String target, Said said) {
      Optional<TargetReport.Scrub> scrub = said.report().flatMap(TargetReport::scrub);
      if (scrub.isEmpty()) {
        unchecked.add(
            "target "
                + target
                + ": "
                + (said.report().isPresent() ? "no round since its start" : said.silence()));
        return;
      }
      TargetReport.Scrub found = scrub.orElseThrow();
      running |= found.running();
      startedMs = Math.min(startedMs, found.startedMs());
      objects += found.objects();
      bytes += found.bytes();
      corruptCount += found.corruptCount();
      found.corrupt().forEach(each -> corrupt.add("target " + target + ": " + each));
      found.unchecked().forEach(each -> unchecked.add("target " + target + ": " + each));
    }

    Report report() {
      return new Report(running, startedMs, objects, bytes, corrupt, corruptCount, unchecked);
    }
  }
}
