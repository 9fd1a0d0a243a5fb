package dev.tarn.client.decode;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.plugins.tiff.BaselineTIFFTagSet;
import javax.imageio.plugins.tiff.TIFFDirectory;
import javax.imageio.plugins.tiff.TIFFField;
import javax.imageio.stream.ImageInputStream;

/** Decodes images by the readers of ImageIO. */
final class Images {
  /** The best compression, of a uniform GIF, gives nearly so many decoded bytes per byte. */
  private static final long DECODED_PER_BYTE_MAX = 4096;

  /** A nearly blank image may take so much: a line of a fax page takes a single bit. */
  private static final long BLANK_BYTES_MAX = 64 << 20;

  /** For readers that do not know the number of bits. */
  private static final int PIXEL_BITS = 32;

  private static final int TABLED_BITS_MAX = 16;

  private Images() {}

  /** Decodes the first image; checks its size before memory is allocated for it. */
  static BufferedImage read(ByteBuffer data, long pixelsMax) throws IOException {
    try (ImageInputStream input = new ImageBytes(data)) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
      if (!readers.hasNext()) {
        throw new IOException(
            "ImageIO has no reader for these bytes: they are not an image, or the format needs a"
                + " plug-in");
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(input, true, true);
        requireBounded(reader, data, pixelsMax);
        if (reader.getFormatName().equalsIgnoreCase("tif")) {
          requireUsualSamples(reader.getImageMetadata(0));
        }
        return reader.getFormatName().equalsIgnoreCase("jpeg")
            ? readJpeg(reader, data.slice())
            : reader.read(0);
      } finally {
        reader.dispose();
      }
    }
  }

  /** ImageIO only warns of an incomplete image, and fills it with grey. */
  private static BufferedImage readJpeg(ImageReader reader, ByteBuffer file) throws IOException {
    JpegHead head = JpegHead.of(file);
    if (!head.isEnded(file)) {
      throw new IOException(
          "the JPEG is truncated: its %d bytes contain no end of the image"
              .formatted(file.limit()));
    }
    return reader.canReadRaster() && CmykJpeg.isOne(head)
        ? CmykJpeg.toRgb(head, reader.readRaster(0, null))
        : reader.read(0);
  }

  private static void requireBounded(ImageReader reader, ByteBuffer data, long pixelsMax)
      throws IOException {
    long width = reader.getWidth(0);
    long height = reader.getHeight(0);
    long pixels = width * height;
    long bytes = data.remaining();
    ImageTypeSpecifier type = pixels > pixelsMax ? null : reader.getRawImageType(0);
    int bits = type == null ? PIXEL_BITS : type.getColorModel().getPixelSize();
    String claim = "%d bytes that claim to be an image of %d x %d pixels";
    if (pixels > pixelsMax) {
      throw new IOException(
          (claim + ", expected %d at most: see pixelsMax of the decoders")
              .formatted(bytes, width, height, pixelsMax));
    }
    if (pixels * bits / 8 > Math.max(BLANK_BYTES_MAX, bytes * DECODED_PER_BYTE_MAX)) {
      throw new IOException(
          (claim + ", more than %d times themselves")
              .formatted(bytes, width, height, DECODED_PER_BYTE_MAX));
    }
  }

  /** For each other length of samples ImageIO makes a table of all possible values. */
  private static void requireUsualSamples(IIOMetadata metadata) throws IOException {
    TIFFField bits =
        TIFFDirectory.createFromMetadata(metadata)
            .getTIFFField(BaselineTIFFTagSet.TAG_BITS_PER_SAMPLE);
    for (int i = 0; bits != null && i < bits.getCount(); i++) {
      int length = bits.getAsInt(i);
      if (length > TABLED_BITS_MAX && length % Integer.SIZE != 0) {
        throw new IOException(
            "a TIFF of samples of %d bits, expected 1 to %d, 32 or 64"
                .formatted(length, TABLED_BITS_MAX));
      }
    }
  }
}
