package dev.tarn.client.internal.cache;

import java.io.IOException;
import java.nio.file.Path;

/** A process of which one thread holds a file while another waits for a second one. */
final class HoldingProcess {
  private HoldingProcess() {}

  /** Takes both files; holds the first until its input ends, and prints a mark before. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Thread waiting = new Thread(() -> holdForAMoment(Path.of(arguments[1])));
    LockFile held = LockFile.hold(Path.of(arguments[0]));
    try {
      waiting.start();
      System.out.print('!');
      System.out.flush();
      if (System.in.read() >= 0) {
        throw new AssertionError("expected the end of the input");
      }
    } finally {
      held.close();
    }
    waiting.join();
  }

  private static void holdForAMoment(Path file) {
    try {
      LockFile.hold(file).close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
