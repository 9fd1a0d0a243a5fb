package dev.tarn.e2e.rack;

import dev.tarn.e2e.rack.KeyHistory.Span;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Writers, and a reader that also lists, each call through any of the gateways. Whatever is read or
 * listed is held against what was acknowledged before; calls may fail, but only as unavailable.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int KEYS_OF_A_WRITER = 100;
  private static final int READS_BETWEEN_LISTINGS = 10;
  private static final int UNAVAILABLE = 503;

  private final List<S3Client> gateways;
  private final String bucket;
  private final String prefix;
  private final List<Counters> counters;
  private final List<KeyHistory> histories = new CopyOnWriteArrayList<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  private record Counters(AtomicLong succeeded, AtomicLong unavailable, AtomicLong broken) {}

  /** Starts. */
  SteadyLoad(List<S3Client> gateways, String bucket, String prefix, long seed) {
    this.gateways = List.copyOf(gateways);
    this.bucket = bucket;
    this.prefix = prefix;
    this.counters =
        gateways.stream()
            .map(_ -> new Counters(new AtomicLong(), new AtomicLong(), new AtomicLong()))
            .toList();
    for (int writer = 0; writer < WRITERS; writer++) {
      String folder = prefix + "w" + writer + "/";
      Random random = new Random(seed + writer);
      KeyHistory[] keys = new KeyHistory[KEYS_OF_A_WRITER];
      begin("writer", () -> write(folder, keys, random));
    }
    Random reading = new Random(seed + WRITERS);
    begin("reader", () -> read(reading));
  }

  private void begin(String name, Runnable step) {
    Thread thread =
        Thread.ofPlatform()
            .name("load-" + name)
            .start(() -> {
              try {
                while (!ending) {
                  step.run();
                }
              } catch (RuntimeException e) {
                violations.add(name + " ended: " + e);
              }
            });
    threads.add(thread);
  }

  private void write(String folder, KeyHistory[] keys, Random random) {
    int index = random.nextInt(keys.length);
    KeyHistory present = keys[index];
    if (present == null || present.isClosed()) {
      present = new KeyHistory(folder + index + "-" + histories.size());
      keys[index] = present;
      histories.add(present);
    }
    KeyHistory history = present;
    int version = history.begin();
    boolean acknowledged =
        call(
            random.nextInt(gateways.size()),
            s3 -> {
              if (KeyHistory.isPresent(version)) {
                s3.putObject(
                    put -> put.bucket(bucket).key(history.key()),
                    RequestBody.fromBytes(history.content(version)));
              } else {
                s3.deleteObject(delete -> delete.bucket(bucket).key(history.key()));
              }
            });
    if (acknowledged) {
      history.acknowledge(version);
    } else {
      history.close();
    }
  }

  private void read(Random random) {
    int gateway = random.nextInt(gateways.size());
    if (histories.isEmpty() || random.nextInt(READS_BETWEEN_LISTINGS) == 0) {
      list(gateway);
    } else {
      read(histories.get(random.nextInt(histories.size())), gateway);
    }
  }

  private void read(KeyHistory history, int gateway) {
    int acknowledged = history.acknowledged();
    call(
        gateway,
        s3 -> {
          String wrong;
          try {
            byte[] content =
                s3.getObjectAsBytes(get -> get.bucket(bucket).key(history.key())).asByteArray();
            wrong = history.judge(content, history.since(acknowledged));
          } catch (NoSuchKeyException e) {
            wrong = history.judgeAbsence(history.since(acknowledged));
          }
          if (!wrong.isEmpty()) {
            violations.add(wrong);
          }
        });
  }

  private void list(int gateway) {
    List<KeyHistory> known = List.copyOf(histories);
    Map<KeyHistory, Integer> acknowledged =
        known.stream().collect(Collectors.toMap(key -> key, KeyHistory::acknowledged));
    call(
        gateway,
        s3 -> {
          Set<String> listed = new HashSet<>();
          s3.listObjectsV2Paginator(list -> list.bucket(bucket).prefix(prefix)).contents().stream()
              .map(S3Object::key)
              .forEach(listed::add);
          acknowledged.forEach((history, before) -> {
            Span span = history.since(before);
            boolean isListed = listed.contains(history.key());
            if (isListed ? !span.mayBePresent() : !span.mayBeAbsent()) {
              violations.add(
                  history.key() + (isListed ? " is" : " is not") + " listed, but is " + span);
            }
          });
        });
  }

  /** Whether it succeeded; a failure that is not one of being unavailable is a violation. */
  private boolean call(int gateway, Consumer<S3Client> operation) {
    Counters ended = counters.get(gateway);
    try {
      operation.accept(gateways.get(gateway));
      ended.succeeded.incrementAndGet();
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == UNAVAILABLE) {
        ended.unavailable.incrementAndGet();
      } else {
        violations.add("gateway " + (gateway + 1) + " answered " + e);
      }
    } catch (SdkClientException _) {
      ended.broken.incrementAndGet();
    }
    return false;
  }

  /** How the calls so far ended. */
  Tally tally() {
    return new Tally(
        counters.stream()
            .map(calls ->
                new Tally.Calls(calls.succeeded.get(), calls.unavailable.get(), calls.broken.get()))
            .toList());
  }

  /** Ends the load and reads every key once more through each gateway; gives all that was wrong. */
  List<String> verify() {
    close();
    Tally before = tally();
    for (int gateway = 0; gateway < gateways.size(); gateway++) {
      int through = gateway;
      histories.parallelStream().forEach(history -> read(history, through));
      list(through);
    }
    if (tally().minus(before).failed() > 0) {
      violations.add("keys could not be read at the end");
    }
    return List.copyOf(violations);
  }

  /** How many keys it has written. */
  int keys() {
    return histories.size();
  }

  @Override
  public void close() {
    ending = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
