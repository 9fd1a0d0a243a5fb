package dev.tarn.e2e.rack;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Random;

/**
 * What one writer has done to a key: version after version, of which every fifth is its removal.
 * Once nobody knows what became of a change the writer leaves the key alone, as that change may yet
 * be made.
 */
final class KeyHistory {
  private static final int SMALL_BYTES_MAX = 4 << 10;
  private static final int LARGE_BYTES = 200 << 10;
  private static final int HEAD_BYTES = 64;

  private final String key;
  private int acknowledged;
  private int attempted;
  private boolean closed;

  KeyHistory(String key) {
    this.key = key;
  }

  /**
   * The versions that a reader may find.
   *
   * @param oldest the newest that was acknowledged before the reader asked
   * @param newest the newest that was attempted before it had its answer
   */
  record Span(int oldest, int newest) {
    boolean mayBeAbsent() {
      return anyIs(false);
    }

    boolean mayBePresent() {
      return anyIs(true);
    }

    private boolean anyIs(boolean present) {
      for (int version = oldest; version <= newest; version++) {
        if (isPresent(version) == present) {
          return true;
        }
      }
      return false;
    }
  }

  static boolean isPresent(int version) {
    return version % 5 != 0;
  }

  String key() {
    return key;
  }

  synchronized int begin() {
    attempted++;
    return attempted;
  }

  synchronized void acknowledge(int version) {
    acknowledged = version;
  }

  synchronized void close() {
    closed = true;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized int acknowledged() {
    return acknowledged;
  }

  synchronized Span since(int acknowledgedBefore) {
    return new Span(acknowledgedBefore, attempted);
  }

  /** Of a version that is present: small mostly, sometimes large enough for a file of its own. */
  byte[] content(int version) {
    Random random = new Random(key.hashCode() * 1_000_003L + version);
    int length = random.nextInt(10) == 0 ? LARGE_BYTES : random.nextInt(1, SMALL_BYTES_MAX);
    byte[] content = new byte[HEAD_BYTES + length];
    random.nextBytes(content);
    Arrays.fill(content, 0, HEAD_BYTES, (byte) ' ');
    byte[] head = (key + " " + version).getBytes(UTF_8);
    System.arraycopy(head, 0, content, 0, head.length);
    return content;
  }

  /** What is wrong with what was read, or nothing. */
  String judge(byte[] content, Span span) {
    String head = new String(content, 0, Math.min(HEAD_BYTES, content.length), UTF_8).strip();
    int space = head.indexOf(' ');
    if (space < 0 || !head.substring(0, space).equals(key)) {
      return key + " holds something else: " + head;
    }
    int version = Integer.parseInt(head.substring(space + 1));
    if (version < span.oldest() || version > span.newest()) {
      return key + " is at version " + version + ", must be one of " + span;
    }
    return Arrays.equals(content, content(version))
        ? ""
        : key + " of version " + version + " has other bytes than were written";
  }

  /** What is wrong with finding nothing, or nothing. */
  String judgeAbsence(Span span) {
    return span.mayBeAbsent() ? "" : key + " is not there, must be one of " + span;
  }
}
