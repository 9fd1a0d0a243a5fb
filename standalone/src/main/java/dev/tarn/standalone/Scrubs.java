package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.store.scrub.ScrubReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scrubs of this process's disks. One runs at a time, on its own thread. */
final class Scrubs implements Scrubbing {
  private static final Logger LOG = LoggerFactory.getLogger(Scrubs.class);

  private final TargetNode node;
  private @Nullable Thread round;
  private @Nullable Report report;

  Scrubs(TargetNode node) {
    this.node = requireNonNull(node, "node is null");
  }

  @Override
  public synchronized void start() {
    if (report != null && report.running()) {
      return;
    }
    long startedMs = System.currentTimeMillis();
    report = report(true, startedMs, ScrubReport.EMPTY, List.of());
    round = Thread.ofPlatform().daemon().name("tarn-scrub").start(() -> run(startedMs));
  }

  @Override
  public synchronized Optional<Report> report() {
    return Optional.ofNullable(report);
  }

  private void run(long startedMs) {
    List<String> unchecked = new ArrayList<>();
    AtomicReference<ScrubReport> found = new AtomicReference<>(ScrubReport.EMPTY);
    try {
      for (NodeDisk disk : node.disks().all()) {
        disk.refusal()
            .ifPresent(
                refusal -> unchecked.add("disk " + disk.id().value() + ": " + refusal.message()));
      }
      found.set(
          node.scrub(progress -> {
            found.set(progress);
            set(report(true, startedMs, progress, unchecked));
          }));
    } catch (IOException | RuntimeException e) {
      LOG.error("the scrub failed before its end; start it again when the disk works", e);
      unchecked.add("the scrub failed before its end: " + FailureHandler.message(e));
    } finally {
      ScrubReport last = found.get();
      LOG.info(
          "scrub ended: {} objects, {} bytes, {} corrupt, not checked: {}",
          last.objects(),
          last.bytes(),
          last.corruptCount(),
          unchecked);
      set(report(false, startedMs, last, unchecked));
    }
  }

  private synchronized void set(Report newer) {
    report = newer;
  }

  private static Report report(
      boolean running, long startedMs, ScrubReport found, List<String> unchecked) {
    List<String> corrupt =
        found.corrupt().stream().map(each -> each.name() + ": " + each.reason()).toList();
    return new Report(
        running,
        startedMs,
        found.objects(),
        found.bytes(),
        corrupt,
        found.corruptCount(),
        unchecked);
  }

  /** Interrupts the scrub; the closing of the node ends it. */
  synchronized void close() {
    if (round != null) {
      round.interrupt();
    }
  }
}
