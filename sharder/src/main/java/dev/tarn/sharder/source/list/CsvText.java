package dev.tarn.sharder.source.list;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;

/**
 * The text of a list of comma-separated values. Knows in which line the text is not UTF-8, and
 * where a quote begins that is never closed: a parser would take all rows after it for one value.
 */
final class CsvText extends Reader {
  private static final int BUFFER_BYTES = 16 << 10;

  private enum State {
    FIELD_START,
    UNQUOTED,
    QUOTED,
    /** After a quote within a quoted value: it closes the value, or stands for a quote. */
    CLOSING
  }

  private final String list;
  private final InputStream stream;
  private final char separator;
  private final CharsetDecoder decoder = UTF_8.newDecoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).flip();
  private boolean ended;
  private long line = 1;
  private State state = State.FIELD_START;
  private long quoteLine;

  CsvText(String list, InputStream stream, char separator) {
    this.list = list;
    this.stream = stream;
    this.separator = separator;
  }

  @Override
  public int read(char[] into, int offset, int length) throws IOException {
    CharBuffer out = CharBuffer.wrap(into, offset, length).slice();
    while (true) {
      CoderResult result = decoder.decode(bytes, out, ended);
      if (out.position() > 0 || length == 0) {
        follow(out.flip());
        return out.limit();
      }
      if (result.isError()) {
        throw new IOException("%s line %d: not UTF-8, as lists must be".formatted(list, line));
      }
      if (ended) {
        requireClosedQuote();
        return -1;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    bytes.compact();
    int count = stream.read(bytes.array(), bytes.position(), bytes.remaining());
    ended = count < 0;
    bytes.position(bytes.position() + Math.max(count, 0)).flip();
  }

  private void follow(CharBuffer text) {
    for (int i = 0; i < text.limit(); i++) {
      char character = text.get(i);
      follow(character);
      line += character == '\n' ? 1 : 0;
    }
  }

  private void follow(char character) {
    boolean isQuote = character == '"';
    boolean endsField = character == separator || character == '\n' || character == '\r';
    state =
        switch (state) {
          case FIELD_START -> {
            quoteLine = line;
            yield isQuote ? State.QUOTED : endsField ? State.FIELD_START : State.UNQUOTED;
          }
          case UNQUOTED -> endsField ? State.FIELD_START : State.UNQUOTED;
          case QUOTED -> isQuote ? State.CLOSING : State.QUOTED;
          case CLOSING -> isQuote ? State.QUOTED : endsField ? State.FIELD_START : State.UNQUOTED;
        };
  }

  /** A hint for a value that is too long; empty outside of quotes. */
  String openQuote() {
    return state == State.QUOTED
        ? "; a value begins with a quote in line %d: is it closed?".formatted(quoteLine)
        : "";
  }

  private void requireClosedQuote() throws IOException {
    if (state == State.QUOTED) {
      throw new IOException(
          "%s line %d: a value begins with a quote that is never closed"
              .formatted(list, quoteLine));
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
