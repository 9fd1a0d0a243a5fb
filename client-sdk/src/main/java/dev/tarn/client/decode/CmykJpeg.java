package dev.tarn.client.decode;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;

/**
 * JPEGs with four colours, as for print: CMYK, or YCCK, stored inverted as Adobe's programs do.
 * They are converted to RGB like Pillow does, which Python's loaders use: without colour profiles.
 * ImageIO alone gives brighter colours, or fails if it does not know the profile.
 */
final class CmykJpeg {
  private static final int COMPONENTS = 4;
  private static final int RGB = 3;
  private static final int MAX = 255;
  private static final int YCCK = 2;

  private CmykJpeg() {}

  /** Whether a JPEG has four colours. */
  static boolean isOne(JpegHead head) {
    return head.components() == COMPONENTS;
  }

  /**
   * Converts the image to RGB.
   *
   * @param raster as stored, in bytes
   */
  static BufferedImage toRgb(JpegHead head, Raster raster) {
    boolean isYcck = head.transform() == YCCK;
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

  /** As in libjpeg: YCC encodes cyan, magenta and yellow, inverted once more. */
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
}
