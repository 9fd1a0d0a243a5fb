package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** HTTP by hand, to send what no client sends and to see exactly what comes back. */
final class RawConnection implements AutoCloseable {
  private static final int TIMEOUT_MS = 20_000;
  private static final int SILENCE_MS = 150;

  private final Socket socket;
  private final InputStream in;

  RawConnection(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** Over a connection that is already there, which it closes. */
  RawConnection(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(TIMEOUT_MS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends text, its line ends as given, one byte for each character. */
  RawConnection send(String text) throws IOException {
    return send(text.getBytes(ISO_8859_1));
  }

  /** Sends bytes. */
  RawConnection send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  /** The next answer with its body, which a HEAD does not have. */
  RawResponse receive(boolean head) throws IOException {
    return receive(line(), head);
  }

  /** The rest of an answer of which this has been read already. */
  RawResponse receiveAfter(String beginning) throws IOException {
    return receive(beginning + line(), false);
  }

  private RawResponse receive(String statusLine, boolean head) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    int status = Integer.parseInt(statusLine.substring(9, 12));
    boolean bodiless = head || status < 200 || status == 204 || status == 304;
    return new RawResponse(status, headers, bodiless ? "" : body(headers));
  }

  /** The next answer with its body. */
  RawResponse receive() throws IOException {
    return receive(false);
  }

  /** One byte, or -1 at the end. */
  int read() throws IOException {
    return in.read();
  }

  /** Whether nothing comes for a while that is long for an answer. */
  boolean isSilent() throws IOException {
    socket.setSoTimeout(SILENCE_MS);
    in.mark(1);
    try {
      int first = in.read();
      in.reset();
      return first < 0;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      socket.setSoTimeout(TIMEOUT_MS);
    }
  }

  /** So many bytes of a body that is too large to be held. */
  String readText(int count) throws IOException {
    return new String(exactly(count), ISO_8859_1);
  }

  /** Reads so many bytes, and throws them away. */
  void skip(long count) throws IOException {
    in.skipNBytes(count);
  }

  private String body(Map<String, String> headers) throws IOException {
    if ("chunked".equals(headers.get("Transfer-Encoding"))) {
      StringBuilder body = new StringBuilder();
      for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
        body.append(new String(exactly(size), ISO_8859_1));
        line();
      }
      line();
      return body.toString();
    }
    String length = headers.get("Content-Length");
    if (length == null) {
      throw new IOException("answer has neither length nor chunks: " + headers);
    }
    return new String(exactly(Integer.parseInt(length)), ISO_8859_1);
  }

  private byte[] exactly(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("connection ended after " + bytes.length + " of " + count);
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("connection ended within a line");
      }
      line.write(next);
    }
    return line.toString(ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /**
   * An answer.
   *
   * @param headers by name in any case
   */
  record RawResponse(int status, Map<String, String> headers, String body) {
    /** A header, empty where there is none. */
    String header(String name) {
      return headers.getOrDefault(name, "");
    }

    /** Whether the server will close the connection. */
    boolean closes() {
      return header("Connection").toLowerCase(Locale.ROOT).equals("close");
    }
  }
}
