package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers every request with the same bytes, in pieces of a given size. */
final class ScriptedServer implements AutoCloseable {
  private final ServerSocket socket;
  private final byte[] answer;
  private final int pieceBytes;
  private final AtomicInteger connections = new AtomicInteger();

  ScriptedServer(String answer, int pieceBytes) throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.answer = answer.getBytes(ISO_8859_1);
    this.pieceBytes = pieceBytes;
    Thread.ofVirtual().start(this::accept);
  }

  InetSocketAddress address() {
    return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      BufferedReader input =
          new BufferedReader(new InputStreamReader(connection.getInputStream(), ISO_8859_1));
      while (skipRequest(input)) {
        OutputStream output = connection.getOutputStream();
        for (int i = 0; i < answer.length; i += pieceBytes) {
          output.write(answer, i, Math.min(pieceBytes, answer.length - i));
        }
        if (new String(answer, ISO_8859_1).contains("Connection: close")) {
          return;
        }
      }
    } catch (IOException e) {
      // The client went away, as it may.
    }
  }

  private static boolean skipRequest(BufferedReader input) throws IOException {
    int bodyLength = 0;
    String line = input.readLine();
    while (line != null && !line.isEmpty()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
        bodyLength = Integer.parseInt(line.substring("content-length: ".length()));
      }
      line = input.readLine();
    }
    return line != null && input.skip(bodyLength) == bodyLength;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
