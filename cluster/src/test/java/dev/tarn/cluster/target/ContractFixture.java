package dev.tarn.cluster.target;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** What the contract's tests need: a target, an empty bucket, and short words for its calls. */
interface ContractFixture {
  /** The target under test. */
  ObjectTarget target();

  /** A bucket that is empty at the beginning of each test. */
  CallScope scope();

  /** Changes what the bucket does with earlier versions, as the target knows it. */
  void setVersioning(Versioning versioning);

  /** The outcome, which must come. */
  static <T> Outcome<T> outcome(CompletionStage<Outcome<T>> stage) {
    try {
      return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception failed) {
      throw new AssertionError("no outcome", failed);
    }
  }

  static <T> T success(CompletionStage<Outcome<T>> stage) {
    Outcome<T> outcome = outcome(stage);
    if (outcome instanceof Outcome.Success<T> success) {
      return success.value();
    }
    throw new AssertionError("expected a success, got " + outcome);
  }

  static <T> Failure failure(CompletionStage<Outcome<T>> stage) {
    Outcome<T> outcome = outcome(stage);
    if (outcome instanceof Outcome.Failed<T> failed) {
      return failed.failure();
    }
    throw new AssertionError("expected a failure, got " + outcome);
  }

  static ObjectKey key(String text) {
    return ObjectKey.of(text);
  }

  static byte[] randomBytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static Preconditions ifMatch(String etag) {
    return new Preconditions(List.of(etag), List.of(), OptionalLong.empty(), OptionalLong.empty());
  }

  static Preconditions ifNoneMatch(String etag) {
    return new Preconditions(List.of(), List.of(etag), OptionalLong.empty(), OptionalLong.empty());
  }

  static Preconditions ifModifiedSince(long timeMs) {
    return new Preconditions(List.of(), List.of(), OptionalLong.of(timeMs), OptionalLong.empty());
  }

  static Preconditions ifUnmodifiedSince(long timeMs) {
    return new Preconditions(List.of(), List.of(), OptionalLong.empty(), OptionalLong.of(timeMs));
  }

  default Put putRequest(String key) {
    return new Put(scope(), key(key), ObjectAttributes.NONE, Set.of(), Preconditions.NONE);
  }

  default Put putRequest(String key, Preconditions preconditions) {
    return new Put(scope(), key(key), ObjectAttributes.NONE, Set.of(), preconditions);
  }

  default ObjectMetadata put(String key, String text) {
    return success(target().call(putRequest(key), TestBody.of(text)));
  }

  default ObjectMetadata put(String key, byte[] bytes) {
    return success(target().call(putRequest(key), TestBody.of(bytes)));
  }

  default Get getRequest(String key, Selection selection, Preconditions preconditions) {
    return new Get(scope(), key(key), Optional.empty(), selection, preconditions);
  }

  default Get getRequest(String key) {
    return getRequest(key, Selection.WHOLE, Preconditions.NONE);
  }

  default TargetRequest.Head headRequest(String key) {
    return new TargetRequest.Head(
        scope(), key(key), Optional.empty(), Selection.WHOLE, Preconditions.NONE);
  }

  default byte[] bytes(String key, Selection selection) {
    return BodyBytes.read(
        success(target().call(getRequest(key, selection, Preconditions.NONE))).body());
  }

  default byte[] bytes(String key) {
    return bytes(key, Selection.WHOLE);
  }

  default String text(String key) {
    return new String(bytes(key), UTF_8);
  }

  default CopySource sourceOf(String key) {
    return new CopySource(scope(), key(key), Optional.empty(), Preconditions.NONE);
  }

  default TargetRequest.Copy copyRequest(String key, CopySource source) {
    return new TargetRequest.Copy(
        scope(),
        key(key),
        source,
        Optional.empty(),
        Optional.empty(),
        CannedAcl.PRIVATE,
        Set.of(),
        Preconditions.NONE);
  }

  default String createUpload(String key) {
    return createUpload(key, Optional.empty());
  }

  default String createUpload(String key, Optional<ChecksumAlgorithm> checksum) {
    return success(
        target()
            .call(
                new TargetRequest.CreateUpload(
                    scope(), key(key), ObjectAttributes.NONE, checksum, Optional.empty())));
  }

  default ObjectPart putPart(String key, String uploadId, int number, byte[] bytes) {
    return success(
        target()
            .call(new PutPart(scope(), key(key), uploadId, number, Set.of()), TestBody.of(bytes)));
  }

  default UploadRequest.Complete completeRequest(
      String key, String uploadId, List<ObjectPart> parts) {
    return new UploadRequest.Complete(
        scope(),
        key(key),
        uploadId,
        parts.stream()
            .map(part -> new UploadRequest.CompletedPart(part.number(), part.etag(), List.of()))
            .toList(),
        OptionalLong.empty(),
        Optional.empty(),
        Preconditions.NONE);
  }

  default ObjectMetadata putMultipart(String key, List<byte[]> parts) {
    String uploadId = createUpload(key);
    List<ObjectPart> stored = new ArrayList<>();
    for (byte[] part : parts) {
      stored.add(putPart(key, uploadId, stored.size() + 1, part));
    }
    return success(target().call(completeRequest(key, uploadId, stored)));
  }

  static ObjectAttributes attributes(String contentType, Map<String, String> tags) {
    return new ObjectAttributes(
        Map.of("content-type", contentType), Map.of("origin", "fjällsjö"), tags);
  }
}
