package dev.tarn.sharder.source.list;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.Arrays;

/** The mark that some editors and spreadsheets write before UTF-8 text. */
final class ByteOrderMark {
  private static final byte[] MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  private ByteOrderMark() {}

  /** Returns a stream of the bytes after the mark, or of all bytes if there is no mark. */
  static InputStream passed(InputStream stream) throws IOException {
    PushbackInputStream text = new PushbackInputStream(stream, MARK.length);
    boolean done = false;
    try {
      byte[] start = text.readNBytes(MARK.length);
      if (!Arrays.equals(start, MARK)) {
        text.unread(start);
      }
      done = true;
      return text;
    } finally {
      if (!done) {
        text.close();
      }
    }
  }
}
