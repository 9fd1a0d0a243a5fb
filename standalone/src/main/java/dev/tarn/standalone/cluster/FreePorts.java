package dev.tarn.standalone.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Draws ports for servers that keep their ports over restarts. The ports lie below the range for
 * outgoing connections: otherwise such a connection could take the port of a stopped server.
 */
public final class FreePorts {
  private static final int PORT_MIN = 10_000;
  private static final int PORT_MAX = 30_000;
  private static final int DRAWS_MAX = 10_000;

  private FreePorts() {}

  /**
   * Returns distinct ports of the loopback interface that were free during this call.
   *
   * @throws IOException if fewer than {@code count} free ports are found
   */
  public static List<Integer> draw(int count, RandomGenerator random) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int draw = 0; draw < DRAWS_MAX && held.size() < count; draw++) {
        hold(random.nextInt(PORT_MIN, PORT_MAX), held);
      }
      if (held.size() < count) {
        throw new IOException(
            "found " + held.size() + " of " + count + " free ports from " + PORT_MIN + " on");
      }
      return held.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
  }

  private static void hold(int port, List<ServerSocket> held) {
    try {
      held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
    } catch (IOException _) {
      // The port is in use; the caller draws again.
    }
  }
}
