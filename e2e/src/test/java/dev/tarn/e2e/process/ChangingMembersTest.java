package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.fixtures.Rounds;
import dev.tarn.standalone.client.AdminClient;
import dev.tarn.standalone.client.AdminRequestException;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Targets that are added, taken out and in, and removed, while clients read and write. */
@Timeout(300)
final class ChangingMembersTest {
  private static final String BUCKET = "primary";
  private static final String CACHED = "cached";
  private static final int SLOTS = 4096;

  /** In slots of their own, by and large. */
  private static final List<String> KEYS =
      IntStream.range(0, 60).mapToObj("train/%02d.jpg"::formatted).toList();

  /** The state of a target after a command. */
  private static final Map<String, String> STATES =
      Map.of("out", "out of service", "in", "in service");

  @TempDir private Path folder;

  private TarnProcess origin;
  private ClusterOfProcesses cluster;
  private AdminClient admin;
  private S3Client s3;

  @BeforeEach
  void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    cluster =
        new ClusterOfProcesses(
            folder, 1, List.of("a", "b"), ClusterOfProcesses.NO_TARGET_IS_AWAITED);
    admin = ClusterOfProcesses.admin(cluster.gateway());
    s3 = cluster.gateway().openS3Client();
    s3.createBucket(bucket -> bucket.bucket(BUCKET));
    try (S3Client uploads = origin.openS3Client()) {
      uploads.createBucket(bucket -> bucket.bucket("origin"));
      KEYS.forEach(key -> put(uploads, "origin", key));
    }
    CachedBuckets.create(CACHED, "origin", origin, cluster.gateway().admin(), folder);
  }

  @AfterEach
  void stop() {
    s3.close();
    cluster.close();
    origin.close();
  }

  @Test
  void addedTargetTakesWhatIsEmptyAndItsShareOfCachedSlotsAndNoObjectIsMissed() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    cluster.startNewTarget("c");
    await("c", target -> target.getString("state").equals("announced"));
    change("c", "add");
    await("c", target -> target.getInteger("primary_slots") > SLOTS / 3 - KEYS.size());

    JsonObject added = target("c");
    assertThat(added.getInteger("cached_slots")).isBetween(SLOTS / 3, SLOTS / 3 + 1);
    int kept =
        target("a").getInteger("primary_slots_to_give")
            + target("b").getInteger("primary_slots_to_give");
    assertThat(kept).isPositive();
    assertThat(kept + added.getInteger("primary_slots")).isBetween(SLOTS / 3, SLOTS / 3 + 1);
    assertThat(listed()).containsExactlyElementsOf(KEYS);
    KEYS.forEach(key -> assertThat(get(BUCKET, key)).isEqualTo(content(key)));
    KEYS.forEach(key -> put(s3, BUCKET, "new/" + key));
    assertThat(listed()).hasSize(2 * KEYS.size());
  }

  @Test
  void noCallToASlotThatStaysFailsWhileTargetsComeAndGo() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    cluster.startNewTarget("c");
    await("c", target -> target.getString("state").equals("announced"));
    AtomicBoolean ends = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients =
          IntStream.range(0, 4)
              .<Future<?>>mapToObj(client -> threads.submit(() -> readAndWrite(client, ends)))
              .toList();
      change("c", "add");
      for (int round = 0; round < Rounds.of(10); round++) {
        change("c", "out");
        change("c", "in");
      }
      ends.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
    }
  }

  @Test
  void othersServeTheCachedKeysOfATargetThatIsOutAndItsPrimaryKeysWait() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    KEYS.forEach(key -> assertThat(get(CACHED, key)).isEqualTo(content(key)));
    JsonObject out = target(change("b", "out"), "b");

    assertThat(out.getString("state")).isEqualTo("out of service");
    assertThat(out.getInteger("cached_slots")).isZero();
    KEYS.forEach(key -> assertThat(get(CACHED, key)).isEqualTo(content(key)));
    assertThat(KEYS.stream().filter(this::isUnavailable).count()).isBetween(10L, 50L);
    assertThatThrownBy(this::listed)
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(503));

    admin.call("PATCH", "/buckets/" + BUCKET, new JsonObject().put("listing", "partial"));
    assertThat(listed()).hasSizeBetween(10, 50).isSubsetOf(KEYS);
    assertThat(listingHeader()).contains("partial");

    change("b", "in");
    assertThat(listed()).containsExactlyElementsOf(KEYS);
    assertThat(listingHeader()).isEmpty();
    KEYS.forEach(key -> assertThat(get(BUCKET, key)).isEqualTo(content(key)));
  }

  @Test
  void targetThatIsRemovedLosesItsDataAndCannotComeBackWithThem() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    assertThatThrownBy(() -> remove("b"))
        .isInstanceOfSatisfying(
            AdminRequestException.class, e -> assertThat(e.status()).isEqualTo(409))
        .hasMessageContaining("target b is in service; run tarn cluster out b first");
    JsonObject held = admin.call("GET", "/cluster/targets/b", null);
    int lost = held.getJsonArray("primary").getJsonObject(0).getInteger("objects");
    cluster.target("b").kill();

    assertThat(target(change("b", "out"), "b").getString("state")).isEqualTo("leaving");
    remove("b");
    assertThat(listed()).hasSize(KEYS.size() - lost);
    KEYS.forEach(key -> put(s3, BUCKET, key));
    assertThat(listed()).containsExactlyElementsOf(KEYS);

    cluster.startTarget("b");
    awaitLine("b", "was a disk of a target that was removed");
    assertThat(listed()).containsExactlyElementsOf(KEYS);
    assertThat(admin.call("GET", "/cluster", null).encode()).doesNotContain("\"b\"");
  }

  @Test
  void uploadsThatWereOpenWhenATargetJoinedAreCompleted() throws Exception {
    cluster.startNewTarget("c");
    await("c", target -> target.getString("state").equals("announced"));
    List<String> keys = KEYS.subList(0, 20);
    List<String> uploads =
        keys.stream()
            .map(key -> s3.createMultipartUpload(make -> make.bucket(BUCKET).key(key)).uploadId())
            .toList();
    CountDownLatch begun = new CountDownLatch(keys.size());
    CountDownLatch added = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<PutObjectResponse>> puts =
          keys.stream()
              .map(key -> threads.submit(() -> putInHalves("put/" + key, begun, added)))
              .toList();
      begun.await();
      change("c", "add");
      await("c", target -> target.getInteger("primary_slots") > SLOTS / 4);
      added.countDown();
      int completed = 0;
      for (int i = 0; i < keys.size(); i++) {
        String key = "put/" + keys.get(i);
        try {
          puts.get(i).get();
          assertThat(get(BUCKET, key)).isEqualTo(large(key));
          completed++;
        } catch (ExecutionException e) {
          assertThat(e.getCause())
              .isInstanceOfSatisfying(
                  S3Exception.class, refused -> assertThat(refused.statusCode()).isEqualTo(503));
          put(s3, BUCKET, key);
        }
      }
      assertThat(completed).isPositive();
    }
    for (int i = 0; i < keys.size(); i++) {
      complete(keys.get(i), uploads.get(i));
    }
    keys.forEach(key -> assertThat(get(BUCKET, key)).isEqualTo(content(key)));
    assertThat(listed()).hasSize(2 * keys.size());
  }

  private PutObjectResponse putInHalves(String key, CountDownLatch begun, CountDownLatch goesOn) {
    byte[] bytes = large(key).getBytes(UTF_8);
    InputStream secondHalf =
        new ByteArrayInputStream(bytes, bytes.length / 2, bytes.length) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            begun.countDown();
            awaitUninterruptibly(goesOn);
            return super.read(into, offset, length);
          }
        };
    InputStream halves =
        new SequenceInputStream(new ByteArrayInputStream(bytes, 0, bytes.length / 2), secondHalf);
    return s3.putObject(
        put -> put.bucket(BUCKET).key(key), RequestBody.fromInputStream(halves, bytes.length));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void complete(String key, String upload) {
    String etag =
        s3.uploadPart(
                part -> part.bucket(BUCKET).key(key).uploadId(upload).partNumber(1),
                RequestBody.fromString(content(key)))
            .eTag();
    s3.completeMultipartUpload(end ->
        end.bucket(BUCKET)
            .key(key)
            .uploadId(upload)
            .multipartUpload(
                all -> all.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
  }

  @Test
  void commandWhoseAnswerIsLostWithTheControlNodeIsRepeated() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String verb : List.of("out", "in", "out", "in")) {
        Map<Path, Long> before = filesOfControl();
        Future<JsonObject> first = threads.submit(() -> change("b", verb));
        while (filesOfControl().equals(before) && !first.isDone()) {
          Thread.onSpinWait();
        }
        cluster.control().kill();
        cluster.startControl();
        repeat("b", verb);

        assertThat(target("b").getString("state")).isEqualTo(STATES.get(verb));
      }
    }
    await("b", target -> target.getInteger("cached_slots") == SLOTS / 2);
    assertThat(listed()).containsExactlyElementsOf(KEYS);
    KEYS.forEach(key -> assertThat(get(BUCKET, key)).isEqualTo(content(key)));
  }

  @Test
  void ofTwoTargetsThatAreTakenOutAtOnceOneStays() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 5; round++) {
        Future<JsonObject> a = threads.submit(() -> change("a", "out"));
        Future<JsonObject> b = threads.submit(() -> change("b", "out"));
        List<String> refused = new ArrayList<>();
        refusal(a).ifPresent(refused::add);
        refusal(b).ifPresent(refused::add);

        assertThat(refused).singleElement().asString().contains("is the only one in service");
        change("a", "in");
        change("b", "in");
      }
    }
    assertThat(listed()).containsExactlyElementsOf(KEYS);
  }

  /** Gives a command until the control node has carried it out. */
  private void repeat(String id, String verb) throws IOException {
    while (true) {
      try {
        change(id, verb);
        return;
      } catch (AdminRequestException away) {
        assertThat(away.status()).as(away.getMessage()).isEqualTo(503);
      }
    }
  }

  /** The files of the control node with their lengths. */
  private Map<Path, Long> filesOfControl() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("control").resolve("data"))) {
      Map<Path, Long> lengths = new HashMap<>();
      files.filter(Files::isRegularFile).forEach(file -> lengths.put(file, file.toFile().length()));
      return lengths;
    } catch (UncheckedIOException gone) {
      return Map.of(); // A file was replaced meanwhile.
    }
  }

  private static Optional<String> refusal(Future<JsonObject> command) throws Exception {
    try {
      command.get();
      return Optional.empty();
    } catch (ExecutionException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Test
  void processWithTheIdOfAMemberTakesNoneOfItsCalls() throws Exception {
    KEYS.forEach(key -> put(s3, BUCKET, key));
    cluster.startTwin("twin", "b");
    awaitLine("twin", "target b is a member of the cluster map with other disks");

    KEYS.forEach(key -> assertThat(get(BUCKET, key)).isEqualTo(content(key)));
    KEYS.forEach(key -> put(s3, BUCKET, key));
    assertThat(listed()).containsExactlyElementsOf(KEYS);
  }

  private void readAndWrite(int client, AtomicBoolean ends) {
    for (int i = client; !ends.get(); i = (i + 4) % KEYS.size()) {
      put(s3, BUCKET, KEYS.get(i));
      assertThat(get(BUCKET, KEYS.get(i))).isEqualTo(content(KEYS.get(i)));
      assertThat(get(CACHED, KEYS.get(i))).isEqualTo(content(KEYS.get(i)));
    }
  }

  private boolean isUnavailable(String key) {
    try {
      get(BUCKET, key);
      return false;
    } catch (S3Exception e) {
      assertThat(e.statusCode()).isEqualTo(503);
      return true;
    }
  }

  private JsonObject change(String id, String verb) throws IOException {
    return admin.call("POST", "/cluster/targets/" + id + "/" + verb, new JsonObject());
  }

  private void remove(String id) throws IOException {
    admin.call(
        "POST", "/cluster/targets/" + id + "/remove", new JsonObject().put("lose_data", true));
  }

  private JsonObject target(String id) throws IOException {
    return target(admin.call("GET", "/cluster", null), id);
  }

  private static JsonObject target(JsonObject of, String id) {
    return of.getJsonArray("targets").stream()
        .map(JsonObject.class::cast)
        .filter(target -> target.getString("id").equals(id))
        .findFirst()
        .orElseGet(() -> new JsonObject().put("state", "unknown"));
  }

  private void await(String id, Predicate<JsonObject> wanted) throws IOException {
    while (!wanted.test(target(id))) {
      Thread.onSpinWait();
    }
  }

  private void awaitLine(String name, String part) throws IOException {
    while (!Files.readString(folder.resolve(name).resolve("tarn.log")).contains(part)) {
      Thread.onSpinWait();
    }
  }

  private List<String> listed() {
    return s3.listObjectsV2(list -> list.bucket(BUCKET)).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  private Optional<String> listingHeader() {
    return s3.listObjectsV2(list -> list.bucket(BUCKET))
        .sdkHttpResponse()
        .firstMatchingHeader("x-tarn-listing");
  }

  private String get(String bucket, String key) {
    return s3.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asString(UTF_8);
  }

  private static void put(S3Client client, String bucket, String key) {
    client.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString(content(key)));
  }

  /** Larger than what is kept in memory until its end. */
  private static String large(String key) {
    return content(key).repeat(1 << 15);
  }

  private static String content(String key) {
    return "the bytes of " + key;
  }
}
