package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.targetnode.ScrubReport;
import dev.tarn.targetnode.Scrubber;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.upkeep.Job;
import dev.tarn.targetnode.upkeep.Upkeep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scrubs of this process's disks. One runs at a time; a step verifies one object. */
final class Scrubs implements Scrubbing, Job, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scrubs.class);

  private final TargetNode node;
  private final Upkeep upkeep = new Upkeep("tarn-scrub", () -> false);
  private final Runnable wake;
  private volatile boolean closed;
  private volatile @Nullable Report report;

  // The round in progress; used by its thread alone.
  private final Queue<NodeDisk.Opened> left = new ArrayDeque<>();
  private final List<String> unchecked = new ArrayList<>();
  private boolean isInRound;
  private ScrubReport earlierDisks = ScrubReport.EMPTY;
  private @Nullable Scrubber present;

  Scrubs(TargetNode node) {
    this.node = requireNonNull(node, "node is null");
    this.wake = upkeep.start(this, UNTIL_WOKEN);
  }

  @Override
  public synchronized void start() {
    Report last = report;
    if (last == null || !last.running()) {
      report = report(true, System.currentTimeMillis(), ScrubReport.EMPTY, List.of());
      wake.run();
    }
  }

  @Override
  public Optional<Report> report() {
    return Optional.ofNullable(report);
  }

  @Override
  public String name() {
    return "scrub";
  }

  @Override
  public Duration interval() {
    return UNTIL_WOKEN;
  }

  @Override
  public boolean step() {
    Report last = report;
    if (last == null || !last.running()) {
      return false;
    }
    boolean more = false;
    try {
      more = !closed && verifyNext();
    } catch (IOException | RuntimeException e) {
      LOG.error("the scrub failed before its end; start it again when the disk works", e);
      unchecked.add("the scrub failed before its end: " + FailureHandler.message(e));
    }
    ScrubReport found = found();
    report = report(more, last.startedMs(), found, unchecked);
    if (!more) {
      end(found);
    }
    return more;
  }

  /** Begins the round, begins a disk, or verifies an object; false after the last one. */
  private boolean verifyNext() throws IOException {
    if (!isInRound) {
      begin();
    }
    if (present != null && !present.next()) {
      earlierDisks = found();
      present.close();
      present = null;
    } else if (present == null) {
      NodeDisk.Opened disk = left.poll();
      if (disk == null) {
        return false;
      }
      present = node.scrubber(disk, () -> closed);
    }
    return true;
  }

  private void begin() {
    isInRound = true;
    for (NodeDisk disk : node.disks().all()) {
      disk.refusal()
          .ifPresent(
              refusal -> unchecked.add("disk " + disk.id().value() + ": " + refusal.message()));
      if (disk instanceof NodeDisk.Opened opened && disk.refusal().isEmpty()) {
        left.add(opened);
      }
    }
  }

  private ScrubReport found() {
    return present == null ? earlierDisks : earlierDisks.plus(present.report());
  }

  private void end(ScrubReport found) {
    LOG.info(
        "scrub ended: {} objects, {} bytes, {} corrupt, not checked: {}",
        found.objects(),
        found.bytes(),
        found.corruptCount(),
        unchecked);
    if (present != null) {
      present.close();
      present = null;
    }
    left.clear();
    unchecked.clear();
    isInRound = false;
    earlierDisks = ScrubReport.EMPTY;
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

  /** Ends the scrub in progress. */
  @Override
  public void close() {
    closed = true;
    upkeep.close();
    if (present != null) {
      present.close();
    }
  }
}
