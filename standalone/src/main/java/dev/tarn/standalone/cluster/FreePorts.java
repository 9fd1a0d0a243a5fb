package dev.tarn.standalone.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Ports for servers that are to be found where they were before. They lie below those that systems
 * give to outgoing connections: one of these would else sit on the port of a server that is away.
 */
public final class FreePorts {
  private static final int PORT_MIN = 10_000;
  private static final int PORT_MAX = 30_000;
  private static final int DRAWS_MAX = 10_000;

  private FreePorts() {}

  /** Ports of the loopback interface that were free a moment ago, each another one. */
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
      // Taken: the next draw is another one.
    }
  }
}
