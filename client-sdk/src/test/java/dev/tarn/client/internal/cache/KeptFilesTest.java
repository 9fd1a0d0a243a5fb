package dev.tarn.client.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class KeptFilesTest {
  private static final int LENGTH = 100;

  @TempDir Path directory;

  private CacheFolder cache;

  @BeforeEach
  void open() throws IOException {
    cache = CacheFolder.open(directory.resolve("cache"));
  }

  private KeptFiles files(int countMax) throws IOException {
    return new KeptFiles(cache, "files", (long) countMax * LENGTH);
  }

  private static String name(int number) {
    return "%064x.bin".formatted(number);
  }

  /** Puts a file, as if it had been used so many minutes ago. */
  private void put(KeptFiles files, int number, int minutes) throws IOException {
    files.write(name(number), ByteBuffer.allocate(LENGTH));
    age(files.path(name(number)), Duration.ofMinutes(minutes));
  }

  private static void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  private static byte[] get(KeptFiles files, int number) throws IOException {
    return files.get(
        name(number),
        file -> Optional.of(Files.readAllBytes(file)),
        () -> {
          byte[] made = new byte[LENGTH];
          files.write(name(number), ByteBuffer.wrap(made));
          return made;
        });
  }

  @Test
  void longestUnusedGoWhenThereAreTooMany() throws IOException {
    try (KeptFiles files = files(2)) {
      for (int number = 0; number < 3; number++) {
        put(files, number, 30 - number);
      }
      assertThat(get(files, 0)).hasSize(LENGTH);
      assertThat(files.need(List.of())).isEmpty();
      assertThat(files.path(name(0))).exists();
      assertThat(files.path(name(1))).doesNotExist();
      assertThat(files.path(name(2))).exists();
    }
  }

  @Test
  void whatSomebodyNeedsStaysUntilItIsClosed() throws IOException {
    try (KeptFiles other = files(0)) {
      try (KeptFiles files = files(0)) {
        put(files, 0, 10);
        assertThat(files.need(List.of(name(0)))).isEmpty();
        assertThat(other.need(List.of())).isEmpty();
        assertThat(files.path(name(0))).exists();
      }
      assertThat(other.need(List.of(name(0)))).isEmpty();
    }
    try (KeptFiles files = files(0)) {
      assertThat(files.need(List.of())).isEmpty();
      assertThat(files.path(name(0))).doesNotExist();
    }
  }

  @Test
  void whatWentJustBeforeIsToldToWhoNeedsIt() throws IOException {
    try (KeptFiles files = files(1)) {
      put(files, 0, 10);
      assertThat(files.need(List.of(name(0), name(1)))).containsExactly(name(1));
    }
  }

  @Test
  void filesOfOthersAndWhatIsBeingWrittenStay() throws IOException {
    try (KeptFiles files = files(0)) {
      Path mine = Files.writeString(files.path("thesis.txt"), "years of work");
      Path part = Files.writeString(files.path(name(0) + ".part-1"), "begun");
      Path leftover = Files.writeString(files.path(name(0) + ".part-2"), "begun");
      age(leftover, Duration.ofDays(2));
      assertThat(files.need(List.of())).isEmpty();
      assertThat(mine).hasContent("years of work");
      assertThat(part).exists();
      assertThat(leftover).doesNotExist();
    }
  }

  @Test
  void oneAtATimeMakesAFileAlsoWhenOthersFail() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    AtomicInteger makers = new AtomicInteger();
    AtomicInteger made = new AtomicInteger();
    try (KeptFiles files = files(8)) {
      List<Future<Boolean>> outcomes = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        outcomes.add(threads.submit(() -> attempt(files, makers, made)));
      }
      int failures = 0;
      for (Future<Boolean> outcome : outcomes) {
        failures += outcome.get() ? 0 : 1;
      }
      assertThat(failures).isEqualTo(3);
      assertThat(made).hasValue(4);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whoNamesTheFolderByALinkWaitsForWhoNamesItDirectly() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("cache"));
    try (KeptFiles files = files(8);
        KeptFiles linked = new KeptFiles(CacheFolder.open(link), "files", 8 * LENGTH)) {
      FutureTask<byte[]> other = new FutureTask<>(() -> get(linked, 0));
      Thread thread = new Thread(other);
      byte[] made =
          files.get(
              name(0),
              file -> Optional.empty(),
              () -> {
                thread.start();
                while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
                  Thread.onSpinWait();
                }
                files.write(name(0), ByteBuffer.wrap(new byte[] {7}));
                return new byte[] {7};
              });
      assertThat(other.get()).isEqualTo(made);
    }
  }

  @Test
  @Timeout(60)
  void filesAreMadeWhileOneOfAnotherKindIs() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (KeptFiles files = files(8)) {
      int made =
          files.get(
              "%064x.keys".formatted(7),
              file -> Optional.empty(),
              () -> {
                Future<Integer> others =
                    thread.submit(() -> {
                      int bytes = 0;
                      for (int number = 0; number < 300; number++) {
                        bytes += get(files, number).length;
                      }
                      return bytes;
                    });
                try {
                  return others.get(30, TimeUnit.SECONDS);
                } catch (ExecutionException | TimeoutException e) {
                  throw new IOException(e);
                } catch (InterruptedException e) {
                  throw new InterruptedIOException();
                }
              });
      assertThat(made).isEqualTo(300 * LENGTH);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  @Timeout(60)
  void hardlyAnyOfManyFilesWaitsForAnother() throws Exception {
    int count = 200;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CountDownLatch under = new CountDownLatch(count * 9 / 10);
    try (KeptFiles files = files(count)) {
      List<Future<Boolean>> outcomes = new ArrayList<>();
      for (int number = 0; number < count; number++) {
        String name = name(number);
        outcomes.add(
            threads.submit(() ->
                files.get(
                    name,
                    file -> Optional.empty(),
                    () -> {
                      under.countDown();
                      return await(under);
                    })));
      }
      for (Future<Boolean> outcome : outcomes) {
        assertThat(outcome.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static boolean await(CountDownLatch latch) throws InterruptedIOException {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException().initCause(e);
    }
  }

  /** The first three fail. */
  private static boolean attempt(KeptFiles files, AtomicInteger makers, AtomicInteger made)
      throws IOException {
    try {
      return files.get(
          name(0),
          file -> Files.exists(file) ? Optional.of(true) : Optional.empty(),
          () -> {
            assertThat(makers.incrementAndGet()).isEqualTo(1);
            try {
              if (made.incrementAndGet() <= 3) {
                throw new IOException("no luck");
              }
              files.write(name(0), ByteBuffer.allocate(LENGTH));
              return true;
            } finally {
              makers.decrementAndGet();
            }
          });
    } catch (IOException e) {
      return false;
    }
  }
}
