package dev.tarn.benchmarks.load;

import java.nio.ByteBuffer;

/** Finds the payload within a body of HTTP/1.1 chunks; trailers are skipped. */
final class ChunkFraming {
  private enum Expect {
    SIZE,
    PAYLOAD,
    PAYLOAD_END,
    TRAILER,
    NOTHING
  }

  private Expect expect = Expect.SIZE;
  private long size;
  private boolean extension;
  private int lineLength;

  void reset() {
    expect = Expect.SIZE;
    size = 0;
    extension = false;
    lineLength = 0;
  }

  boolean finished() {
    return expect == Expect.NOTHING;
  }

  /** Skips framing bytes. Returns how many bytes of payload are at the buffer's position. */
  int payload(ByteBuffer input) throws UnexpectedAnswerException {
    while (expect != Expect.PAYLOAD && expect != Expect.NOTHING && input.hasRemaining()) {
      frame(input.get());
    }
    return expect == Expect.PAYLOAD ? (int) Math.min(size, input.remaining()) : 0;
  }

  void consumed(int payload) {
    if (expect == Expect.PAYLOAD) {
      size -= payload;
      if (size == 0) {
        expect = Expect.PAYLOAD_END;
      }
    }
  }

  private void frame(byte next) throws UnexpectedAnswerException {
    switch (expect) {
      case SIZE -> sizeLine(next);
      case PAYLOAD_END -> {
        if (next == '\n') {
          expect = Expect.SIZE;
          lineLength = 0;
        }
      }
      case TRAILER -> trailerLine(next);
      case PAYLOAD, NOTHING -> throw new IllegalStateException("no framing expected in " + expect);
    }
  }

  private void sizeLine(byte next) throws UnexpectedAnswerException {
    if (next == '\n') {
      expect = size == 0 ? Expect.TRAILER : Expect.PAYLOAD;
      extension = false;
      lineLength = 0;
    } else if (next == ';') {
      extension = true;
    } else if (next != '\r' && !extension) {
      int digit = Character.digit(next, 16);
      if (digit < 0 || size > Integer.MAX_VALUE) {
        throw new UnexpectedAnswerException("no chunk size at byte " + next);
      }
      size = size * 16 + digit;
    }
  }

  private void trailerLine(byte next) {
    if (next == '\n') {
      expect = lineLength == 0 ? Expect.NOTHING : Expect.TRAILER;
      lineLength = 0;
    } else if (next != '\r') {
      lineLength++;
    }
  }
}
