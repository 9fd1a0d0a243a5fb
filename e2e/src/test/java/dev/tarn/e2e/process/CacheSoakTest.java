package dev.tarn.e2e.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Reads and writes of ten times what a cache may have: shards by epochs, popular small objects, and
 * primary objects that come and go. {@code -Dtarn.soak.seconds} says for how long; {@code
 * -Dtarn.small.disk} names a file system of 512 MiB whose watermarks bound the cache.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS)
class CacheSoakTest {
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("tarn.soak.seconds", 10));

  /** From this time on the memory of the process is compared. */
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Disks are measured more often than this. */
  private static final Duration STILL = Duration.ofSeconds(8);

  private static final int SHARDS = LONG.compareTo(TIME) <= 0 ? 500 : 20;
  private static final int SHARD = 9 << 20;
  private static final int SMALL_OBJECTS = 20 * SHARDS;
  private static final int SMALL = 8 << 10;
  private static final long CACHE = ((long) SHARDS * SHARD + (long) SMALL_OBJECTS * SMALL) / 10;
  private static final int READERS = 3;

  private static final Optional<Path> SMALL_DISK =
      Optional.ofNullable(System.getProperty("tarn.small.disk")).map(Path::of);

  /** The whole heap is resident from the start, so that what grows is not the heap. */
  private static final List<String> HEAP_IN_MEMORY =
      List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final long RESERVE = 32 << 20;
  private static final double HIGH = 0.9;
  private static final double LOW = 0.7;

  /** What is being written, and what has left and is still open. */
  private static final long MOVING_MAX = 48 << 20;

  /** Records of small objects that have left wait for compaction. */
  private static final long WAITING_MAX = CACHE / 4;

  @TempDir private Path folder;

  private TarnProcess origin;
  private TarnProcess cache;
  private final AtomicLong reads = new AtomicLong();

  @BeforeEach
  void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    try (S3Client uploads = origin.openS3Client()) {
      uploads.createBucket(bucket -> bucket.bucket("origin"));
      for (int i = 0; i < SHARDS; i++) {
        put(uploads, "origin", shard(i), SHARD);
      }
      for (int i = 0; i < SMALL_OBJECTS; i++) {
        put(uploads, "origin", small(i), SMALL);
      }
    }
    startCache();
    CachedBuckets.create("cached", "origin", origin, cache.admin(), folder);
    try (S3Client s3 = cache.openS3Client()) {
      s3.createBucket(bucket -> bucket.bucket("primary"));
    }
  }

  @AfterEach
  void stop() {
    cache.close();
    origin.close();
  }

  @Test
  void cacheKeepsItsBoundsItsMemoryAndItsTable() throws Exception {
    List<Long> memory = soak();

    assertThat(reads.get()).isPositive();
    if (SMALL_DISK.isPresent()) {
      assertThat(usedBytes()).isGreaterThan(bytesAt(LOW) - MOVING_MAX);
    }
    if (TIME.compareTo(LONG) >= 0) {
      assertThat(greatest(memory, 3))
          .as("resident memory")
          .isLessThan(greatest(memory, 1) * 11 / 10);
    }
    awaitStill();
    long table = cachedBytes();
    assertThat(cache.stop()).isZero();
    startCache(); // It finds what is cached by a walk.
    assertThat(cachedBytes()).isBetween(table * 99 / 100, table * 101 / 100);
  }

  private void startCache() throws IOException {
    Path data = Files.createDirectories(SMALL_DISK.orElse(folder).resolve("soak"));
    cache =
        SMALL_DISK.isPresent()
            ? start(
                data,
                "--set=target.store.reserve-bytes=" + RESERVE,
                "--set=target.store.cache.high-watermark=" + HIGH,
                "--set=target.store.cache.low-watermark=" + LOW)
            : start(data, "--set=target.store.cache.bytes-max=" + CACHE);
  }

  private static TarnProcess start(Path data, String... options) throws IOException {
    return TarnProcess.startAt("127.0.0.1:0", data, List.of(), HEAP_IN_MEMORY, options);
  }

  /** The cache is as large as it may be, about. */
  private void checkBounds() throws IOException {
    if (SMALL_DISK.isPresent()) {
      assertThat(usedBytes()).isLessThan(bytesAt(HIGH) + MOVING_MAX);
    } else {
      assertThat(cachedBytes()).isLessThan(CACHE + WAITING_MAX);
    }
  }

  private static long usedBytes() throws IOException {
    FileStore disk = Files.getFileStore(SMALL_DISK.orElseThrow());
    return disk.getTotalSpace() - disk.getUsableSpace();
  }

  private static long bytesAt(double watermark) throws IOException {
    long total = Files.getFileStore(SMALL_DISK.orElseThrow()).getTotalSpace();
    return (long) (total * watermark) - RESERVE;
  }

  /** Reads and writes for the time; returns the resident memory of each second. */
  private List<Long> soak() throws Exception {
    Instant end = Instant.now().plus(TIME);
    List<Long> memory = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> readers = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int number = reader;
        readers.add(threads.submit(() -> read(number, end)));
      }
      readers.add(threads.submit(() -> writePrimary(end)));
      while (Instant.now().isBefore(end)) {
        checkBounds();
        memory.add(residentBytes());
        for (Future<Boolean> reader : readers) {
          if (reader.isDone()) {
            reader.get();
          }
        }
      }
      for (Future<Boolean> reader : readers) {
        reader.get();
      }
    }
    return memory;
  }

  private boolean read(int seed, Instant end) {
    Random random = new Random(seed);
    List<Integer> order = new ArrayList<>();
    try (S3Client s3 = cache.openS3Client()) {
      while (Instant.now().isBefore(end)) {
        if (order.isEmpty()) {
          for (int i = seed; i < SHARDS; i += READERS) {
            order.add(i);
          }
          Collections.shuffle(order, random);
        }
        check(s3, "cached", shard(order.removeLast()), SHARD);
        for (int i = 0; i < 20; i++) {
          int popular = (int) (SMALL_OBJECTS * Math.pow(random.nextDouble(), 3));
          check(s3, "cached", small(popular), SMALL);
        }
      }
    }
    return true;
  }

  /** Writes, reads and deletes objects of a bucket without a backend. */
  private boolean writePrimary(Instant end) {
    Random random = new Random(99);
    try (S3Client s3 = cache.openS3Client()) {
      for (int i = 0; Instant.now().isBefore(end); i++) {
        String key = "primary-" + i % 50;
        int size = random.nextBoolean() ? SMALL : SHARD / 4;
        put(s3, "primary", key, size);
        check(s3, "primary", key, size);
        if (i % 3 == 0) {
          s3.deleteObject(delete -> delete.bucket("primary").key(key));
        }
      }
    }
    return true;
  }

  private static void put(S3Client s3, String bucket, String key, int size) {
    s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromBytes(bytes(key, size)));
  }

  private void check(S3Client s3, String bucket, String key, int size) {
    byte[] read = s3.getObjectAsBytes(get -> get.bucket(bucket).key(key)).asByteArray();
    assertThat(Arrays.equals(read, bytes(key, size))).as(key).isTrue();
    reads.incrementAndGet();
  }

  private static String shard(int number) {
    return "shard-%05d.tar".formatted(number);
  }

  private static String small(int number) {
    return "small/%06d".formatted(number);
  }

  private static byte[] bytes(String key, int size) {
    byte[] bytes = new byte[size];
    new Random(key.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** The greatest of a quarter of the values. */
  private static long greatest(List<Long> values, int quarter) {
    return values.subList(values.size() * quarter / 4, values.size() * (quarter + 1) / 4).stream()
        .mapToLong(Long::longValue)
        .max()
        .orElseThrow();
  }

  private long residentBytes() throws IOException {
    String status = Files.readString(Path.of("/proc/" + cache.handle().pid() + "/status"));
    return status
        .lines()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
  }

  /** Waits until nothing leaves the cache any more: for longer than between two measurements. */
  private void awaitStill() throws IOException {
    long bytes = cachedBytes();
    Instant since = Instant.now();
    while (since.plus(STILL).isAfter(Instant.now())) {
      long now = cachedBytes();
      since = now == bytes ? since : Instant.now();
      bytes = now;
    }
  }

  private long cachedBytes() throws IOException {
    try (InputStream metrics = cache.admin().resolve("/metrics").toURL().openStream()) {
      return new String(metrics.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> line.startsWith("tarn_store_cached_bytes{"))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }
}
