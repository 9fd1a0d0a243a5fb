package dev.tarn.gateway.s3.form;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file and the fields of a form, however its bytes arrive. */
class FormDecoderTest {
  private static final String BOUNDARY = "----WebKit7MA4";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "content",
        "\r\n",
        "\r\r\n\r\n--",
        "\r\n------WebKit7MA",
        "a\r\n------WebKit7MB\r\n------WebKit7M\r\n------WebKit7MA",
        "--" + BOUNDARY + "\r"
      })
  void fileComesOutWholeWhereverTheFormIsCut(String file) {
    byte[] form = form(field("key", "a/${filename}") + filePart("é \"b.bin", file));
    for (int first = 0; first <= form.length; first++) {
      for (int second = first; second <= form.length; second += 7) {
        FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
        assertThat(decode(decoder, form, first, second)).isEqualTo(file);
        decoder.end();
        assertThat(decoder.fileBytes()).isEqualTo(file.getBytes(UTF_8).length);
      }
    }
  }

  @Test
  void fieldsMayBeAsLongInOnePieceAsInMany() {
    String file = filePart("f", "x");
    int around = field("key", "").length() + file.indexOf("\r\n\r\n") + 4;
    byte[] longest = form(field("key", "x".repeat(65536 - around)) + file);
    byte[] tooLong = form(field("key", "x".repeat(65537 - around)) + file);
    for (int pieceBytes : new int[] {1, 100, longest.length}) {
      FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      feed(decoder, longest, pieceBytes, out);
      decoder.end();
      assertThat(out.toString(UTF_8)).isEqualTo("x");
      assertRefused(S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR, tooLong, pieceBytes);
    }
  }

  @Test
  void boundaryAmongTheHeadersOfAPartIsRefused() {
    assertRefused(
        S3ErrorCode.MALFORMED_POST_REQUEST,
        form(
            field("key", "k").replace("\r\n\r\nk", "")
                + field("acl", "private")
                + filePart("f", "x")));
  }

  @Test
  void largeRandomFileOfManyPiecesComesOutAsItWas() {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder file = new StringBuilder();
    while (file.length() < 100_000) {
      file.append("\r\n--" + BOUNDARY, 0, random.nextInt(BOUNDARY.length() + 4));
      file.append((char) random.nextInt('a', 'z'));
    }
    byte[] form = form(filePart("f", file.toString()));
    FormDecoder decoder = new FormDecoder(BOUNDARY, Long.MAX_VALUE);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int at = 0; at < form.length; ) {
      int length = Math.min(form.length - at, random.nextInt(1, 5000));
      feed(decoder, form, at, length, out);
      at += length;
    }
    decoder.end();
    assertThat(out.toString(UTF_8)).isEqualTo(file.toString());
  }

  @Test
  void fieldsAreKnownByTheirNamesInLowerCaseAndTheKeyHoldsTheFilesName() {
    byte[] form =
        form(
            field("Key", "up/${filename}")
                + field("x-amz-meta-Größe", "zwei\r\nZeilen")
                + filePart("C:\\fotos\\é.jpg", "x")
                + field("after", "ignored"));
    FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
    decode(decoder, form, form.length, form.length);
    FormFields fields = Objects.requireNonNull(decoder.fields());
    assertThat(fields.values())
        .containsOnlyKeys("key", "x-amz-meta-größe")
        .containsEntry("x-amz-meta-größe", "zwei\r\nZeilen");
    assertThat(fields.key()).isEqualTo("up/é.jpg");
  }

  @Test
  void formWithoutAFileOrWithAFieldTwiceIsRefused() {
    assertRefused(S3ErrorCode.INVALID_ARGUMENT, form(field("key", "k")));
    assertRefused(
        S3ErrorCode.INVALID_ARGUMENT,
        form(field("key", "a") + field("KEY", "b") + filePart("f", "x")));
    assertRefused(S3ErrorCode.MALFORMED_POST_REQUEST, "no form at all".getBytes(UTF_8));
    assertRefused(
        S3ErrorCode.MALFORMED_POST_REQUEST,
        ("--" + BOUNDARY + "\r\nContent-Type: text/plain\r\n\r\nx\r\n").getBytes(UTF_8));
  }

  @Test
  void formThatEndsWithinItsFileIsRefusedAtItsEnd() {
    byte[] form = form(filePart("f", "content"));
    FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
    decode(decoder, form, form.length - 10, form.length - 10 - BOUNDARY.length());
    FormDecoder cut = new FormDecoder(BOUNDARY, 1000);
    feed(cut, form, 0, form.length - BOUNDARY.length(), new ByteArrayOutputStream());
    assertThatThrownBy(cut::end)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.code()).isEqualTo(S3ErrorCode.MALFORMED_POST_REQUEST));
  }

  @Test
  void fieldsThatNeverEndAreRefusedBeforeTheyFillTheMemory() {
    assertRefused(
        S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED_ERROR,
        form(field("key", "x".repeat(200_000))).clone(),
        1000);
  }

  @Test
  void fieldsThatComeByteByByteAreNotReadFromTheirBeginningForEachByte() {
    byte[] form = form(field("key", "x".repeat(60_000)) + filePart("f", "content"));
    FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int at = 0; at < form.length; at++) {
      feed(decoder, form, at, 1, out);
    }

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1000L * form.length);
    assertThat(out.toString(UTF_8)).isEqualTo("content");
  }

  @Test
  void lineEndMayComeBeforeTheFirstBoundaryInAPieceOfItsOwn() {
    byte[] form = form("\r\n" + field("key", "k") + filePart("f", "content"));
    for (int cut = 0; cut < 4; cut++) {
      assertThat(decode(new FormDecoder(BOUNDARY, 1000), form, cut, cut)).isEqualTo("content");
    }
  }

  @Test
  void fileThatIsTooLargeIsRefused() {
    byte[] form = form(filePart("f", "x".repeat(1001)));
    assertRefused(S3ErrorCode.ENTITY_TOO_LARGE, form);
  }

  private static void assertRefused(S3ErrorCode code, byte[] form) {
    assertRefused(code, form, form.length);
  }

  private static void assertRefused(S3ErrorCode code, byte[] form, int pieceBytes) {
    FormDecoder decoder = new FormDecoder(BOUNDARY, 1000);
    assertThatThrownBy(() -> feed(decoder, form, pieceBytes, new ByteArrayOutputStream()))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static String decode(FormDecoder decoder, byte[] form, int first, int second) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int middle = Math.max(first, second);
    feed(decoder, form, 0, first, out);
    feed(decoder, form, first, middle - first, out);
    feed(decoder, form, middle, form.length - middle, out);
    return out.toString(UTF_8);
  }

  private static void feed(
      FormDecoder decoder, byte[] form, int pieceBytes, ByteArrayOutputStream out) {
    for (int at = 0; at < form.length; at += pieceBytes) {
      feed(decoder, form, at, Math.min(pieceBytes, form.length - at), out);
    }
  }

  private static void feed(
      FormDecoder decoder, byte[] form, int at, int length, ByteArrayOutputStream out) {
    decoder.feed(
        ByteBuffer.wrap(form, at, length),
        piece -> {
          while (piece.hasRemaining()) {
            out.write(piece.get());
          }
        });
  }

  private static byte[] form(String parts) {
    return (parts + "--" + BOUNDARY + "--\r\n").getBytes(UTF_8);
  }

  private static String field(String name, String value) {
    return "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n"
        .formatted(BOUNDARY, name, value);
  }

  private static String filePart(String fileName, String content) {
    return ("--%s\r\nContent-Type: text/plain\r\ncontent-disposition: form-data; name=file;"
            + " filename=\"%s\"\r\n\r\n%s\r\n")
        .formatted(BOUNDARY, fileName.replace("\"", "%22"), content);
  }
}
