package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Free addresses for servers that cannot pick a free port themselves. */
final class FreeAddress {
  private FreeAddress() {}

  /** An address on loopback that was free during this call. */
  static InetSocketAddress onLoopback() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }
}
