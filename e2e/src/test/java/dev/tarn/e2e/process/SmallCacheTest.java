package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A cache that is smaller than the data behind it, and is killed while it is read. {@code
 * -Dtarn.small.disk=FOLDER} adds a test on a file system of 512 MiB, which {@code .ci/full disk}
 * makes.
 */
class SmallCacheTest {
  private static final long OBJECT = 4 << 20;
  private static final int OBJECTS = 20;

  /** More than a file system of 512 MiB has room for. */
  private static final int ON_SMALL_DISK = 150;

  /** Half of the objects, with what their files have besides. */
  private static final long CACHE = OBJECTS / 2 * (OBJECT + (8 << 10));

  @TempDir private Path folder;

  private TarnProcess origin;
  private TarnProcess cache;
  private S3Client s3;

  @BeforeEach
  void start() throws Exception {
    Path originFolder = Files.createDirectory(folder.resolve("origin"));
    origin = TarnProcess.start(originFolder);
    try (S3Client uploads = origin.openS3Client()) {
      uploads.createBucket(bucket -> bucket.bucket("origin"));
      for (int i = 0; i < OBJECTS; i++) {
        String key = key(i);
        uploads.putObject(put -> put.bucket("origin").key(key), RequestBody.fromBytes(bytes(i)));
      }
    }
    Files.createDirectory(folder.resolve("cache"));
    startCache(folder.resolve("cache"), CACHE);
    CachedBuckets.create("cached", "origin", origin, cache.admin(), folder);
  }

  private void startCache(Path at, long bytesMax) throws IOException {
    cache = TarnProcess.start(at, "--set", "target.store.cache.bytes-max=" + bytesMax);
    s3 = cache.openS3Client();
  }

  @AfterEach
  void stop() {
    s3.close();
    cache.close();
    origin.close();
  }

  @Test
  void hotSetIsServedFromTheCacheAlsoAfterAKill() throws Exception {
    List<Integer> hot = new ArrayList<>(List.of(0, 3, 6, 9, 12, 15, 18));
    read(hot);
    long fetched = fetchedBytes();
    assertThat(fetched).isBetween(hot.size() * OBJECT, hot.size() * OBJECT * 102 / 100);

    for (int pass = 0; pass < 4; pass++) {
      read(hot);
    }
    assertThat(fetchedBytes() - fetched).isLessThan(4L * hot.size() * OBJECT / 100);

    restartAfterKill();
    read(hot);
    assertThat(fetchedBytes()).isLessThan(hot.size() * OBJECT / 100);
  }

  @Test
  void shuffledEpochsAreServedFromThePartThatFitsAlsoAfterAKill() throws Exception {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < OBJECTS; i++) {
      order.add(i);
    }
    read(order);
    long first = fetchedBytes();
    long all = OBJECTS * OBJECT;
    assertThat(first).isBetween(all, all * 102 / 100);

    Random random = new Random(5);
    for (int epoch = 0; epoch < 3; epoch++) {
      Collections.shuffle(order, random);
      read(order);
    }
    assertThat(hitBytes()).isGreaterThan(3 * all / 2 * 9 / 10);

    restartAfterKill();
    for (int epoch = 0; epoch < 2; epoch++) {
      Collections.shuffle(order, random);
      read(order);
    }
    assertThat(hitBytes()).isGreaterThan(2 * all / 2 * 9 / 10);
    assertThat(cachedBytes()).isLessThanOrEqualTo(CACHE);
  }

  @Test
  @EnabledIfSystemProperty(named = "tarn.small.disk", matches = ".+")
  void primaryPutsTakeTheRoomOfTheCacheOnASmallDisk() throws Exception {
    Path small = Path.of(System.getProperty("tarn.small.disk"));
    s3.close();
    cache.close();
    startCache(small, 0);
    CachedBuckets.create("cached", "origin", origin, cache.admin(), folder);
    s3.createBucket(bucket -> bucket.bucket("primary"));
    for (int i = OBJECTS; i < ON_SMALL_DISK; i++) {
      String key = key(i);
      byte[] bytes = bytes(i);
      try (S3Client uploads = origin.openS3Client()) {
        uploads.putObject(put -> put.bucket("origin").key(key), RequestBody.fromBytes(bytes));
      }
    }
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < ON_SMALL_DISK; i++) {
      all.add(i);
    }
    read(all);
    read(all);
    assertThat(hitBytes()).isGreaterThan(cachedBytes() * 9 / 10);

    int puts = 0;
    while (cachedBytes() > 2 * OBJECT) {
      int number = puts++;
      s3.putObject(
          put -> put.bucket("primary").key(key(number)), RequestBody.fromBytes(bytes(number)));
      if (number == 20) {
        s3.close();
        cache.kill();
        startCache(small, 0);
      }
      read(all.subList(number % ON_SMALL_DISK, number % ON_SMALL_DISK + 1));
    }

    assertThat(puts).isGreaterThan(50);
    for (int i = 0; i < puts; i++) {
      int number = i;
      byte[] read =
          s3.getObjectAsBytes(get -> get.bucket("primary").key(key(number))).asByteArray();
      assertThat(Arrays.equals(read, bytes(number))).isTrue();
    }
  }

  @Test
  void ofAPinnedPrefixThatIsLargerThanTheDiskAPartStays() throws Exception {
    CachedBuckets.create("other", "origin", origin, cache.admin(), folder);
    CachedBuckets.bucketCommand(
        cache.admin(), folder, "cache-rule", "add", "cached", "--prefix=shard-", "--mode=pin");
    List<Integer> all = IntStream.range(0, OBJECTS).boxed().toList();
    read(all);
    read(all); // The rule may have come to the disk after the first reads.
    read(all);
    long pinned = cachedBytesOf("cached");
    assertThat(pinned).isBetween(CACHE * 8 / 10, CACHE);
    for (int pass = 0; pass < 4; pass++) {
      for (int object : all) {
        s3.getObjectAsBytes(get -> get.bucket("other").key(key(object)));
      }
    }

    assertThat(cachedBytesOf("cached")).isEqualTo(pinned);
  }

  @Test
  void boundOfABucketIsKeptAndMayBeLoweredWhileItIsFull() throws Exception {
    List<Integer> all = IntStream.range(0, OBJECTS).boxed().toList();
    CachedBuckets.bucketCommand(
        cache.admin(), folder, "set", "cached", "--cache-max=" + 4 * (OBJECT + (8 << 10)));
    read(all);
    awaitCachedBytes(4 * (OBJECT + (8 << 10)));
    read(all);
    assertThat(cachedBytes()).isBetween(2 * OBJECT, 4 * (OBJECT + (8 << 10)));

    CachedBuckets.bucketCommand(
        cache.admin(), folder, "set", "cached", "--cache-max=" + 2 * (OBJECT + (8 << 10)));
    awaitCachedBytes(2 * (OBJECT + (8 << 10)));
  }

  @Test
  void bytesOfADeletedBucketAreGoneSoon() throws Exception {
    read(IntStream.range(0, OBJECTS).boxed().toList());
    assertThat(cachedBytes()).isPositive();

    CachedBuckets.bucketCommand(cache.admin(), folder, "delete", "cached");
    awaitCachedBytes(0);

    CachedBuckets.create("cached", "origin", origin, cache.admin(), folder);
    read(List.of(1));
    assertThat(cachedBytes()).isBetween(OBJECT, 2 * OBJECT);
  }

  /** Waits until the cache has at most so many bytes. */
  private void awaitCachedBytes(long most) throws IOException {
    Instant end = Instant.now().plusSeconds(60);
    while (cachedBytes() > most) {
      assertThat(Instant.now()).isBefore(end);
    }
  }

  private void restartAfterKill() throws IOException {
    s3.close();
    cache.kill();
    startCache(folder.resolve("cache"), CACHE);
  }

  private void read(List<Integer> objects) {
    for (int object : objects) {
      byte[] read = s3.getObjectAsBytes(get -> get.bucket("cached").key(key(object))).asByteArray();
      assertThat(Arrays.equals(read, bytes(object))).isTrue();
    }
  }

  private static String key(int object) {
    return "shard-%04d.tar".formatted(object);
  }

  private static byte[] bytes(int object) {
    byte[] bytes = new byte[(int) OBJECT];
    new Random(object).nextBytes(bytes);
    return bytes;
  }

  private long fetchedBytes() throws IOException {
    return metric("tarn_cache_fetched_bytes_total");
  }

  private long hitBytes() throws IOException {
    return metric("tarn_cache_hit_bytes_total");
  }

  private long cachedBytes() throws IOException {
    return metric("tarn_store_cached_bytes");
  }

  /** The bytes that the disk has of a bucket in its cache. */
  private long cachedBytesOf(String bucket) throws IOException {
    return ClusterOfProcesses.admin(cache)
        .call("GET", "/status", null)
        .getJsonArray("targets")
        .getJsonObject(0)
        .getJsonArray("disks")
        .getJsonObject(0)
        .getJsonArray("cached")
        .stream()
        .map(JsonObject.class::cast)
        .filter(part -> part.getString("bucket").equals(bucket))
        .mapToLong(part -> part.getLong("bytes"))
        .sum();
  }

  /** The sum of a metric over all disks. */
  private long metric(String name) throws IOException {
    try (InputStream metrics = cache.admin().resolve("/metrics").toURL().openStream()) {
      List<String> lines =
          new String(metrics.readAllBytes(), UTF_8)
              .lines()
              .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
              .toList();
      assertThat(lines).as(name).isNotEmpty();
      return lines.stream()
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }
}
