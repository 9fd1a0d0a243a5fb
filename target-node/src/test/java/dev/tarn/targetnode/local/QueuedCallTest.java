package dev.tarn.targetnode.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.NodeCalls;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.transport.body.DirectBuffers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that wait for a worker. */
class QueuedCallTest {
  private static final ListObjects LIST =
      new ListObjects(new CallScope(new BucketId(1), 0, 0, CallContext.UNNAMED), "", "", "", 10);

  private final Queue<Runnable> steps = new ArrayDeque<>();

  @Test
  void callWhoseDeadlinePassesInTheQueueIsNotCarriedOut(@TempDir Path folder) throws IOException {
    FixedView view =
        new FixedView(
            0, 0, bucket -> FixedView.bucket(bucket, BucketSettings.PRIMARY, Versioning.OFF, 0));
    try (TargetNode node = TargetNode.open(TargetNodeConfig.of(folder), view)) {
      BodyWriting writing = new BodyWriting(new Chunks(1), steps::add);
      CallJudge judge = new CallJudge(view);
      LocalTarget local =
          new LocalTarget(
              judge,
              node.disks(),
              new ObjectReader(new DirectBuffers(1 << 20), steps::add),
              writing,
              10);
      NodeCalls target = new NodeCalls(judge, local, local, new SimpleMeterRegistry());
      Deadline soon = Deadline.in(Duration.ofMillis(20));
      CompletableFuture<Outcome<ListPage>> late =
          target.call(LIST.at(0, soon)).toCompletableFuture();
      CompletableFuture<Outcome<ListPage>> inTime = target.call(LIST).toCompletableFuture();

      while (!soon.hasPassed()) {
        Thread.onSpinWait();
      }
      steps.forEach(Runnable::run);

      assertThat(((Outcome.Failed<ListPage>) late.join()).failure())
          .isInstanceOf(Failure.DeadlinePassed.class);
      assertThat(inTime.join()).isInstanceOf(Outcome.Success.class);
    }
  }
}
