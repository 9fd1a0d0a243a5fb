package dev.tarn.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.control.User;
import dev.tarn.cluster.control.memory.MemoryControlPlane;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.wire.SettingsTable;
import dev.tarn.cluster.wire.WireException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SettingsPublisherTest {
  private static final TargetId TARGET = new TargetId("t1");

  private final MemoryControlPlane control = new MemoryControlPlane();
  private final BlockingQueue<SettingsTable> published = new LinkedBlockingQueue<>();
  private volatile Optional<String> refusal = Optional.empty();
  private final SettingsPublisher publisher =
      new SettingsPublisher(
          control,
          List.of(
              new MapTarget(
                  TARGET,
                  List.of(new TargetAddress("127.0.0.1", 1)),
                  MemberState.IN_SERVICE,
                  1,
                  List.of())),
          this::take,
          new Capabilities(ClusterSecrets.of(new byte[32]), InstantSource.system()));

  @AfterEach
  void close() {
    publisher.close();
  }

  @Test
  void aNewBucketIsAnsweredAfterTheTargetsHaveBeenToldOfIt() {
    createBucket("images");
    assertThat(published).last().satisfies(table -> assertThat(table.buckets()).hasSize(1));
  }

  @Test
  void aTargetThatDoesNotAnswerIsToldAgainUntilItDoes() throws InterruptedException {
    refusal = Optional.of("away");
    createBucket("images");
    published.clear();
    published.take();
    refusal = Optional.empty();
    assertThat(published.take().buckets()).hasSize(1);
  }

  @Test
  void aTargetThatSaysThatItKnowsTooLittleIsToldAtOnce() {
    createBucket("images");
    published.clear();
    publisher.refresh().toCompletableFuture().join();
    assertThat(published).hasSize(1);
  }

  @BeforeEach
  void createOwner() {
    control
        .submit(new Command.CreateUser(0, new User("owner", "owner", false)))
        .toCompletableFuture()
        .join();
  }

  private void createBucket(String name) {
    publisher
        .controlPlane()
        .submit(new Command.CreateBucket(0, name, "owner", BucketSettings.PRIMARY))
        .toCompletableFuture()
        .join();
  }

  private CompletionStage<Optional<String>> take(
      TargetAddress address, long version, byte[] table, String capability) {
    try {
      Optional<String> answer = refusal;
      published.add(SettingsTable.decode(table));
      return CompletableFuture.completedFuture(answer);
    } catch (WireException malformed) {
      return CompletableFuture.failedFuture(malformed);
    }
  }
}
