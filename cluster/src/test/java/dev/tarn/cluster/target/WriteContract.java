package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.ifMatch;
import static dev.tarn.cluster.target.ContractFixture.ifNoneMatch;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.outcome;
import static dev.tarn.cluster.target.ContractFixture.randomBytes;
import static dev.tarn.cluster.target.ContractFixture.success;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Put;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Put and delete: whole or not at all, digests, conditions at the commit. */
interface WriteContract extends ContractFixture {
  /** Checksums of "123456789", which every CRC's definition gives. */
  Map<ChecksumAlgorithm, String> CHECK_VALUES =
      Map.of(
          ChecksumAlgorithm.CRC32, "y/Q5Jg==",
          ChecksumAlgorithm.CRC32C, "4waSgw==",
          ChecksumAlgorithm.CRC64NVME, "rosUhgp5mIg=",
          ChecksumAlgorithm.SHA1, "98O8HYCOBHMq32eZZczDTKeuNEE=",
          ChecksumAlgorithm.SHA256, "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU=");

  @Test
  default void anOverwriteReplacesWithAGreaterVersion() {
    ObjectMetadata first = put("a", "first");
    ObjectMetadata second = put("a", "second");
    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(text("a")).isEqualTo("second");
  }

  @Test
  default void aReadIsNeverOlderThanTheLastAcknowledgedWrite() {
    AtomicInteger acknowledged = new AtomicInteger();
    put("a", "0");
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> {
          for (int number = 1; number <= 200; number++) {
            put("a", Integer.toString(number));
            acknowledged.set(number);
          }
        });
    int seen = 0;
    while (seen < 200) {
      int expected = Math.max(seen, acknowledged.get());
      seen = Integer.parseInt(text("a"));
      assertThat(seen).isGreaterThanOrEqualTo(expected);
      assertThat(writing).isNotCompletedExceptionally();
    }
  }

  @Test
  default void keysOfEveryKindAreKept() {
    for (String key :
        List.of(
            "a//b",
            "a/../b",
            "%2F",
            "+",
            "é",
            " ",
            "*'()!~",
            "dir/",
            "\u0001",
            "\"<&>\r\n",
            "\ud800\udc00",
            "?x=1#y",
            "k".repeat(1024))) {
      put(key, key);
      assertThat(text(key)).isEqualTo(key);
    }
  }

  @Test
  default void bucketsDoNotShareKeys() {
    put("a", "here");
    CallScope elsewhere =
        new CallScope(
            new BucketId(scope().bucket().value() % 1_000_000 + 1),
            scope().settingsVersion(),
            scope().mapEpoch());
    Outcome<ObjectHead> outcome =
        outcome(
            target()
                .call(
                    new TargetRequest.Head(
                        elsewhere,
                        key("a"),
                        Optional.empty(),
                        Selection.WHOLE,
                        Preconditions.NONE)));
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  default void aBodyOfUnknownLengthIsStored() {
    byte[] bytes = randomBytes(1, 700_000);
    success(
        target()
            .call(putRequest("a"), TestBody.of(bytes).declaredLength(IncomingBody.UNKNOWN_LENGTH)));
    assertThat(bytes("a")).isEqualTo(bytes);
  }

  @Test
  default void everyChecksumAskedForIsComputedAndKept() {
    Put request =
        new Put(
            scope(),
            key("a"),
            ObjectAttributes.NONE,
            EnumSet.allOf(ChecksumAlgorithm.class),
            Preconditions.NONE);
    ObjectMetadata metadata = success(target().call(request, TestBody.of("123456789")));
    assertThat(metadata.checksums())
        .containsExactlyInAnyOrderElementsOf(
            CHECK_VALUES.entrySet().stream()
                .map(entry ->
                    new ObjectChecksum(entry.getKey(), ChecksumType.FULL_OBJECT, entry.getValue()))
                .toList());
  }

  @Test
  default void aDeclaredChecksumThatHoldsIsKept() {
    ObjectChecksum declared =
        new ObjectChecksum(ChecksumAlgorithm.CRC32, ChecksumType.FULL_OBJECT, "y/Q5Jg==");
    DeclaredDigests digests =
        new DeclaredDigests(Optional.of("25f9e794323b453885f5181f1b624d0b"), List.of(declared));
    ObjectMetadata metadata =
        success(target().call(putRequest("a"), TestBody.of("123456789").declaring(digests)));
    assertThat(metadata.checksums()).containsExactly(declared);
  }

  @Test
  default void aBodyThatIsNotWhatWasDeclaredIsNotStored() {
    DeclaredDigests wrongMd5 = new DeclaredDigests(Optional.of("0".repeat(32)), List.of());
    assertThat(failure(target().call(putRequest("a"), TestBody.of("x").declaring(wrongMd5))))
        .isEqualTo(new Failure.BadDigest());
    for (Map.Entry<ChecksumAlgorithm, String> check : CHECK_VALUES.entrySet()) {
      DeclaredDigests wrong =
          new DeclaredDigests(
              Optional.empty(),
              List.of(
                  new ObjectChecksum(check.getKey(), ChecksumType.FULL_OBJECT, check.getValue())));
      assertThat(failure(target().call(putRequest("a"), TestBody.of("x").declaring(wrong))))
          .isEqualTo(new Failure.BadChecksum(check.getKey()));
    }
    assertMissing("a");
  }

  @Test
  default void aBodyThatFailsMidwayLeavesWhatWasThere() {
    put("a", "before");
    for (int size : new int[] {0, 10, 1 << 20}) {
      Failure failure =
          failure(
              target()
                  .call(
                      putRequest("a"),
                      TestBody.of(randomBytes(1, size))
                          .declaredLength(2 << 20)
                          .thenFailing("the signature of chunk 7 is wrong")));
      assertThat(failure)
          .isEqualTo(new Failure.IncompleteBody("the signature of chunk 7 is wrong"));
    }
    Failure ofUnknownLength =
        failure(
            target()
                .call(
                    putRequest("a"),
                    TestBody.of("half")
                        .declaredLength(IncomingBody.UNKNOWN_LENGTH)
                        .thenFailing("gone")));
    assertThat(ofUnknownLength).isEqualTo(new Failure.IncompleteBody("gone"));
    assertThat(text("a")).isEqualTo("before");
  }

  @Test
  default void aBodyOfAnotherLengthThanDeclaredIsNotStored() {
    for (long declared : new long[] {0, 4, 6}) {
      assertThat(
              failure(
                  target().call(putRequest("a"), TestBody.of("12345").declaredLength(declared))))
          .isInstanceOf(Failure.IncompleteBody.class);
    }
    assertMissing("a");
  }

  @Test
  default void aReceiverAsksForABoundedNumberOfBuffers() {
    StalledBody body = new StalledBody();
    CompletionStage<Outcome<ObjectMetadata>> stage = target().call(putRequest("a"), body);
    assertThat(body.firstRequest().join()).isBetween(1L, 64L);
    body.fail("client went away");
    assertThat(failure(stage)).isInstanceOf(Failure.IncompleteBody.class);
    assertMissing("a");
  }

  @Test
  default void aWriteObeysItsConditionsAtTheCommit() {
    assertThat(failure(target().call(putRequest("a", ifMatch("*")), TestBody.of("1"))))
        .isEqualTo(new Failure.NoSuchKey());
    ObjectMetadata first =
        success(target().call(putRequest("a", ifNoneMatch("*")), TestBody.of("1")));
    assertThat(failure(target().call(putRequest("a", ifNoneMatch("*")), TestBody.of("2"))))
        .isEqualTo(new Failure.PreconditionFailed("If-None-Match"));
    assertThat(failure(target().call(putRequest("a", ifMatch("other")), TestBody.of("2"))))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    success(target().call(putRequest("a", ifMatch(first.etag())), TestBody.of("3")));
    assertThat(text("a")).isEqualTo("3");
  }

  @Test
  default void ofManyWritesThatMustBeTheFirstOneWins() {
    List<CompletableFuture<Outcome<ObjectMetadata>>> writes =
        IntStream.range(0, 32)
            .mapToObj(i ->
                CompletableFuture.supplyAsync(() ->
                        target()
                            .call(
                                putRequest("a", ifNoneMatch("*")),
                                TestBody.of(Integer.toString(i))))
                    .thenCompose(stage -> stage))
            .toList();
    List<Outcome<ObjectMetadata>> outcomes = writes.stream().map(ContractFixture::outcome).toList();
    assertThat(outcomes).filteredOn(Outcome.Success.class::isInstance).hasSize(1);
    assertThat(outcomes)
        .filteredOn(Outcome.Failed.class::isInstance)
        .allSatisfy(outcome ->
            assertThat(((Outcome.Failed<ObjectMetadata>) outcome).failure())
                .isInstanceOfAny(Failure.PreconditionFailed.class, Failure.LostRace.class));
  }

  @Test
  default void aDeleteRemovesAndSaysWhetherThereWasSomething() {
    put("a", "x");
    assertThat(success(target().call(deleteRequest("a", Preconditions.NONE))))
        .isEqualTo(new Deleted(true, false, ""));
    assertMissing("a");
    assertThat(success(target().call(deleteRequest("a", Preconditions.NONE))))
        .isEqualTo(new Deleted(false, false, ""));
  }

  @Test
  default void aDeleteObeysItsConditions() {
    ObjectMetadata metadata = put("a", "x");
    assertThat(failure(target().call(deleteRequest("a", ifMatch("other")))))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    assertThat(text("a")).isEqualTo("x");
    success(target().call(deleteRequest("a", ifMatch(metadata.etag()))));
    assertMissing("a");
  }

  @Test
  default void aDeleteOfAVersionThatIsNotThereLeavesTheOneThatIs() {
    put("a", "x");
    Delete request = new Delete(scope(), key("a"), Optional.of("0".repeat(40)), Preconditions.NONE);
    assertThat(success(target().call(request)).existed()).isFalse();
    assertThat(text("a")).isEqualTo("x");
    Delete ofNull = new Delete(scope(), key("a"), Optional.of("null"), Preconditions.NONE);
    assertThat(success(target().call(ofNull)).existed()).isTrue();
    assertMissing("a");
  }

  private Delete deleteRequest(String key, Preconditions preconditions) {
    return new Delete(scope(), key(key), Optional.empty(), preconditions);
  }

  private void assertMissing(String key) {
    assertThat(failure(target().call(headRequest(key)))).isEqualTo(new Failure.NoSuchKey());
  }
}
