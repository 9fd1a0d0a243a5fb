package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real S3 server of other people's making, in memory. */
class S3StorageTest {
  private static final AccessKeys KEYS = AccessKeys.of("test-key", "test-secret");
  private static final TransientNio2BlobStore STORE = new TransientNio2BlobStore();
  private static S3Proxy server;

  private Storage storage;
  private StorageUrl bucket;

  @BeforeAll
  static void start() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("s3proxy.endpoint", "http://127.0.0.1:0");
    properties.setProperty("s3proxy.authorization", "aws-v2-or-v4");
    properties.setProperty("s3proxy.identity", KEYS.accessKey());
    properties.setProperty("s3proxy.credential", KEYS.secretKey());
    server =
        S3Proxy.Builder.fromProperties(properties)
            .blobStore(STORE)
            .ignoreUnknownHeaders(true)
            .build();
    server.start();
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
    STORE.close();
  }

  @BeforeEach
  void open() {
    storage = Storage.open(options(KEYS));
    String name = "bucket-" + System.nanoTime();
    STORE.createContainer(name);
    bucket = StorageUrl.parse("s3://" + name);
  }

  @AfterEach
  void close() {
    storage.close();
  }

  @Test
  void uploadsThatKilledWritersLeftAreDiscarded() throws IOException {
    ObjectWriter abandoned = storage.create(bucket.child("data/abandoned"));
    abandoned.write(ByteBuffer.allocate(20 << 20));
    ObjectWriter elsewhere = storage.create(bucket.child("data2/other"));
    elsewhere.write(ByteBuffer.allocate(20 << 20));
    ObjectWriter other = storage.create(bucket.child("data/other"));
    other.write(ByteBuffer.allocate(20 << 20));

    storage.discardUnfinished(bucket.child("data"), Set.of("abandoned", "never begun"));

    assertThatThrownBy(abandoned::commit).isInstanceOf(StorageException.class);
    assertThat(other.commit().size()).isEqualTo(20 << 20);
    assertThat(elsewhere.commit().size()).isEqualTo(20 << 20);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "a b/c+d", "\u00e9/\ud83d\ude00", "q?x=1&y#z", "100%"})
  void keysAreTakenLiterally(String key) throws IOException {
    StorageUrl url = bucket.resolve(key);
    StoredObject written = storage.write(url, ByteBuffer.wrap(key.getBytes(UTF_8)));
    assertThat(storage.readAll(url, 100)).isEqualTo(key.getBytes(UTF_8));
    assertThat(storage.stat(url)).isEqualTo(written);
    assertThat(listed(bucket)).containsExactly(key);
    storage.delete(url);
    assertThat(listed(bucket)).isEmpty();
  }

  @Test
  void listingIsBelowTheFolderAndInTheOrderOfBytes() throws IOException {
    for (String key : List.of("d/b", "d/a/x", "d/a-", "dd/x", "d/", "e")) {
      storage.write(
          new StorageUrl(bucket.scheme(), bucket.authority(), key.replaceAll("/$", "/z")),
          ByteBuffer.wrap(new byte[1]));
    }
    assertThat(listed(bucket.resolve("d"))).containsExactly("a-", "a/x", "b", "z");
  }

  @Test
  void largeObjectsGoInPartsAndAppearAtTheCommit() throws IOException {
    byte[] content = new byte[6 << 20];
    new Random(5).nextBytes(content);
    StorageUrl url = bucket.resolve("large");
    try (ObjectWriter writer = storage.create(url)) {
      for (int at = 0; at < content.length; at += 100_000) {
        writer.write(content, at, Math.min(100_000, content.length - at));
      }
      assertThat(listed(bucket)).isEmpty();
      assertThat(writer.commit().size()).isEqualTo(content.length);
    }
    assertThat(storage.readAll(url, content.length)).isEqualTo(content);
    ByteBuffer range = ByteBuffer.allocate(1000);
    storage.read(url, 5 << 20, range);
    assertThat(range.flip()).isEqualTo(ByteBuffer.wrap(content, 5 << 20, 1000));
  }

  @Test
  void writerClosedWithoutCommitLeavesNothing() throws IOException {
    try (ObjectWriter writer = storage.create(bucket.resolve("large"))) {
      writer.write(new byte[6 << 20]);
    }
    assertThat(listed(bucket)).isEmpty();
  }

  @Test
  void failuresAreToldApart() throws IOException {
    StorageUrl missing = bucket.resolve("missing");
    assertKind(Kind.MISSING, () -> storage.stat(missing));
    assertKind(Kind.MISSING, () -> storage.open(missing));
    assertKind(Kind.MISSING, () -> storage.list(StorageUrl.parse("s3://no-such-bucket/x")));
    storage.write(missing, ByteBuffer.wrap(new byte[10]));
    assertKind(Kind.CHANGED, () -> storage.open(missing, 0, 5, "\"other\""));
    assertKind(Kind.INVALID, () -> storage.open(missing, 11, 20, null));
    assertKind(Kind.INVALID, () -> storage.create(bucket.resolve("folder/")));
    try (Storage stranger = Storage.open(options(AccessKeys.of("test-key", "wrong")))) {
      assertKind(Kind.DENIED, () -> stranger.open(missing));
      assertKind(Kind.DENIED, () -> stranger.list(bucket));
    }
  }

  private interface Call {
    Object run() throws IOException;
  }

  private static void assertKind(Kind kind, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StorageException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }

  private List<String> listed(StorageUrl folder) throws IOException {
    try (Stream<StoredObject> objects = storage.list(folder)) {
      return objects.map(object -> object.url().nameUnder(folder)).toList();
    }
  }

  private static StorageOptions options(AccessKeys keys) {
    return StorageOptions.builder()
        .endpoint(URI.create("http://127.0.0.1:" + server.getPort()))
        .region("us-east-1")
        .credentials(keys)
        .partBytes(5 << 20)
        .retries(new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(1)))
        .build();
  }
}
