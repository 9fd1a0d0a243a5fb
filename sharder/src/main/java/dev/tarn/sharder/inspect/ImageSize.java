package dev.tarn.sharder.inspect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Width and height of images, from their headers. */
final class ImageSize {
  private static final int JPEG_MARKER = 0xff;
  private static final int JPEG_START = 0xd8;
  private static final int JPEG_SCAN = 0xda;

  private ImageSize() {}

  /** Describes an image; returns null if it is not JPEG, PNG, GIF or WebP. */
  static @Nullable String describe(byte[] start) {
    String latin = new String(start, 0, Math.min(start.length, 32), ISO_8859_1);
    ByteBuffer bytes = ByteBuffer.wrap(start);
    if (latin.startsWith("\u0089PNG\r\n\u001a\n")) {
      return sized("PNG image", start.length >= 24, () -> bytes.getInt(16), () -> bytes.getInt(20));
    }
    if (latin.startsWith("GIF8")) {
      bytes.order(ByteOrder.LITTLE_ENDIAN);
      return sized(
          "GIF image",
          start.length >= 10,
          () -> Short.toUnsignedInt(bytes.getShort(6)),
          () -> Short.toUnsignedInt(bytes.getShort(8)));
    }
    if (latin.startsWith("RIFF") && latin.startsWith("WEBP", 8)) {
      return "WebP image";
    }
    if (latin.startsWith("\u00ff\u00d8\u00ff")) {
      int frame = jpegFrame(bytes);
      return sized(
          "JPEG image",
          frame >= 0,
          () -> Short.toUnsignedInt(bytes.getShort(frame + 7)),
          () -> Short.toUnsignedInt(bytes.getShort(frame + 5)));
    }
    return null;
  }

  private static String sized(String kind, boolean known, IntSupplier width, IntSupplier height) {
    return known
        ? "%s, %sx%s"
            .formatted(
                kind,
                Integer.toUnsignedString(width.getAsInt()),
                Integer.toUnsignedString(height.getAsInt()))
        : kind;
  }

  /** Returns the offset of the segment with the frame's size; -1 if these bytes do not have it. */
  private static int jpegFrame(ByteBuffer bytes) {
    int at = 2;
    while (at + 9 <= bytes.limit() && (bytes.get(at) & 0xff) == JPEG_MARKER) {
      int type = bytes.get(at + 1) & 0xff;
      if (type == JPEG_MARKER) {
        at++;
        continue;
      }
      if (type == JPEG_SCAN) {
        break;
      }
      // SOF0 to SOF15, except the tables DHT, JPG and DAC among them
      if (type >= 0xc0 && type <= 0xcf && type != 0xc4 && type != 0xc8 && type != 0xcc) {
        return at;
      }
      boolean alone = type == JPEG_START || (type >= 0xd0 && type <= 0xd7) || type == 0x01;
      at += alone ? 2 : 2 + (bytes.getShort(at + 2) & 0xffff);
    }
    return -1;
  }
}
