package dev.tarn.targetnode.upkeep;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs on one thread: a step of each job that is due, in turn. Under load, a job with more to
 * do pauses after each step as long as the step took. It then uses at most half of the time.
 *
 * <p>A failed step is logged, once for each new reason, and repeated after the job's interval.
 */
public final class Upkeep implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

  private final BooleanSupplier isUnderLoad;
  private final ScheduledThreadPoolExecutor thread;

  /**
   * Starts no thread before the first job.
   *
   * @param threadName the name of the thread
   * @param isUnderLoad whether others wait for what the jobs use; asked after each step
   */
  public Upkeep(String threadName, BooleanSupplier isUnderLoad) {
    this.isUnderLoad = requireNonNull(isUnderLoad, "isUnderLoad is null");
    this.thread =
        new ScheduledThreadPoolExecutor(1, Thread.ofPlatform().name(threadName).daemon().factory());
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /**
   * Runs the first step of a job after a pause, and the others as {@link Job} says.
   *
   * @return wakes the job: its next step runs immediately, or directly after the step in progress
   */
  public Runnable start(Job job, Duration firstPause) {
    Running running = new Running(job);
    running.runAfter(firstPause.toNanos());
    return running::wake;
  }

  /** A job with what its last step left. */
  private final class Running {
    private final Job job;

    /** The number of the turn that is due; an earlier turn does nothing. */
    private long due;

    private boolean isInStep;
    private boolean wokenInStep;
    private Future<?> scheduled = CompletableFuture.completedFuture(null);

    /** Why the last step failed; empty if it did not. */
    private String problem = "";

    Running(Job job) {
      this.job = requireNonNull(job, "job is null");
    }

    private synchronized void runAfter(long nanos) {
      due++;
      isInStep = false;
      long turn = due;
      try {
        scheduled =
            thread.schedule(() -> take(turn), wokenInStep ? 0 : nanos, TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        LOG.trace("No further step of the {}", job.name(), e);
      }
    }

    private synchronized boolean begins(long turn) {
      if (turn != due) {
        return false;
      }
      isInStep = true;
      wokenInStep = false;
      return true;
    }

    private void take(long turn) {
      if (!begins(turn)) {
        return;
      }
      long began = System.nanoTime();
      boolean more = isMoreLeft();
      long took = System.nanoTime() - began;
      runAfter(!more ? job.interval().toNanos() : isUnderLoad.getAsBoolean() ? took : 0);
    }

    synchronized void wake() {
      if (isInStep) {
        wokenInStep = true;
      } else {
        scheduled.cancel(false);
        runAfter(0);
      }
    }

    private boolean isMoreLeft() {
      if (job.isSuspended()) {
        return false;
      }
      try {
        boolean more = job.step();
        if (!problem.isEmpty()) {
          LOG.info("The {} works again", job.name());
          problem = "";
        }
        return more;
      } catch (IOException | RuntimeException | Error e) {
        if (!problem.equals(e.toString())) {
          LOG.warn("The {} failed and is tried again every {}", job.name(), job.interval(), e);
          problem = e.toString();
        }
        return false;
      }
    }
  }

  /** Starts no further step, and waits for the step in progress. */
  @Override
  public void close() {
    thread.shutdown();
    boolean interrupted = false;
    while (!thread.isTerminated()) {
      try {
        if (!thread.awaitTermination(1, TimeUnit.MINUTES)) {
          LOG.info("Waiting for the step in progress of a background job");
        }
      } catch (InterruptedException e) {
        // What follows may free what the step uses.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
