package dev.tarn.client;

import dev.tarn.client.ExtentReading.Placed;
import java.io.IOException;
import java.util.Queue;

/** Puts samples, as they are read, into the order in which they are delivered. */
interface Gathering {
  /** Reads the next ones and adds them; adds none after the last. */
  void gather(Queue<Placed> ready) throws IOException;
}
