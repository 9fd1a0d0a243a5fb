package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;

import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.LocalDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * A process to be killed: writes keys without end, and says of each on its output that it begins
 * and that it was acknowledged. The content of a key follows from the number of the write.
 */
final class KilledNode {
  static final int KEYS = 40;

  private KilledNode() {}

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    Files.createDirectories(directory);
    OneDisk node = new OneDisk(new LocalDisk(directory), OneDisk.SMALL);
    for (long write = first; ; write++) {
      String key = key(write);
      System.out.println("begin " + write + ".");
      Outcome<?> outcome = write(node.calls(), key, write);
      if (outcome instanceof Outcome.Success<?>) {
        System.out.println("done " + write + ".");
      }
    }
  }

  private static Outcome<?> write(Calls calls, String key, long write) {
    if (write % 7 == 0) {
      return calls.delete(key);
    }
    if (write % 5 != 0) {
      return calls.put(key, content(write));
    }
    String upload = value(calls.create(key));
    ObjectPart part = value(calls.putPart(key, upload, 2, content(write)));
    return calls.complete(key, upload, List.of(part));
  }

  static String key(long write) {
    return "key-" + new Random(write).nextInt(KEYS);
  }

  static byte[] content(long write) {
    Random random = new Random(write ^ 0x5DEECE66DL);
    byte[] bytes = new byte[random.nextInt(write % 3 == 0 ? 20_000 : 3000)];
    random.nextBytes(bytes);
    return bytes;
  }
}
