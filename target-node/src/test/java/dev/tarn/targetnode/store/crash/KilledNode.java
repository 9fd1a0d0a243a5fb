package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A process to be killed: writes keys without end, and says of each on its output that it begins
 * and that it was acknowledged, with the version that it deletes or has made. What is written
 * follows from the number of the write.
 */
final class KilledNode {
  static final int KEYS = 40;
  static final int VERSIONED_KEYS = 6;
  static final String NO_VERSION = "-";

  /** Keeps versions, or is suspended. */
  static final BucketId VERSIONED = new BucketId(2);

  private KilledNode() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    Files.createDirectories(directory);
    OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL);
    for (long write = first; ; write++) {
      if (isVersioned(write)) {
        node.setVersioning(VERSIONED, versioning(write));
        writeVersioned(node.calls(VERSIONED), write);
      } else {
        say("begin", write, NO_VERSION);
        if (write(node.calls(), key(write), write) instanceof Outcome.Success<?>) {
          say("done", write, NO_VERSION);
        }
      }
    }
  }

  private static void say(String what, long write, String version) {
    System.out.println(what + " " + write + " " + version + ".");
  }

  private static Outcome<?> write(Calls calls, String key, long write) {
    return write % 7 == 0 ? calls.delete(key) : store(calls, key, write);
  }

  private static Outcome<ObjectMetadata> store(Calls calls, String key, long write) {
    if (write % 5 != 0) {
      return calls.put(key, content(write));
    }
    String upload = value(calls.create(key));
    ObjectPart part = value(calls.putPart(key, upload, 2, content(write)));
    return calls.complete(key, upload, List.of(part));
  }

  private static void writeVersioned(Calls calls, long write) {
    String key = key(write);
    switch (kind(write)) {
      case PUT -> {
        say("begin", write, NO_VERSION);
        told(write, store(calls, key, write).map(ObjectMetadata::versionText));
      }
      case DELETE -> {
        say("begin", write, NO_VERSION);
        told(write, calls.delete(key).map(Deleted::versionText));
      }
      case DELETE_VERSION -> {
        List<VersionEntry> versions = value(calls.versions(key, 1000));
        if (!versions.isEmpty()) {
          String version = versions.get(random(write).nextInt(versions.size())).versionText();
          say("begin", write, version);
          told(write, calls.delete(key, version).map(Deleted::versionText));
        }
      }
    }
  }

  private static void told(long write, Outcome<String> version) {
    if (version instanceof Outcome.Success<String> made) {
      say("done", write, made.value());
    }
  }

  /** What is done to a key of the bucket with versions. */
  enum Kind {
    PUT,
    DELETE,
    DELETE_VERSION
  }

  static boolean isVersioned(long write) {
    return write % 3 == 1;
  }

  static Kind kind(long write) {
    return switch (random(write).nextInt(8)) {
      case 0 -> Kind.DELETE;
      case 1, 2, 3 -> Kind.DELETE_VERSION;
      default -> Kind.PUT;
    };
  }

  static Versioning versioning(long write) {
    return write / 60 % 3 == 2 ? Versioning.SUSPENDED : Versioning.ENABLED;
  }

  static String key(long write) {
    int keys = isVersioned(write) ? VERSIONED_KEYS : KEYS;
    return "key-" + new Random(write).nextInt(keys);
  }

  static byte[] content(long write) {
    Random random = random(write);
    byte[] bytes = new byte[random.nextInt(write % 3 == 0 ? 20_000 : 3000)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Random random(long write) {
    return new Random(write ^ 0x5DEECE66DL);
  }
}
