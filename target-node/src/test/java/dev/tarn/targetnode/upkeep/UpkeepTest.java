package dev.tarn.targetnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs take turns by step, go on after a failure, and end with the step in progress. */
@Timeout(60)
class UpkeepTest {
  private static final Duration NEVER = Duration.ofDays(1000);

  private final Upkeep upkeep = new Upkeep("test-upkeep", () -> true);
  private final List<String> steps = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    upkeep.close();
  }

  private interface Step {
    boolean run() throws IOException;
  }

  private static Job job(String name, Duration interval, Step step) {
    return new Job() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Duration interval() {
        return interval;
      }

      @Override
      public boolean step() throws IOException {
        return step.run();
      }
    };
  }

  /** A job of three steps. */
  private Job threeSteps(String name, CountDownLatch done) {
    return job(
        name,
        NEVER,
        () -> {
          steps.add(name);
          boolean last = steps.stream().filter(name::equals).count() == 3;
          if (last) {
            done.countDown();
          }
          return !last;
        });
  }

  @Test
  void jobWithMoreToDoIsNotHeldUpByItsIntervalAndLetsOthersHaveTheirTurn()
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(2);
    CountDownLatch begun = new CountDownLatch(1);
    upkeep.start(
        job(
            "first",
            NEVER,
            () -> {
              awaitQuietly(begun);
              return false;
            }),
        Duration.ZERO);
    upkeep.start(threeSteps("a", done), Duration.ZERO);
    upkeep.start(threeSteps("b", done), Duration.ZERO);
    begun.countDown();
    done.await();

    assertThat(steps).hasSize(6).startsWith("a", "b");
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void failedStepIsRepeatedAfterTheInterval() throws InterruptedException {
    CountDownLatch worked = new CountDownLatch(1);
    upkeep.start(
        job(
            "job",
            Duration.ofNanos(1),
            () -> {
              steps.add("step");
              if (steps.size() == 1) {
                throw new IOException("the disk is away");
              }
              if (steps.size() == 2) {
                throw new IllegalStateException("a defect");
              }
              if (steps.size() == 3) {
                throw new OutOfMemoryError("no direct memory");
              }
              worked.countDown();
              return false;
            }),
        Duration.ZERO);
    worked.await();

    assertThat(steps).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void closingWaitsForTheStepInProgressAndStartsNone() throws InterruptedException {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    upkeep.start(
        job(
            "job",
            Duration.ZERO,
            () -> {
              inStep.countDown();
              awaitQuietly(mayEnd);
              steps.add("ended");
              return true;
            }),
        Duration.ZERO);
    inStep.await();
    Thread closing = Thread.ofPlatform().start(upkeep::close);
    while (closing.getState() == Thread.State.RUNNABLE || closing.getState() == Thread.State.NEW) {
      Thread.onSpinWait();
    }
    mayEnd.countDown();
    closing.join();

    assertThat(steps).containsExactly("ended");
  }

  @Test
  void wokenJobTakesItsStepAtOnceAndOneThatIsWokenInItsStepTakesOneMore()
      throws InterruptedException {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch twice = new CountDownLatch(2);
    Runnable wake =
        upkeep.start(
            job(
                "job",
                NEVER,
                () -> {
                  steps.add("step");
                  inStep.countDown();
                  awaitQuietly(mayEnd);
                  twice.countDown();
                  return false;
                }),
            NEVER);
    wake.run();
    inStep.await();
    wake.run();
    wake.run();
    mayEnd.countDown();
    twice.await();
    upkeep.close();

    assertThat(steps).hasSize(2);
  }
}
