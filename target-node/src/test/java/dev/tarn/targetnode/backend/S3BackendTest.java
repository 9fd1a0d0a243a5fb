package dev.tarn.targetnode.backend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.targetnode.backend.Backend.BackendRead;
import dev.tarn.targetnode.backend.Backend.BackendWrite;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class S3BackendTest {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final OtherS3 OTHER = OtherS3.start();

  private final BackendSettings settings = OTHER.newBucket("some/prefix/");
  private final Backend backend = S3Backend.open(settings, BackendLimits.DEFAULT);

  @AfterAll
  static void stop() throws IOException {
    OTHER.close();
  }

  @Test
  void whatIsPutIsReadBackWithItsAttributes() throws IOException {
    ObjectAttributes attributes =
        new ObjectAttributes(
            Map.of("content-type", "image/png", "cache-control", "no-store"),
            Map.of("who", "me"),
            Map.of());
    BackendWrite written = put("odd + é key", attributes, "hello");

    try (BackendRead read =
        backend.read(key("odd + é key"), Optional.empty(), 0, Long.MAX_VALUE, Optional.empty())) {
      assertThat(read.body().readAllBytes()).isEqualTo("hello".getBytes(UTF_8));
      assertThat(read.object().etag()).isEqualTo(written.etag()).doesNotContain("\"");
      assertThat(read.object().attributes().userMetadata()).containsEntry("who", "me");
      assertThat(read.object().attributes().headers())
          .containsEntry("content-type", "image/png")
          .containsEntry("cache-control", "no-store");
    }
  }

  @Test
  void aRangeTellsTheSizeOfTheWhole() throws IOException {
    put("key", ObjectAttributes.NONE, "0123456789");

    try (BackendRead read = backend.read(key("key"), Optional.empty(), 2, 4, Optional.empty())) {
      assertThat(read.body().readAllBytes()).isEqualTo("234".getBytes(UTF_8));
      assertThat(read.length()).isEqualTo(3);
      assertThat(read.object().sizeBytes()).isEqualTo(10);
    }
  }

  @Test
  void aReadOfAChangedObjectFails() {
    put("key", ObjectAttributes.NONE, "new");

    assertThat(
            failure(() ->
                backend.read(key("key"), Optional.empty(), 0, 1, Optional.of("0123456789abcdef"))))
        .isInstanceOf(Failure.PreconditionFailed.class);
  }

  @Test
  void aHalfReadBodyIsDroppedWithoutReadingTheRest() {
    backend.put(
        key("large"),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(new byte[10 << 20]),
        10 << 20,
        Preconditions.NONE);

    for (int i = 0; i < BackendLimits.DEFAULT.connectionsMax() + 1; i++) {
      backend.read(key("large"), Optional.empty(), 0, Long.MAX_VALUE, Optional.empty()).close();
    }
  }

  @Test
  void whatIsMissingIsMissing() {
    assertThat(failure(() -> backend.head(key("none"), Optional.empty())))
        .isInstanceOf(Failure.NoSuchKey.class);
    backend.delete(key("none"), Optional.empty(), Preconditions.NONE, false);
  }

  @Test
  void aConditionalPutOnAnExistingKeyFails() {
    put("key", ObjectAttributes.NONE, "first");
    Preconditions absent =
        new Preconditions(List.of(), List.of("*"), OptionalLong.empty(), OptionalLong.empty());

    assertThat(
            failure(() ->
                backend.put(
                    key("key"),
                    ObjectAttributes.NONE,
                    new ByteArrayInputStream(new byte[1]),
                    1,
                    absent)))
        .isInstanceOf(Failure.PreconditionFailed.class);
  }

  @Test
  void aBodyThatFailsHalfWayStoresNothing() {
    InputStream broken =
        new InputStream() {
          private int left = 1000;

          @Override
          public int read(byte[] destination, int offset, int length) throws IOException {
            if (left == 0) {
              throw new IOException("the sender went away");
            }
            int given = Math.min(left, length);
            left -= given;
            return given;
          }

          @Override
          public int read() throws IOException {
            return read(new byte[1], 0, 1) > 0 ? 0 : -1;
          }
        };

    assertThat(
            failure(() ->
                backend.put(key("key"), ObjectAttributes.NONE, broken, 2000, Preconditions.NONE)))
        .isInstanceOf(Failure.BackendFailed.class);
    assertThat(failure(() -> backend.head(key("key"), Optional.empty())))
        .isInstanceOf(Failure.NoSuchKey.class);
  }

  @Test
  void listingsAreRelativeToThePrefixAndNeverRepeatAGroup() {
    for (String name : List.of("a/1", "a/2", "b", "c/1")) {
      put(name, ObjectAttributes.NONE, name);
    }

    ListPage first = backend.list("", "/", "", 1);
    assertThat(names(first)).containsExactly("a/");
    assertThat(first.truncated()).isTrue();
    assertThat(names(backend.list("", "/", "a/", 10))).containsExactly("b", "c/");
    assertThat(names(backend.list("a/", "", "a/1", 10))).containsExactly("a/2");
  }

  @Test
  void anUploadBecomesAnObject() {
    String upload = backend.createUpload(key("parts"), ObjectAttributes.NONE);
    byte[] bytes = new byte[5 << 20];
    String etag =
        backend
            .putPart(key("parts"), upload, 1, new ByteArrayInputStream(bytes), bytes.length)
            .etag();
    assertThat(backend.listParts(key("parts"), upload, 0, 10).parts()).hasSize(1);

    BackendWrite written =
        backend.complete(
            new UploadRequest.Complete(
                SCOPE,
                key("parts"),
                upload,
                List.of(new CompletedPart(1, etag, List.of())),
                OptionalLong.empty(),
                Optional.empty(),
                Preconditions.NONE));

    assertThat(written.etag()).endsWith("-1");
    assertThat(backend.head(key("parts"), Optional.empty()).sizeBytes()).isEqualTo(5 << 20);
  }

  @Test
  void aBackendThatIsNotThereIsUnreachable() {
    BackendSettings nowhere =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "b", "", "a", "s");
    BackendLimits once = new BackendLimits(1, Duration.ofSeconds(1), Duration.ofSeconds(1), 1);
    try (Backend gone = S3Backend.open(nowhere, once)) {
      BackendException thrown =
          catchThrowableOfType(
              BackendException.class, () -> gone.head(key("key"), Optional.empty()));
      assertThat(thrown.unreachable()).isTrue();
      assertThat(thrown).hasMessageContaining("s3://b/ at http://127.0.0.1:1");
    }
  }

  private BackendWrite put(String name, ObjectAttributes attributes, String content) {
    byte[] bytes = content.getBytes(UTF_8);
    return backend.put(
        key(name), attributes, new ByteArrayInputStream(bytes), bytes.length, Preconditions.NONE);
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of(name);
  }

  private static List<String> names(ListPage page) {
    return page.entries().stream().map(entry -> new String(entry.orderBytes(), UTF_8)).toList();
  }

  private static Failure failure(Runnable call) {
    return catchThrowableOfType(BackendException.class, call::run).failure();
  }
}
