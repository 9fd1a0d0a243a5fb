package dev.tarn.gateway;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.gateway.http.GatewayLimits;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** DeleteBucket deletes no write that was acknowledged, and leaves no bucket unusable. */
class BucketDeletionTest {
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket("alices"));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
  }

  @Test
  void writeThatIsAcknowledgedBetweenTheLookAndTheDeletionKeepsTheBucket() {
    AtomicInteger looks = new AtomicInteger();
    try (GatewayFixture racing =
            new GatewayFixture(
                GatewayLimits.DEFAULT, memory -> afterLook(memory, looks, 1, put(memory)));
        S3Client client = racing.client(GatewayFixture.ALICE)) {
      client.createBucket(r -> r.bucket("raced"));

      assertFails("BucketNotEmpty", 409, () -> client.deleteBucket(r -> r.bucket("raced")));

      assertThat(racing.bucket("raced").deletion()).isEmpty();
      assertThat(client.listObjectsV2(r -> r.bucket("raced")).contents()).hasSize(1);
      client.deleteObject(r -> r.bucket("raced").key("late"));
      client.deleteBucket(r -> r.bucket("raced"));
      assertThat(client.listBuckets().buckets()).isEmpty();
    }
  }

  @Test
  void secondLookNamesTheStateInWhichTargetsRefuseWrites() {
    AtomicReference<Bucket> atSecondLook = new AtomicReference<>();
    AtomicInteger looks = new AtomicInteger();
    AtomicReference<GatewayFixture> fixture = new AtomicReference<>();
    List<Long> versions = new CopyOnWriteArrayList<>();
    try (GatewayFixture gateway =
            new GatewayFixture(
                GatewayLimits.DEFAULT,
                memory ->
                    afterLook(
                        memory,
                        looks,
                        2,
                        scope -> {
                          versions.add(scope.settingsVersion());
                          atSecondLook.set(fixture.get().bucket("marked"));
                        }));
        S3Client client = gateway.client(GatewayFixture.ALICE)) {
      fixture.set(gateway);
      client.createBucket(r -> r.bucket("marked"));
      client.deleteBucket(r -> r.bucket("marked"));
    }

    long marked = atSecondLook.get().deletion().orElseThrow().version();
    assertThat(versions).containsExactly(marked);
    assertThat(atSecondLook.get().settingsVersion()).isEqualTo(marked);
  }

  @Test
  void bucketStaysAndTakesWritesWhereATargetDoesNotAnswerTheSecondLook() {
    AtomicInteger looks = new AtomicInteger();
    Failure away = new Failure.Unavailable("The target is away.");
    try (GatewayFixture failing =
            new GatewayFixture(
                GatewayLimits.DEFAULT,
                memory ->
                    new ForwardingTarget(memory) {
                      @Override
                      public <R> CompletionStage<Outcome<R>> call(
                          TargetRequest<R> request, IncomingBody body) {
                        return request instanceof ListRequest.ListVersions
                                && looks.incrementAndGet() % 2 == 0
                            ? completedFuture(Outcome.failed(away))
                            : super.call(request, body);
                      }
                    });
        S3Client client = failing.client(GatewayFixture.ALICE)) {
      client.createBucket(r -> r.bucket("stays"));

      assertFails("ServiceUnavailable", 503, () -> client.deleteBucket(r -> r.bucket("stays")));

      assertThat(failing.bucket("stays").deletion()).isEmpty();
    }
  }

  @Test
  void deletionThatItsGatewayDidNotEndIsEndedWhenItIsOldAndNotBefore() {
    Bucket bucket = gateway.bucket("alices");
    gateway.submit(
        new Command.BeginDeletion(System.currentTimeMillis(), bucket.name(), bucket.id()));
    alice.headBucket(r -> r.bucket("alices"));
    assertThat(gateway.bucket("alices").deletion()).isPresent();

    gateway.submit(new Command.BeginDeletion(1, bucket.name(), bucket.id()));
    alice.headBucket(r -> r.bucket("alices"));
    assertThat(gateway.bucket("alices").deletion()).isEmpty();
  }

  @Test
  void repeatedDeleteBucketGoesOnWhereAGatewayLeftADeletion() {
    Bucket bucket = gateway.bucket("alices");
    gateway.submit(
        new Command.BeginDeletion(System.currentTimeMillis(), bucket.name(), bucket.id()));
    alice.deleteBucket(r -> r.bucket("alices"));
    assertThat(alice.listBuckets().buckets()).isEmpty();
  }

  @Test
  void createBucketOfABucketThatIsBeingDeletedIsRefusedUntilTheDeletionHasEnded() {
    Bucket bucket = gateway.bucket("alices");
    gateway.submit(
        new Command.BeginDeletion(System.currentTimeMillis(), bucket.name(), bucket.id()));
    assertFails("OperationAborted", 409, () -> alice.createBucket(r -> r.bucket("alices")));
    assertThat(gateway.bucket("alices").deletion()).isPresent();

    gateway.submit(new Command.BeginDeletion(1, bucket.name(), bucket.id()));
    alice.createBucket(r -> r.bucket("alices"));
    assertThat(gateway.bucket("alices").deletion()).isEmpty();
  }

  private static Consumer<CallScope> put(ObjectTarget memory) {
    return scope -> {
      TargetRequest.Put late =
          new TargetRequest.Put(
              scope, ObjectKey.of("late"), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
      assertThat(memory.call(late, TestBody.of(new byte[1])).toCompletableFuture().join())
          .isInstanceOf(Outcome.Success.class);
    };
  }

  /** A target after whose look of this number, as DeleteBucket takes it, something happens. */
  private static ObjectTarget afterLook(
      ObjectTarget memory, AtomicInteger looks, int number, Consumer<CallScope> event) {
    return new ForwardingTarget(memory) {
      @Override
      public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
        return request instanceof ListRequest.ListVersions list && looks.incrementAndGet() == number
            ? super.call(request, body)
                .thenApply(outcome -> {
                  event.accept(list.scope());
                  return outcome;
                })
            : super.call(request, body);
      }
    };
  }

  private static void assertFails(String code, int status, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              assertThat(e.statusCode()).isEqualTo(status);
            });
  }
}
