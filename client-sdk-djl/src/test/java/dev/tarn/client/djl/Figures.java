package dev.tarn.client.djl;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.client.write.ShardWriter;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;

/** Little pictures of four figures, anywhere and of any size, in noise. */
final class Figures {
  private static final int CLASSES = 4;
  private static final int SIDE = 16;

  private Figures() {}

  /** Writes a dataset of as many samples. */
  static void write(Path folder, int samples, long seed) throws IOException {
    Random random = new Random(seed);
    try (ShardWriter writer =
        ShardWriter.builder(folder.toString()).samplesMax(samples / 4).build()) {
      for (int i = 0; i < samples; i++) {
        int figure = random.nextInt(CLASSES);
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(draw(figure, random), "png", png);
        byte[] label = Integer.toString(figure).getBytes(UTF_8);
        writer.write("%06d".formatted(i), Map.of("png", png.toByteArray(), "cls", label));
      }
      writer.commit();
    }
  }

  private static BufferedImage draw(int figure, Random random) {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < SIDE * SIDE; at++) {
      int noise = random.nextInt(90);
      image.setRGB(at % SIDE, at / SIDE, new Color(noise, noise, noise).getRGB());
    }
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(new Color(200 + random.nextInt(56), 220, 220));
    graphics.setStroke(new BasicStroke(1.5f));
    int size = 8 + random.nextInt(4);
    int x = 1 + random.nextInt(SIDE - size - 1);
    int y = 1 + random.nextInt(SIDE - size - 1);
    switch (figure) {
      case 0 -> graphics.drawOval(x, y, size, size);
      case 1 -> graphics.fillRect(x, y, size, size);
      case 2 -> {
        graphics.drawLine(x, y + size / 2, x + size, y + size / 2);
        graphics.drawLine(x + size / 2, y, x + size / 2, y + size);
      }
      default -> {
        graphics.drawLine(x, y, x + size, y + size);
        graphics.drawLine(x + size, y, x, y + size);
      }
    }
    graphics.dispose();
    return image;
  }
}
