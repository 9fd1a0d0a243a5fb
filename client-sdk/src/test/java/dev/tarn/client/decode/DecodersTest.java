package dev.tarn.client.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import javax.imageio.ImageIO;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecodersTest {
  private static final RecursiveComparisonConfiguration BY_CONTENT =
      RecursiveComparisonConfiguration.builder().withIgnoreCollectionOrder(false).build();

  private final Decoders decoders = Decoders.standard();

  /** Upper case as one's own decoder of txt, or of a part of the extension. */
  private record Shouting(Set<String> extensions) implements SampleDecoder {
    @Override
    public Object decode(EncodedMember member) {
      return UTF_8.decode(member.data()).toString().toUpperCase(java.util.Locale.ROOT);
    }
  }

  private static Map<String, Object> tree() {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("text", "Grüße, 世界");
    tree.put("none", null);
    tree.put("yes", true);
    tree.put("no", false);
    BigInteger unsigned = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    List<Object> numbers =
        List.of(
            0L,
            127L,
            128L,
            65535L,
            65536L,
            1L << 32,
            Long.MAX_VALUE,
            unsigned,
            -1L,
            -32L,
            -33L,
            -129L,
            -(1L << 31),
            Long.MIN_VALUE);
    tree.put("numbers", numbers);
    tree.put("fraction", 0.1);
    tree.put(
        "nested",
        List.of(List.of(), Map.of(), List.of(List.of(1L)), Map.of("a", Map.of("b", List.of()))));
    tree.put("long", "x".repeat(300));
    return tree;
  }

  private static byte[] bytes() {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    }
    return compressed.toByteArray();
  }

  @Test
  void textIsUtf8() {
    assertThat(decoders.decode(Members.of("txt", "Grüße\n"), String.class)).isEqualTo("Grüße\n");
    assertThat(decoders.decode(Members.of("txt", ""))).isEqualTo("");
    assertThatThrownBy(() -> decoders.decode(Members.of("txt", new byte[] {'a', (byte) 0xff})))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("sample a/b of s3://data/shard-000000.tar")
        .hasMessageContaining("member txt")
        .hasMessageContaining("not UTF-8 at byte 1");
  }

  @ParameterizedTest
  @CsvSource({
    "cls,7,7",
    "id,' -12\n',-12",
    "index,+3,3",
    "count,9223372036854775807,9223372036854775807"
  })
  void wholeNumbersAreText(String extension, String text, long expected) {
    assertThat(decoders.decode(Members.of(extension, text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.5", "cat", "9223372036854775808", "1 2"})
  void whatIsNoWholeNumberIsAnError(String text) {
    assertThatThrownBy(() -> decoders.decode(Members.of("cls", text)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("not a whole number");
  }

  @Test
  void numbersBecomeTheTypeThatIsAskedForWhereItHoldsThem() {
    EncodedMember small = Members.of("cls", "7");
    assertThat(decoders.decode(small, int.class)).isEqualTo(7);
    assertThat(decoders.decode(small, Byte.class)).isEqualTo((byte) 7);
    assertThat(decoders.decode(small, float.class)).isEqualTo(7f);
    assertThatThrownBy(() -> decoders.decode(Members.of("cls", "3000000000"), int.class))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("is a java.lang.Long, which is no int");
    assertThatThrownBy(() -> decoders.decode(Members.of("json", "null"), Map.class))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("is null");
  }

  @Test
  void jsonThatIsCutShortIsToldByWhereItBegan() {
    assertThatThrownBy(() -> decoders.decode(Members.of("json", "{\"a\": [1")))
        .isInstanceOf(DecodeException.class)
        .hasMessageEndingWith("(start marker at line: 1, column: 7) at byte 8");
  }

  @Test
  void jsonOfPythonIsATree() {
    assertThat(decoders.decode(Members.ofFile("tree.json"))).isEqualTo(tree());
    assertThat(decoders.decode(Members.of("json", "[NaN, -Infinity, 1e3]")))
        .isEqualTo(List.of(Double.NaN, Double.NEGATIVE_INFINITY, 1000.0));
    assertThat(decoders.decode(Members.of("json", "null"))).isNull();
  }

  @Test
  void cborOfPythonIsATreeWithBytes() {
    Map<?, ?> decoded = decoders.decode(Members.ofFile("tree.cbor"), Map.class);
    Map<String, Object> expected = tree();
    expected.put("bytes", bytes());
    assertThat(decoded).usingRecursiveComparison(BY_CONTENT).isEqualTo(expected);
  }

  @Test
  void messagePackOfPythonIsATreeWithBytesTimesAndExtensions() {
    Map<?, ?> decoded = decoders.decode(Members.ofFile("tree.mp"), Map.class);
    Map<String, Object> expected = tree();
    expected.put("bytes", bytes());
    expected.put("moment", Instant.parse("2024-02-29T12:30:15.5Z"));
    expected.put("own", new MessagePackExtension((byte) 42, "abc".getBytes(UTF_8)));
    Long[] many = new Long[65536];
    Arrays.fill(many, 0L);
    expected.put("many", List.of(many));
    assertThat(decoded).usingRecursiveComparison(BY_CONTENT).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"png", "jpg", "gif", "bmp", "tif"})
  void imagesAreReadThroughImageIo(String extension) {
    BufferedImage image =
        decoders.decode(Members.ofFile("orange." + extension), BufferedImage.class);
    int width = extension.equals("png") ? 3 : 16;
    assertThat(image.getWidth()).isEqualTo(width);
    int red = (image.getRGB(1, 1) >> 16) & 0xff;
    assertThat(red).isBetween(250, 255);
  }

  @ParameterizedTest
  @CsvSource({
    "cmyk,ff0000 00ff00 0000ff ffffff 000000 808080 ff8000 33c8b8",
    "ycck,ff0001 01ff01 0200ff ffffff 000000 808080 ff8001 34c7ba"
  })
  void jpegsOfFourInksHaveTheColoursThatPillowMakesOfThem(String inks, String colours) {
    byte[] file = Members.file("inks.%s.jpg".formatted(inks));
    BufferedImage image = decoders.decode(Members.of("jpg", file), BufferedImage.class);
    int number = 0;
    for (String colour : colours.split(" ", -1)) {
      int expected = Integer.parseInt(colour, 16);
      int found = image.getRGB(8 * number++ + 4, 4);
      for (int shift = 0; shift <= 16; shift += 8) {
        assertThat((found >> shift) & 0xff)
            .as("%s in %06x", colour, found & 0xffffff)
            .isCloseTo((expected >> shift) & 0xff, within(2));
      }
    }
  }

  /** Of pixels that do not compress. */
  private static byte[] noise(String format) throws IOException {
    Random random = new Random(5);
    BufferedImage image = new BufferedImage(100, 80, BufferedImage.TYPE_BYTE_INDEXED);
    for (int at = 0; at < 100 * 80; at++) {
      image.setRGB(at % 100, at / 100, random.nextInt());
    }
    BufferedImage coloured = new BufferedImage(100, 80, BufferedImage.TYPE_3BYTE_BGR);
    coloured.getGraphics().drawImage(image, 0, 0, null);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    assertThat(ImageIO.write(format.equals("gif") ? image : coloured, format, file)).isTrue();
    return file.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jpg", "png", "gif", "bmp", "tif"})
  void imageThatIsCutShortIsRefusedAndBytesThatFollowAreNot(String format) throws IOException {
    byte[] file = noise(format);
    for (int percent = 1; percent < 99; percent++) {
      byte[] cut = Arrays.copyOf(file, file.length * percent / 100);
      assertThatThrownBy(() -> decoders.decode(Members.of(format, cut)))
          .as("%d %%", percent)
          .isInstanceOf(DecodeException.class);
    }
    byte[] followed = Arrays.copyOf(file, file.length + 100);
    assertThat(decoders.decode(Members.of(format, followed), BufferedImage.class).getWidth())
        .isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(strings = {"orange.jpg", "inks.cmyk.jpg", "inks.ycck.jpg"})
  void jpegWithoutItsEndIsRefusedAlsoWhereThatOfAThumbnailIsThere(String name) {
    byte[] file = Members.file(name);
    byte[] thumbnail = Members.file("orange.jpg");
    int length = thumbnail.length + 2;
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(file, 0, 2);
    joined.writeBytes(new byte[] {(byte) 0xff, (byte) 0xe1, (byte) (length >> 8), (byte) length});
    joined.writeBytes(thumbnail);
    joined.write(file, 2, file.length - 2);
    byte[] whole = joined.toByteArray();
    assertThat(decoders.decode(Members.of("jpg", whole))).isInstanceOf(BufferedImage.class);
    for (int i = 0; i < whole.length; i++) {
      byte[] cut = Arrays.copyOf(whole, i);
      assertThatThrownBy(() -> decoders.decode(Members.of("jpg", cut)))
          .as("%d bytes", i)
          .isInstanceOf(DecodeException.class);
    }
    byte[] cut = Arrays.copyOf(whole, whole.length - 2);
    assertThatThrownBy(() -> decoders.decode(Members.of("jpg", cut)))
        .hasMessageContaining("the JPEG is truncated: its %d bytes".formatted(cut.length));
  }

  @ParameterizedTest
  @CsvSource({"page.tif,4960,7016", "blank.bmp,4000,4000"})
  void blankImageIsReadHoweverFewBytesItTakes(String name, int width, int height) {
    BufferedImage image = decoders.decode(Members.ofFile(name), BufferedImage.class);
    assertThat(image.getWidth()).isEqualTo(width);
    assertThat(image.getHeight()).isEqualTo(height);
    assertThat(image.getRGB(width / 2, height / 2)).isEqualTo(0xffffffff);
  }

  @Test
  void imageThatClaimsMorePixelsThanItsBytesHoldIsRefused() {
    byte[] png = Members.file("orange.png");
    png[16] = 0x7f;
    png[20] = 0x7f;
    assertThatThrownBy(() -> decoders.decode(Members.of("png", png)))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("74 bytes that claim to be an image of 2130706435 x 2130706434");
    Decoders little = Decoders.builder().pixelsMax(5).build();
    assertThatThrownBy(() -> little.decode(Members.ofFile("orange.png")))
        .hasMessageContaining("3 x 2 pixels, expected 5 at most");
  }

  @ParameterizedTest
  @ValueSource(strings = {".txt", "TXT", "seg.PNG"})
  void decoderOfAnExtensionThatNoMemberHasIsRefused(String extension) {
    Shouting decoder = new Shouting(Set.of(extension));

    assertThatThrownBy(() -> Decoders.builder().add(decoder))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "extension %s of %s: expected it in lower case and without first dot"
                .formatted(extension, Shouting.class.getName()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"pkl", "pickle", "pyd", "pth", "weights.pth", "pkl.gz"})
  void picklesAreNeverDecoded(String extension) {
    assertThatThrownBy(() -> decoders.decode(Members.of(extension, "cos\nsystem\n")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("member " + extension + " is a Python pickle")
        .hasMessageContaining("never decoded");
  }

  @Test
  void memberWithoutDecoderIsNamedWithThoseThatHaveOne() {
    assertThatThrownBy(() -> decoders.decode(Members.of("safetensors", "")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("member safetensors has no decoder (only [bmp, cbor, class,");
  }

  @Test
  void lastPartOfTheExtensionDecides() {
    assertThat(decoders.decode(Members.of("1.caption.txt", "a cat"))).isEqualTo("a cat");
  }

  @Test
  void gzippedMembersAreDecompressedUpToTheBound() throws IOException {
    byte[] text = "cat ".repeat(1000).getBytes(UTF_8);
    EncodedMember member = Members.of("txt.gz", gzip(text));
    assertThat(decoders.decode(member)).isEqualTo("cat ".repeat(1000));
    Decoders exact = Decoders.builder().decompressedBytesMax(4000).build();
    assertThat(exact.decode(member)).isEqualTo("cat ".repeat(1000));
    Decoders bounded = Decoders.builder().decompressedBytesMax(3999).build();
    assertThatThrownBy(() -> bounded.decode(member))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("member txt.gz")
        .hasMessageContaining("more than the 3999 bytes allowed");
  }

  @Test
  void gzippedMembersMayBeSeveralAndBePaddedAndNothingElseFollows() throws IOException {
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.writeBytes(gzip("a ".getBytes(UTF_8)));
    members.writeBytes(gzip("cat".getBytes(UTF_8)));
    assertThat(decoders.decode(Members.of("txt.gz", members.toByteArray()))).isEqualTo("a cat");
    members.writeBytes(new byte[7]);
    assertThat(decoders.decode(Members.of("txt.gz", members.toByteArray()))).isEqualTo("a cat");
    members.write('x');
    EncodedMember followed = Members.of("txt.gz", members.toByteArray());
    assertThatThrownBy(() -> decoders.decode(followed)).isInstanceOf(DecodeException.class);
  }

  @Test
  void addedDecodersComeBeforeServicesAndThoseBeforeTheBuiltIn() {
    assertThat(decoders.decode(Members.of("reversed", "abc"))).isEqualTo("cba");
    Decoders own =
        Decoders.builder().add(new Shouting(Set.of("txt", "reversed", "loud.json"))).build();
    assertThat(own.decode(Members.of("txt", "abc"))).isEqualTo("ABC");
    assertThat(own.decode(Members.of("reversed", "abc"))).isEqualTo("ABC");
    assertThat(own.decode(Members.of("very.loud.json", "\"a\""))).isEqualTo("\"A\"");
    assertThat(own.decode(Members.of("json", "\"a\""))).isEqualTo("a");
  }
}
