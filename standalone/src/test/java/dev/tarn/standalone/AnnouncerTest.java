package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.cluster.control.AnnouncedTarget;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.ControlState;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.fixtures.LoopbackTransport;
import dev.tarn.fixtures.MemoryControlPlane;
import dev.tarn.targetnode.upkeep.Job;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class AnnouncerTest {
  private static final TargetId ID = new TargetId("t1");
  private static final TargetId OTHER = new TargetId("t2");
  private static final AnnouncedTarget OWN = target(ID, "a:9100", 8);

  @TempDir private Path folder;
  private final MemoryControlPlane control = new MemoryControlPlane();
  private final Steps steps = new Steps();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Announcer.class);

  @Test
  void targetThatNobodyKnowsAnnouncesItselfOnce() {
    try (Announcer announcer = announcer(control, OWN)) {
      assertThat(announcer.problem()).hasValue("this target has not announced itself yet");
      steps.run();

      assertThat(control.state().announced(ID)).isEqualTo(OWN);
      assertThat(announcer.problem()).isEmpty();
      assertThat(steps.isEmpty()).isTrue();
    }
  }

  @Test
  void targetThatIsKnownSaysNothing() {
    submit(new Command.AnnounceTarget(1, OWN));
    try (Announcer announcer = announcer(control, OWN)) {
      assertThat(steps.isEmpty()).isTrue();
      assertThat(announcer.problem()).isEmpty();
    }
  }

  @Test
  void targetThatIsForgottenAnnouncesItselfAgain() {
    try (Announcer announcer = announcer(control, OWN)) {
      steps.run();
      submit(new Command.ForgetTarget(1, ID));
      assertThat(announcer.problem()).isPresent();

      steps.run();
      assertThat(control.state().announced(ID)).isEqualTo(OWN);
      assertThat(announcer.problem()).isEmpty();
    }
  }

  @Test
  void targetThatAnotherProcessAnnouncesElsewhereGivesWayAndIsNotReady() {
    try (Announcer announcer = announcer(control, OWN)) {
      steps.run();
      submit(new Command.AnnounceTarget(1, target(ID, "copy:9100", 8)));
      assertThat(steps.isEmpty()).isTrue();
      assertThat(announcer.problem())
          .hasValueSatisfying(problem ->
              assertThat(problem)
                  .contains("another process has announced target t1 at copy:9100", "copied?"));
    }
  }

  @Test
  void memberThatMovedIsReachedAtItsNewAddress() {
    submit(new Command.AnnounceTarget(1, OWN));
    submit(new Command.SetMembers(1, Set.of(ID)));
    try (Announcer announcer = announcer(control, target(ID, "b:9100", 8))) {
      assertThat(announcer.problem()).isEmpty();
      steps.run();

      assertThat(control.state().map().flatMap(map -> map.target(ID)).orElseThrow().addresses())
          .containsExactly(TargetAddress.parse("b:9100"));
    }
  }

  @Test
  void diskThatCannotBeReadKeepsItsCapacity() {
    submit(new Command.AnnounceTarget(1, OWN));
    try (Announcer announcer = announcer(control, target(ID, "b:9100", 0))) {
      steps.run();

      assertThat(control.state().announced(ID)).isEqualTo(target(ID, "b:9100", 8));
      assertThat(announcer.problem()).isEmpty();
      assertThat(steps.isEmpty()).isTrue();
    }
  }

  @Test
  void diskOfAnotherTargetIsNamedUntilThatOneIsForgotten() {
    submit(new Command.AnnounceTarget(1, target(OTHER, "c:9100", 8)));
    try (Announcer announcer = announcer(control, OWN)) {
      steps.run();
      assertThat(announcer.problem().orElseThrow())
          .contains("the control plane rejects this target: disk d1 of target t1 is that of");
      assertThat(steps.isEmpty()).isTrue();

      submit(new Command.ForgetTarget(1, OTHER));
      steps.run();
      assertThat(announcer.problem()).isEmpty();
      assertThat(control.state().announced(ID)).isEqualTo(OWN);
    }
  }

  @Test
  void whileTheControlNodeIsAwayItTriesAgainEverMoreRarely() throws Exception {
    LoopbackTransport transport = new LoopbackTransport(control);
    transport.setAway(true);
    try (RemoteControlPlane followed = transport.member(folder, Audience.TARGET);
        Announcer announcer = announcer(followed, OWN)) {
      assertThat(List.of(steps.run(announcer), steps.run(announcer), steps.run(announcer)))
          .containsExactly(100L, 200L, 400L);
      assertThat(announcer.problem().orElseThrow())
          .isEqualTo("this target has not announced itself yet: the control plane cannot be asked");
      for (int i = 0; i < 10; i++) {
        assertThat(steps.run(announcer)).isLessThanOrEqualTo(5000);
      }

      transport.setAway(false);
      CountDownLatch known = new CountDownLatch(1);
      try (ControlPlane.Watch watch =
          followed.watch(state -> {
            if (OWN.equals(state.announced(ID))) {
              known.countDown();
            }
          })) {
        requireNonNull(watch, "no watch");
        steps.run(announcer);
        assertThat(known.await(10, TimeUnit.SECONDS)).isTrue();
      }
      assertThat(control.state().announced(ID)).isEqualTo(OWN);
      assertThat(announcer.problem()).isEmpty();
    }
  }

  @Test
  void olderControlNodeThatKeepsAPartIsReportedOnceAndItsUpdateToo() {
    OlderControlPlane older = new OlderControlPlane();
    AnnouncedTarget own =
        new AnnouncedTarget(ID, OWN.addresses(), OWN.disks(), true, Optional.empty());
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try (Announcer announcer = announcer(older, own)) {
      for (int i = 0; i < 5; i++) {
        steps.run(announcer);
      }
      assertThat(announcer.problem()).isEmpty();
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .singleElement()
          .asString()
          .startsWith("Announcement of target t1 is kept in part: the control node runs an older")
          .contains("tls=false,", "instead of", "tls=true,")
          .endsWith("; update the control node");

      older.updated = true;
      steps.run(announcer);
      assertThat(control.state().announced(ID)).isEqualTo(own);
      assertThat(lines.list)
          .extracting(ILoggingEvent::getFormattedMessage)
          .hasSize(2)
          .endsWith("Target t1 has announced itself");
      assertThat(steps.isEmpty()).isTrue();
    } finally {
      logger.detachAppender(lines);
    }
  }

  /** A control node of a release that did not know TLS. */
  private final class OlderControlPlane implements ControlPlane {
    private boolean updated;

    @Override
    public ControlState state() {
      return control.state();
    }

    @Override
    public CompletionStage<Boolean> refresh() {
      return control.refresh();
    }

    @Override
    public CompletionStage<CommandOutcome> submit(Command command) {
      return control.submit(
          !updated && command instanceof Command.AnnounceTarget announce
              ? new Command.AnnounceTarget(announce.timeMs(), inPart(announce.target()))
              : command);
    }

    private static AnnouncedTarget inPart(AnnouncedTarget target) {
      return new AnnouncedTarget(target.id(), target.addresses(), target.disks());
    }

    @Override
    public Watch watch(Consumer<ControlState> listener) {
      return control.watch(listener);
    }
  }

  private Announcer announcer(ControlPlane plane, AnnouncedTarget own) {
    return new Announcer(plane, own, InstantSource.system()).start(steps::start);
  }

  private void submit(Command command) {
    assertThat(control.submit(command).toCompletableFuture().join())
        .isInstanceOf(CommandOutcome.Applied.class);
  }

  private static AnnouncedTarget target(TargetId id, String address, long capacityBytes) {
    return new AnnouncedTarget(
        id,
        List.of(TargetAddress.parse(address)),
        List.of(new AnnouncedTarget.Disk(new DiskId("d1"), capacityBytes)));
  }

  /** Runs the steps when the test says so. */
  private static final class Steps {
    private final BlockingQueue<Job> woken = new LinkedBlockingQueue<>();
    private Duration pause = Job.UNTIL_WOKEN;

    Runnable start(Job job, Duration firstPause) {
      pause = firstPause;
      return () -> {
        woken.clear();
        woken.add(job);
      };
    }

    /** Whether the job waits until it is woken. */
    boolean isEmpty() {
      return woken.isEmpty() && pause.equals(Job.UNTIL_WOKEN);
    }

    /** Runs the next step, for which the job must have been woken. */
    void run() {
      try {
        run(requireNonNull(woken.poll(10, TimeUnit.SECONDS), "not woken"));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Runs a step and tells the pause after it in milliseconds. */
    long run(Job job) {
      woken.clear();
      try {
        assertThat(job.step()).isFalse();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      pause = job.interval();
      return pause.toMillis();
    }
  }
}
