package dev.tarn.client.decode;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.nio.ByteBuffer;

/**
 * JPEGs of four colours, as print shops make them: CMYK, or YCCK, stored inverted as Adobe's
 * programs do. They become RGB as Pillow converts them, which Python's loaders use: each colour is
 * taken off white, and black off all three; colour profiles are not applied. ImageIO alone gives
 * brighter colours, or none where the profile is not one of its.
 */
final class CmykJpeg {
  private static final int COMPONENTS = 4;
  private static final int RGB = 3;
  private static final int MAX = 255;
  private static final int MARKER = 0xff;
  private static final int ADOBE = 0xee;
  private static final int ADOBE_LENGTH = 14;
  private static final int ADOBE_TRANSFORM_AT = 13;
  private static final int YCCK = 2;
  private static final int START_OF_SCAN = 0xda;
  private static final int COMPONENTS_AT = 7;

  private CmykJpeg() {}

  /** What the segments before the first scan say. */
  private record Head(int components, int transform) {}

  /** Whether a file is a JPEG of four colours. */
  static boolean isOne(ByteBuffer file) {
    return head(file).components == COMPONENTS;
  }

  /**
   * The image in red, green and blue.
   *
   * @param raster as it is stored, in bytes
   */
  static BufferedImage toRgb(ByteBuffer file, Raster raster) {
    boolean isYcck = head(file).transform == YCCK;
    int width = raster.getWidth();
    int height = raster.getHeight();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
    int[] stored = new int[width * COMPONENTS];
    byte[] colours = new byte[width * RGB];
    for (int y = 0; y < height; y++) {
      raster.getPixels(raster.getMinX(), raster.getMinY() + y, width, 1, stored);
      for (int x = 0; x < width; x++) {
        if (isYcck) {
          toInverted(stored, x * COMPONENTS);
        }
        int black = stored[x * COMPONENTS + RGB];
        for (int i = 0; i < RGB; i++) {
          colours[x * RGB + i] = (byte) ((stored[x * COMPONENTS + i] * black + MAX / 2) / MAX);
        }
      }
      image.getRaster().setDataElements(0, y, width, 1, colours);
    }
    return image;
  }

  /** As libjpeg: what YCC stands for is cyan, magenta and yellow, once more inverted. */
  private static void toInverted(int[] stored, int at) {
    int luma = stored[at];
    int blue = stored[at + 1] - 128;
    int red = stored[at + 2] - 128;
    stored[at] = MAX - clamp(luma + 1.402 * red);
    stored[at + 1] = MAX - clamp(luma - 0.344136 * blue - 0.714136 * red);
    stored[at + 2] = MAX - clamp(luma + 1.772 * blue);
  }

  private static int clamp(double value) {
    return (int) Math.round(Math.max(0, Math.min(MAX, value)));
  }

  private static Head head(ByteBuffer file) {
    int components = 0;
    int transform = -1;
    int at = 2;
    while (at + 4 <= file.limit() && byteAt(file, at) == MARKER) {
      int marker = byteAt(file, at + 1);
      if (marker == MARKER) {
        at++;
        continue;
      }
      int length = file.getShort(at + 2) & 0xffff;
      if (marker == START_OF_SCAN || length < 2 || at + 2 + length > file.limit()) {
        break;
      }
      if (marker == ADOBE && length >= ADOBE_LENGTH && file.getInt(at + 4) == 0x41646f62) {
        transform = byteAt(file, at + 2 + ADOBE_TRANSFORM_AT);
      }
      if (isFrame(marker) && length > COMPONENTS_AT) {
        components = byteAt(file, at + 2 + COMPONENTS_AT);
      }
      at += 2 + length;
    }
    return new Head(components, transform);
  }

  /** The markers of frames are C0 to CF, but for those of tables among them. */
  private static boolean isFrame(int marker) {
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
  }

  private static int byteAt(ByteBuffer file, int at) {
    return file.get(at) & MAX;
  }
}
