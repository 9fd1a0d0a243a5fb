package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tarn.cluster.wire.HttpBinding;
import dev.tarn.cluster.wire.OutcomeCodec;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Collects and parses the head of a reply. Targets send HTTP/1.1 with a length and without chunks;
 * any other head is refused.
 */
final class ReplyHead {
  private static final int BYTES_MAX = 16 << 10;
  private static final int LENGTH_DIGITS_MAX = 18;
  private static final String VERSION = "HTTP/1.1 ";
  private static final int STATUS_DIGITS = 3;

  private byte[] bytes = new byte[512];
  private int size;
  private int status;
  private long contentLength;
  private long messageLength;
  private boolean close;

  /** Clears the previous reply. */
  void reset() {
    size = 0;
    status = 0;
    contentLength = -1;
    messageLength = 0;
    close = false;
  }

  /** Whether a byte of the reply has arrived. */
  boolean begun() {
    return size > 0;
  }

  /**
   * Reads bytes up to the end of the head.
   *
   * @return whether the head is complete
   * @throws RelayException if the head violates the protocol
   */
  boolean feed(ByteBuf in) throws RelayException {
    while (in.isReadable()) {
      byte next = in.readByte();
      if (size == bytes.length) {
        if (size == BYTES_MAX) {
          throw new RelayException(
              "gave an answer with a head of more than " + BYTES_MAX + " bytes");
        }
        bytes = Arrays.copyOf(bytes, 2 * size);
      }
      bytes[size++] = next;
      if (next == '\n' && endsWithEmptyLine()) {
        read();
        return true;
      }
    }
    return false;
  }

  private boolean endsWithEmptyLine() {
    return size >= 4
        && bytes[size - 2] == '\r'
        && bytes[size - 3] == '\n'
        && bytes[size - 4] == '\r';
  }

  private void read() throws RelayException {
    int end = endOfLine(0);
    readStatus(text(0, end));
    for (int start = end + 2; start < size - 2; start = end + 2) {
      end = endOfLine(start);
      readField(start, end);
    }
    if (status == HttpBinding.PROBE_STATUS) {
      contentLength = 0; // HTTP permits no length there.
    }
    if (contentLength < messageLength || messageLength > OutcomeCodec.BYTES_MAX) {
      throw new RelayException(
          "gave an answer of "
              + contentLength
              + " bytes with a message of "
              + messageLength
              + " (limit "
              + OutcomeCodec.BYTES_MAX
              + ")");
    }
  }

  private int endOfLine(int start) {
    int end = start;
    while (bytes[end] != '\r' || bytes[end + 1] != '\n') {
      end++;
    }
    return end;
  }

  private void readStatus(String line) throws RelayException {
    int digits = VERSION.length() + STATUS_DIGITS;
    if (!line.startsWith(VERSION) || line.length() < digits) {
      throw new RelayException("does not answer in HTTP/1.1");
    }
    status = (int) number(line.substring(VERSION.length(), digits));
  }

  private void readField(int start, int end) throws RelayException {
    int colon = start;
    while (colon < end && bytes[colon] != ':') {
      colon++;
    }
    if (names(start, colon, "content-length")) {
      contentLength = number(text(colon + 1, end));
    } else if (names(start, colon, HttpBinding.LENGTH_HEADER)) {
      messageLength = number(text(colon + 1, end));
    } else if (names(start, colon, "connection")) {
      close = text(colon + 1, end).equalsIgnoreCase("close");
    } else if (names(start, colon, "transfer-encoding")) {
      throw new RelayException("gave an answer without a length");
    }
  }

  private boolean names(int start, int colon, String name) {
    if (colon - start != name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      int sent = bytes[start + i];
      int lower = sent >= 'A' && sent <= 'Z' ? sent + ('a' - 'A') : sent;
      if (lower != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String text(int start, int end) {
    return new String(bytes, start, end - start, ISO_8859_1).strip();
  }

  private static long number(String text) throws RelayException {
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9 || i == LENGTH_DIGITS_MAX) {
        throw new RelayException("gave an answer with '" + text + "' for a number");
      }
      value = value * 10 + digit;
    }
    if (text.isEmpty()) {
      throw new RelayException("gave an answer with an empty number");
    }
    return value;
  }

  int status() {
    return status;
  }

  /** The number of bytes of the reply's message. */
  int messageLength() {
    return (int) messageLength;
  }

  /** The number of bytes after the message. */
  long bodyLength() {
    return contentLength - messageLength;
  }

  /** Whether the target closes the connection after this reply. */
  boolean close() {
    return close;
  }
}
