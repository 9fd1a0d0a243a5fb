package dev.tarn.benchmarks.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** For servers that must be told where to listen, as others are told where they do. */
final class FreeAddress {
  private FreeAddress() {}

  /** An address that was free a moment ago. */
  static InetSocketAddress onLoopback() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }
  }
}
