package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
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
  private final Queue<NodeDisk> left = new ArrayDeque<>();
  private final List<String> unchecked = new ArrayList<>();
  private boolean isInRound;
  private String presentDisk = "";
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
    boolean more = !closed;
    try {
      more = more && verifyNext();
    } catch (IOException | RuntimeException | Error e) {
      LOG.error("The scrub of disk {} failed; start it again when the disk works", presentDisk, e);
      unchecked.add("disk " + presentDisk + ": " + FailureHandler.message(e));
      endDisk();
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
      isInRound = true;
      left.addAll(node.disks().all());
    }
    if (present != null) {
      if (!present.next()) {
        endDisk();
      }
      return true;
    }
    NodeDisk disk = left.poll();
    if (disk == null) {
      return false;
    }
    presentDisk = disk.id().value();
    Optional<Failure> refusal = disk.refusal();
    if (refusal.isPresent()) {
      unchecked.add("disk " + presentDisk + ": " + refusal.orElseThrow().message());
    } else if (disk instanceof NodeDisk.Opened opened) {
      present = node.scrubber(opened, () -> closed);
    }
    return true;
  }

  private void endDisk() {
    earlierDisks = found();
    if (present != null) {
      present.close();
      present = null;
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
    endDisk();
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
