package dev.tarn.targetnode.local;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Calls a target and waits for the answer. */
public record Calls(ObjectTarget target, BucketId bucket) {
  private CallScope scope() {
    return new CallScope(bucket, 0, 0, CallContext.UNNAMED);
  }

  public Outcome<ObjectMetadata> put(String key, byte[] bytes) {
    return put(key, bytes, Preconditions.NONE);
  }

  public Outcome<ObjectMetadata> put(String key, byte[] bytes, Preconditions preconditions) {
    return put(key, new BytesBody(bytes), preconditions);
  }

  public Outcome<ObjectMetadata> put(String key, IncomingBody body, Preconditions preconditions) {
    return await(
        target.call(
            new TargetRequest.Put(
                scope(), ObjectKey.of(key), ObjectAttributes.NONE, Set.of(), preconditions),
            body));
  }

  public Outcome<byte[]> get(String key) {
    return get(key, Selection.WHOLE);
  }

  public Outcome<byte[]> get(String key, Selection selection) {
    return await(
            target.call(
                new TargetRequest.Get(
                    scope(), ObjectKey.of(key), Optional.empty(), selection, Preconditions.NONE)))
        .map(Calls::read);
  }

  /** A read that has begun and of which nothing was taken. */
  public Outcome<ObjectRead> begin(String key) {
    return await(
        target.call(
            new TargetRequest.Get(
                scope(),
                ObjectKey.of(key),
                Optional.empty(),
                Selection.WHOLE,
                Preconditions.NONE)));
  }

  public Outcome<byte[]> get(String key, String version) {
    return await(
            target.call(
                new TargetRequest.Get(
                    scope(),
                    ObjectKey.of(key),
                    Optional.of(version),
                    Selection.WHOLE,
                    Preconditions.NONE)))
        .map(Calls::read);
  }

  public Outcome<ObjectMetadata> head(String key, String version) {
    return await(
            target.call(
                new TargetRequest.Head(
                    scope(),
                    ObjectKey.of(key),
                    Optional.of(version),
                    Selection.WHOLE,
                    Preconditions.NONE)))
        .map(ObjectHead::metadata);
  }

  public Outcome<Deleted> delete(String key) {
    return delete(key, Optional.empty());
  }

  public Outcome<Deleted> delete(String key, String version) {
    return delete(key, Optional.of(version));
  }

  private Outcome<Deleted> delete(String key, Optional<String> version) {
    return await(
        target.call(
            new TargetRequest.Delete(scope(), ObjectKey.of(key), version, Preconditions.NONE)));
  }

  public Outcome<ObjectMetadata> copy(String from, String to) {
    return copy(from, Optional.empty(), to, Set.of());
  }

  public Outcome<ObjectMetadata> copy(String from, String to, Set<ChecksumAlgorithm> checksums) {
    return copy(from, Optional.empty(), to, checksums);
  }

  public Outcome<ObjectMetadata> copy(String from, String version, String to) {
    return copy(from, Optional.of(version), to, Set.of());
  }

  private Outcome<ObjectMetadata> copy(
      String from, Optional<String> version, String to, Set<ChecksumAlgorithm> checksums) {
    return await(
        target.call(
            new TargetRequest.Copy(
                scope(),
                ObjectKey.of(to),
                new TargetRequest.CopySource(
                    scope(), ObjectKey.of(from), version, Preconditions.NONE),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                checksums,
                Preconditions.NONE)));
  }

  public Outcome<ObjectMetadata> setTags(String key, Map<String, String> tags) {
    return await(
        target.call(new TargetRequest.SetTags(scope(), ObjectKey.of(key), Optional.empty(), tags)));
  }

  public Outcome<ObjectMetadata> setTags(String key, String version, Map<String, String> tags) {
    return await(
        target.call(
            new TargetRequest.SetTags(scope(), ObjectKey.of(key), Optional.of(version), tags)));
  }

  public Outcome<String> create(String key) {
    return await(
        target.call(
            new TargetRequest.CreateUpload(
                scope(),
                ObjectKey.of(key),
                ObjectAttributes.NONE,
                Optional.empty(),
                Optional.empty())));
  }

  public Outcome<ObjectPart> putPart(String key, String uploadId, int number, byte[] bytes) {
    return putPart(key, uploadId, number, new BytesBody(bytes));
  }

  public Outcome<ObjectPart> putPart(String key, String uploadId, int number, IncomingBody body) {
    return await(
        target.call(
            new UploadRequest.PutPart(scope(), ObjectKey.of(key), uploadId, number, Set.of()),
            body));
  }

  public Outcome<ObjectPart> copyPart(String from, String key, String uploadId, int number) {
    return copyPart(from, Selection.WHOLE, key, uploadId, number);
  }

  public Outcome<ObjectPart> copyPart(
      String from, Selection selection, String key, String uploadId, int number) {
    return await(
        target.call(
            new UploadRequest.CopyPart(
                scope(),
                ObjectKey.of(key),
                uploadId,
                number,
                new TargetRequest.CopySource(
                    scope(), ObjectKey.of(from), Optional.empty(), Preconditions.NONE),
                selection)));
  }

  public Outcome<List<ObjectPart>> parts(String key, String uploadId) {
    return await(
            target.call(new UploadRequest.ListParts(scope(), ObjectKey.of(key), uploadId, 0, 1000)))
        .map(PartPage::parts);
  }

  public Outcome<ObjectMetadata> complete(String key, String uploadId, List<ObjectPart> parts) {
    return await(
        target.call(
            new UploadRequest.Complete(
                scope(),
                ObjectKey.of(key),
                uploadId,
                parts.stream()
                    .map(part ->
                        new UploadRequest.CompletedPart(part.number(), part.etag(), List.of()))
                    .toList(),
                OptionalLong.empty(),
                Optional.empty(),
                Preconditions.NONE)));
  }

  /** All keys and common prefixes, page by page. */
  public List<String> list(String prefix, String delimiter, int page) {
    List<String> names = new ArrayList<>();
    String after = "";
    while (true) {
      ListPage found =
          value(
              await(
                  target.call(
                      new ListRequest.ListObjects(scope(), prefix, delimiter, after, page))));
      for (ListPage.Entry entry : found.entries()) {
        after = new String(entry.orderBytes(), java.nio.charset.StandardCharsets.UTF_8);
        names.add(after);
      }
      if (!found.truncated()) {
        return names;
      }
    }
  }

  /** All versions of a key, the newest first, page by page. */
  public Outcome<List<VersionEntry>> versions(String key, int page) {
    List<VersionEntry> versions = new ArrayList<>();
    String afterKey = "";
    String afterVersion = "";
    while (true) {
      Outcome<VersionPage> outcome =
          await(
              target.call(
                  new ListRequest.ListVersions(scope(), key, "", afterKey, afterVersion, page)));
      if (!(outcome instanceof Outcome.Success<VersionPage> found)) {
        return outcome.map(none -> versions);
      }
      for (VersionPage.Entry entry : found.value().entries()) {
        VersionEntry version = (VersionEntry) entry;
        afterKey = version.key().text();
        afterVersion = version.versionText();
        if (afterKey.equals(key)) {
          versions.add(version);
        }
      }
      if (!found.value().truncated()) {
        return Outcome.success(versions);
      }
    }
  }

  /** The value of a success. */
  public static <T> T value(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Success<T> success -> success.value();
      case Outcome.Failed<T> failed ->
          throw new AssertionError("failed: " + failed.failure() + ": " + message(failed));
    };
  }

  private static String message(Outcome.Failed<?> failed) {
    Failure failure = failed.failure();
    return failure.message();
  }

  public static <T> Outcome<T> await(CompletionStage<Outcome<T>> stage) {
    try {
      return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a call did not end", e);
    }
  }

  /** All bytes of a read, which is closed. */
  public static byte[] read(ObjectRead read) {
    try (OutgoingBody body = read.body()) {
      return switch (body) {
        case OutgoingBody.Bytes bytes -> copy(bytes.buffer());
        case OutgoingBody.FileRange range -> read(List.of(range));
        case OutgoingBody.FileRanges files -> read(files.ranges());
        case OutgoingBody.Stream stream -> collect(stream);
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] read(List<OutgoingBody.FileRange> ranges) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (OutgoingBody.FileRange range : ranges) {
      ByteBuffer buffer = ByteBuffer.allocate((int) range.length());
      long at = range.offset();
      while (buffer.hasRemaining()) {
        at += range.channel().read(buffer, at);
      }
      bytes.writeBytes(buffer.array());
    }
    return bytes.toByteArray();
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] collect(OutgoingBody.Stream stream) {
    CompletableFuture<byte[]> whole = new CompletableFuture<>();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    stream
        .publisher()
        .subscribe(
            new Flow.Subscriber<ByteBuffer>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
              }

              @Override
              public void onNext(ByteBuffer buffer) {
                bytes.writeBytes(copy(buffer));
              }

              @Override
              public void onError(Throwable cause) {
                whole.completeExceptionally(cause);
              }

              @Override
              public void onComplete() {
                whole.complete(bytes.toByteArray());
              }
            });
    try {
      return whole.get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("a stream did not end well", e);
    }
  }
}
