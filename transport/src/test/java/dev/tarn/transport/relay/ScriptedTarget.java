package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.wire.HttpBinding;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** What listens where a target should, and answers by a script, byte for byte. */
public final class ScriptedTarget implements AutoCloseable {
  private static final CallScope SCOPE = new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED);
  private static final ObjectKey KEY = ObjectKey.of("key");

  private final ServerSocket listener;
  private final Script script;
  private final AtomicInteger connections = new AtomicInteger();
  private final Thread accepting;

  /** What is done with a connection; it is closed in the end. */
  public interface Script {
    void serve(int connection, InputStream in, OutputStream out) throws IOException;
  }

  /** Listens on a free port of the loopback address. */
  public ScriptedTarget(Script script) throws IOException {
    this(0, script);
  }

  /** Listens on this port of the loopback address. */
  public ScriptedTarget(int port, Script script) throws IOException {
    this.script = script;
    this.listener = new ServerSocket(port, 16, InetAddress.getLoopbackAddress());
    this.accepting = Thread.startVirtualThread(this::accept);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        int number = connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(number, socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(int number, Socket socket) {
    try (socket) {
      script.serve(
          number, new BufferedInputStream(socket.getInputStream()), socket.getOutputStream());
    } catch (IOException gone) {
      // The caller has closed the connection, which some scripts wait for.
    }
  }

  /** A call that changes nothing. */
  static TargetRequest<?> read(Deadline deadline) {
    return TargetRequest.Head.ofWhole(SCOPE.at(1, deadline), KEY, Optional.empty());
  }

  /** A read that another target may answer. */
  static TargetRequest<?> ownerFirst() {
    return TargetRequest.Head.ofWhole(
        SCOPE.answeredBy(Answerer.OWNER_FIRST), KEY, Optional.empty());
  }

  /** A call that changes something. */
  static TargetRequest<?> change(Deadline deadline) {
    return new TargetRequest.Delete(
        SCOPE.at(1, deadline), KEY, Optional.empty(), Preconditions.NONE);
  }

  /** Reads a request of known length, and gives what followed its head. */
  public static String readRequest(InputStream in) throws IOException {
    return readMessage(in, readHead(in));
  }

  /** Reads the head of a request. */
  static String readHead(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no request");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  /** Reads what follows the head of a request; a probe has nothing there. */
  static String readMessage(InputStream in, String head) throws IOException {
    if (isProbe(head)) {
      return "";
    }
    String lower = head.toLowerCase(Locale.ROOT);
    int start = lower.indexOf("content-length: ") + "content-length: ".length();
    int length = Integer.parseInt(lower.substring(start, lower.indexOf("\r\n", start)));
    return new String(in.readNBytes(length), ISO_8859_1);
  }

  /** Whether this is the head of a probe. */
  static boolean isProbe(String head) {
    return head.startsWith("GET " + HttpBinding.PROBE_PATH + " ");
  }

  /** Reads the probe that precedes a call with a body on a new connection, and answers it. */
  public static void takeProbe(InputStream in, OutputStream out) throws IOException {
    if (!isProbe(readHead(in))) {
      throw new IOException("no probe");
    }
    answerProbe(out);
  }

  static void answerProbe(OutputStream out) throws IOException {
    out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(ISO_8859_1));
  }

  /** The beginning of an answer. */
  public static byte[] head(int messageLength, long bodyLength) {
    return ("HTTP/1.1 200 OK\r\nTarn-Message-Length: "
            + messageLength
            + "\r\ncontent-length: "
            + (messageLength + bodyLength)
            + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  /** A whole answer. */
  public static void answer(OutputStream out, String message, byte[] body) throws IOException {
    out.write(head(message.length(), body.length));
    out.write(message.getBytes(ISO_8859_1));
    out.write(body);
  }

  /** Where it listens. */
  public TargetAddress address() {
    return new TargetAddress("127.0.0.1", listener.getLocalPort());
  }

  /** How many connections there have been. */
  public int connections() {
    return connections.get();
  }

  /**
   * Nobody listens at the address any more. The port is open for as long as a virtual thread is
   * about to leave accept: who connects meanwhile is taken, and reset.
   */
  @Override
  public void close() throws IOException {
    listener.close();
    try {
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
