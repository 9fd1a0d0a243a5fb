package dev.tarn.client.decode;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/** Images, through whatever ImageIO has readers for. */
final class Images {
  /** No format of ImageIO's packs more pixels into a byte: a PNG of one bit a pixel, all alike. */
  private static final long PIXELS_PER_BYTE_MAX = 16 * 1024;

  private Images() {}

  /** The first image. Its size is looked at before memory is taken for it. */
  static BufferedImage read(ByteBuffer data, long pixelsMax) throws IOException {
    long bytes = data.remaining();
    try (ImageInputStream input = new MemoryCacheImageInputStream(Gunzip.stream(data))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
      if (!readers.hasNext()) {
        throw new IOException(
            "ImageIO has no reader for these bytes: no image, or of a format that needs a plug-in");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(input, true, true);
        long width = reader.getWidth(0);
        long height = reader.getHeight(0);
        if (width * height > Math.min(pixelsMax, bytes * PIXELS_PER_BYTE_MAX)) {
          throw new IOException(
              "%d bytes that claim to be an image of %d x %d pixels"
                  .formatted(bytes, width, height));
        }
        return reader.read(0);
      } finally {
        reader.dispose();
      }
    }
  }
}
