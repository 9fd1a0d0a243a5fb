package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Short histories of a disk, each aimed at a moment at which a sync that is missing shows. */
enum Scenario {
  /** The first objects outlive a loss of power, and so do their directories. */
  FIRST_OBJECTS {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      for (int i = 0; i < 4; i++) {
        value(calls.put("small-" + i, bytes(i, 1000)));
        value(calls.put("large-" + i, bytes(i, 20_000)));
      }
      stage.cutPower();
      Calls next = stage.start(Durability.FSYNC);
      for (int i = 0; i < 4; i++) {
        assertThat(value(next.get("small-" + i))).isEqualTo(bytes(i, 1000));
        assertThat(value(next.get("large-" + i))).isEqualTo(bytes(i, 20_000));
      }
    }
  },

  /** Versions, delete markers and deletes of versions outlive a loss of power. */
  VERSIONS {
    @Override
    void run(Stage stage) throws IOException {
      stage.start(Durability.FSYNC);
      Calls calls = stage.versions(Versioning.ENABLED);
      String first = value(calls.put("key", bytes(1, 1000))).versionText();
      String second = value(calls.put("key", bytes(2, 20_000))).versionText();
      value(calls.delete("key", value(calls.put("key", bytes(3, 20_000))).versionText()));
      value(calls.put("back", bytes(4, 1000)));
      value(calls.delete("back", value(calls.delete("back")).versionText()));
      Calls suspended = stage.versions(Versioning.SUSPENDED);
      value(suspended.put("key", bytes(5, 20_000)));
      value(suspended.put("key", bytes(6, 1000)));
      value(suspended.put("hidden", bytes(7, 20_000)));
      value(suspended.delete("hidden"));
      stage.cutPower();
      if (stage.random().nextBoolean()) {
        stage.removeIndex();
      }
      stage.start(Durability.FSYNC);
      Calls next = stage.versions(Versioning.SUSPENDED);
      assertThat(shown(next, "key")).containsExactly("null", second, first);
      assertThat(value(next.get("key", second))).isEqualTo(bytes(2, 20_000));
      assertThat(value(next.get("key"))).isEqualTo(bytes(6, 1000));
      assertThat(shown(next, "hidden")).containsExactly("null deleted");
      assertThat(value(next.get("back"))).isEqualTo(bytes(4, 1000));
    }
  },

  /** The power fails while the disk is made: it is made then, or can be made again. */
  DISK_HALF_MADE {
    @Override
    void run(Stage stage) throws IOException {
      stage.disk().cutPowerAfter(STEPS_OF_MAKING_A_DISK - stage.random().nextInt(12));
      try {
        stage.start(Durability.FSYNC);
      } catch (IOException e) {
        assertThat(stage.disk().isDead()).as("a disk was not made: %s", e).isTrue();
      }
      stage.cutPower();
      Calls calls = stage.start(Durability.FSYNC);
      for (int i = 0; i < 10; i++) {
        value(calls.put("large-" + i, bytes(i, 20_000)));
      }
    }
  },

  /**
   * What a life has found is there in the next one, though it was never acknowledged as durable.
   */
  SEEN_AFTER_A_KILL {
    @Override
    void run(Stage stage) throws IOException {
      value(stage.start(Durability.OS).put("key", bytes(1, 1000)));
      stage.kill();
      assertThat(value(stage.start(Durability.OS).get("key"))).isEqualTo(bytes(1, 1000));
      stage.cutPower();
      assertThat(value(stage.start(Durability.OS).get("key"))).isEqualTo(bytes(1, 1000));
    }
  },

  /** Overwritten without a sync, a key holds the old bytes or the new, whatever the index knows. */
  CHECKPOINT_OF_UNSYNCED_RECORDS {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      for (int i = 0; i < 10; i++) {
        value(calls.put("key-" + i, bytes(i, 1000)));
      }
      stage.stop();
      Calls careless = stage.start(Durability.OS);
      int writes = 30 + stage.random().nextInt(25);
      for (int i = 0; i < writes; i++) {
        value(careless.put("key-" + i % 10, bytes(i, 1000)));
      }
      stage.cutPower();
      Calls next = stage.start(Durability.FSYNC);
      for (int i = 0; i < 10; i++) {
        byte[] found = value(next.get("key-" + i));
        boolean known = false;
        for (int write = i; write < writes; write += 10) {
          known |= Arrays.equals(found, bytes(write, 1000));
        }
        assertThat(known).as("key-%s holds bytes that were once put there", i).isTrue();
      }
    }
  },

  /** Records in all segments of a log that grows outlive a loss of power. */
  MANY_SEGMENTS {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      for (int i = 0; i < 80; i++) {
        value(calls.put("key-" + i, bytes(i, 2000)));
      }
      stage.cutPower();
      Calls next = stage.start(Durability.FSYNC);
      for (int i = 0; i < 80; i++) {
        assertThat(value(next.get("key-" + i))).isEqualTo(bytes(i, 2000));
      }
    }
  },

  /** What compaction has moved, across several segments, is as durable as it was. */
  COMPACTION {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      for (int i = 0; i < 150; i++) {
        value(calls.put("key-" + i, bytes(i, 2000)));
      }
      for (int i = 0; i < 150; i += 2) {
        value(calls.put("key-" + i, bytes(i, 1900)));
      }
      stage.compact();
      stage.cutPower();
      if (stage.random().nextBoolean()) {
        stage.removeIndex();
      }
      Calls next = stage.start(Durability.FSYNC);
      for (int i = 0; i < 150; i++) {
        assertThat(value(next.get("key-" + i))).isEqualTo(bytes(i, i % 2 == 0 ? 1900 : 2000));
      }
    }
  },

  /** Deleted objects and versions stay so when the segments of all their records are gone. */
  COMPACTION_OF_TOMBSTONES {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      Calls versions = stage.versions(Versioning.ENABLED);
      List<String> gone = new ArrayList<>();
      for (int i = 0; i < DELETED; i++) {
        value(calls.put("deleted-" + i, bytes(i, 1000)));
        gone.add(value(versions.put("version-" + i, bytes(i, 1000))).versionText());
        fill(calls);
      }
      for (int i = 0; i < DELETED; i++) {
        value(calls.delete("deleted-" + i));
        value(versions.delete("version-" + i, gone.get(i)));
        fill(calls);
      }
      stage.compact();
      stage.cutPower();
      stage.removeIndex();
      Calls next = stage.start(Durability.FSYNC);
      for (int i = 0; i < DELETED; i++) {
        assertThat(next.get("deleted-" + i)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
        assertThat(shown(stage.versions(Versioning.ENABLED), "version-" + i)).isEmpty();
      }
    }

    // Few keys over and over: what is live is in the last segment, and nothing must be copied.
    private void fill(Calls calls) {
      for (int i = 0; i < 35; i++) {
        value(calls.put("filler-" + i % 4, bytes(i, 2000)));
      }
    }
  },

  /**
   * Large bytes that nobody synced are whole or not there, though a later sync kept their record.
   */
  RECORD_KEPT_BY_THE_SYNC_OF_ANOTHER {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.OS);
      value(calls.put("large", bytes(1, 20_000)));
      stage.switchTo(Durability.FSYNC);
      value(calls.put("small", bytes(2, 100)));
      value(calls.put("other", bytes(3, 100)));
      stage.cutPower();
      assertWholeOrMissing(stage.start(Durability.FSYNC), "large", bytes(1, 20_000));
    }
  },

  /** Large bytes that nobody synced are whole or not there, when power is lost before any sync. */
  RECORD_KEPT_BY_CHANCE {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.OS);
      for (int i = 0; i < 5; i++) {
        value(calls.put("large-" + i, bytes(i, 20_000)));
      }
      stage.cutPower();
      for (int life = 0; life < 2; life++) {
        Calls next = stage.start(Durability.FSYNC);
        for (int i = 0; i < 5; i++) {
          assertWholeOrMissing(next, "large-" + i, bytes(i, 20_000));
        }
        value(next.put("small-" + life, bytes(life, 100)));
        stage.cutPower();
        stage.removeIndex();
      }
    }
  },

  /** Large bytes that a life has found are there in the next one, though nobody synced them. */
  LARGE_BYTES_SEEN_AFTER_A_KILL {
    @Override
    void run(Stage stage) throws IOException {
      value(stage.start(Durability.OS).put("key", bytes(1, 20_000)));
      stage.kill();
      assertThat(value(stage.start(Durability.OS).get("key"))).isEqualTo(bytes(1, 20_000));
      stage.cutPower();
      assertThat(value(stage.start(Durability.OS).get("key"))).isEqualTo(bytes(1, 20_000));
    }
  },

  /** A node that was stopped in good order has all that it acknowledged, synced or not. */
  STOP_IN_GOOD_ORDER {
    @Override
    void run(Stage stage) throws IOException {
      value(stage.start(Durability.OS).put("key", bytes(1, 1000)));
      stage.stop();
      stage.cutPower();
      assertThat(value(stage.start(Durability.OS).get("key"))).isEqualTo(bytes(1, 1000));
    }
  },

  /** A write that failed, and was taken back, does not come back without its bytes. */
  FAILED_WRITE {
    @Override
    void run(Stage stage) throws IOException {
      Calls calls = stage.start(Durability.FSYNC);
      value(calls.put("key", bytes(1, 20_000)));
      stage.disk().failNextWriteLate("log/", "No space left on device");
      assertThat(calls.put("key", bytes(2, 20_000)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
      stage.cutPower();
      assertThat(value(stage.start(Durability.FSYNC).get("key"))).isEqualTo(bytes(1, 20_000));
    }
  };

  private static final int DELETED = 5;
  private static final int STEPS_OF_MAKING_A_DISK = 268;

  /** Fails with an {@link AssertionError} or an {@link IOException} if something was lost. */
  abstract void run(Stage stage) throws IOException;

  /** The versions of a key, the newest first. */
  private static List<String> shown(Calls calls, String key) {
    return value(calls.versions(key, 10)).stream()
        .map(version -> version.versionText() + (version.deleteMarker() ? " deleted" : ""))
        .toList();
  }

  private static void assertWholeOrMissing(Calls calls, String key, byte[] whole) {
    switch (calls.get(key)) {
      case Outcome.Success<byte[]> found -> assertThat(found.value()).isEqualTo(whole);
      case Outcome.Failed<byte[]> failed ->
          assertThat(failed.failure()).isInstanceOf(Failure.NoSuchKey.class);
    }
  }

  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
